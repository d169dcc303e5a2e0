package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.testkit.SourceTree;

/**
 * {@code docs/operating/nodes.md} and {@code pools.md}, command by command, with real processes. Only the ports are
 * others: those may be taken.
 */
class OperatingPageTest {
    /** Ports that the page names. */
    private static final List<String> PORTS = List.of("7401", "7402", "7403", "9401", "2181");

    @TempDir
    Path folder;

    @Tag("full")
    @Tag("process")
    @ParameterizedTest
    @ValueSource(strings = {"nodes", "pools"})
    void theWalkThroughWorksAsWritten(String name) throws Exception {
        String page = Files.readString(SourceTree.path("docs/operating/" + name + ".md"));
        List<String> free = freePorts(PORTS.size());
        for (int i = 0; i < PORTS.size(); i++) page = page.replaceAll("\\b" + PORTS.get(i) + "\\b", free.get(i));
        assumeTrue(hasCurl(), "the walk-through looks at the metrics with curl, which is not here");
        List<WalkThrough.Step> steps = WalkThrough.read(page);
        assertTrue(steps.size() > 15, name + ".md has " + steps.size() + " commands");
        try (WalkThrough walk = new WalkThrough(folder)) {
            for (WalkThrough.Step step : steps) walk.run(step);
        }
    }

    /** A table of limits that is not that of the program is worse than none. */
    @Test
    void theLimitsOfThePageAreThoseOfTheProgram() throws Exception {
        String page = Files.readString(SourceTree.path("docs/operating/limits.md"));
        for (NodeSetting setting : NodeSetting.values())
            if (setting.key.matches("max-.*|.*-time|memory|lease|grace")) {
                // A setting without a default number follows from another setting: the page says how.
                String standard = setting.standard.isEmpty() ? "a " : setting.standard + " |";
                assertTrue(page.contains("\n| `" + setting.key + "` | " + standard), setting.key);
            }
    }

    /** A walk-through that never stumbles would prove nothing. */
    @Test
    void aPageThatIsWrongIsFoundOut() throws Exception {
        String head = "text\n```console\n$ printf 'one\\ntwo\\n' \\\n  | cat\none\n";
        try (WalkThrough walk = new WalkThrough(folder)) {
            for (WalkThrough.Step step : WalkThrough.read(head + "t…o\n```\nmore\n```\n$ false\n```\n")) walk.run(step);
            assertStumbles(walk, head + "three\n```\n", "no line");
            assertStumbles(walk, "```console\n$ ./no-such-command\n```\n", "ended with code 127");
            assertStumbles(walk, "```console\n$ exit 0\n```\n", "no line");
        }
    }

    @Test
    void dotsStandForAnythingElseNothingDoes() {
        assertTrue("listens on 127.0.0.1:1, with (all)".matches(WalkThrough.pattern("listens on …, with (all)")));
        assertEquals(false, "listens on 1, with [all]".matches(WalkThrough.pattern("listens on …, with (all)")));
    }

    private static boolean hasCurl() {
        for (String folder : System.getenv("PATH").split(":", -1))
            if (Files.isExecutable(Path.of(folder, "curl"))) return true;
        return false;
    }

    private static void assertStumbles(WalkThrough walk, String page, String why) {
        AssertionError error = assertThrows(
                AssertionError.class, () -> walk.run(WalkThrough.read(page).getFirst()));
        assertTrue(error.getMessage().contains(why), error.getMessage());
    }

    private static List<String> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        List<String> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            ports.add(Integer.toString(sockets.getLast().getLocalPort()));
        }
        for (ServerSocket socket : sockets) socket.close();
        return ports;
    }
}
