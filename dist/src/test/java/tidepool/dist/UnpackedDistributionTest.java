package tidepool.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.testkit.ChildProcess;
import tidepool.testkit.ChildStart;
import tidepool.testkit.SourceTree;

/**
 * The archive unpacked far from any checkout, on a runtime image without a compiler, with the variables and tools of a
 * bare machine. The image has the modules that docs/operating/install.md names, so that the list is long enough.
 */
@Tag("process")
class UnpackedDistributionTest {
    private static final Pattern LISTENS = Pattern.compile("node n1 listens on (127\\.0\\.0\\.1:\\d+), .*");
    private static final Pattern MODULES = Pattern.compile("(?s)--add-modules ([a-z.,]+)");

    @TempDir
    static Path folder;

    private static Path home;
    private static Path runtime;

    @BeforeAll
    static void unpack() throws IOException {
        Path archive = DistMain.write(SourceTree.root(), folder.resolve("archive"));
        Path place = Files.createDirectory(folder.resolve("some place"));
        try (ChildProcess tar = ChildProcess.program("tar", "-xzf", archive.toString())
                .in(place)
                .start()) {
            assertEquals(0, tar.exitCode(), tar.errors());
        }
        home = place.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
        runtime = folder.resolve("runtime");
        Matcher modules = MODULES.matcher(
                Files.readString(home.resolve("doc/operating/install.md")).replace("\\\n", "")); // one command
        assertTrue(modules.find(), "install.md names the modules of a runtime image");
        ToolProvider jlink = ToolProvider.findFirst("jlink").orElseThrow();
        String output = runtime.toString();
        assertEquals(
                0, jlink.run(System.out, System.err, "--add-modules", modules.group(1), "--output", output), "jlink");
        assertFalse(Files.exists(runtime.resolve("bin/javac")));
    }

    @Tag("full")
    @Test
    void theDemoProvesItsClaim() {
        List<String> lines = run("demo", "--seconds", "2", "--accounts", "200");

        assertTrue(lines.contains("OK        the history is strictly serializable"), lines.toString());
        assertTrue(lines.stream().anyMatch(line -> line.contains("p50 µs")), "no locale is set: " + lines);
    }

    @Test
    void aNodeServesAShellAndTellsItsStatus() {
        String config = home.resolve("etc/node.conf").toString();
        try (ChildProcess node = command("node", "--config", config, "--listen", "127.0.0.1:0", "--name", "n1")
                .signalled("TERM")
                .start()) {
            String ready = node.line();
            Matcher listens = LISTENS.matcher(String.valueOf(ready));
            assertTrue(listens.matches(), ready + "\n" + node.errors());
            String address = listens.group(1);

            String url = "tcp://" + address + "/bank?replicas=1&memory=8m";
            try (ChildProcess shell = command("shell", url).start()) {
                shell.finish("create account (id long key, balance long); put account 17 balance=100; get account 17");
                List<String> lines = shell.lines();
                assertEquals(0, shell.exitCode(), shell.errors());
                assertEquals("account 17 balance=100", lines.getLast());
            }
            List<String> status = run("status", address);
            assertTrue(status.stream().anyMatch(line -> line.startsWith("bank ")), status.toString());

            node.signal("TERM");
            assertEquals(List.of("node n1 stopped"), node.lines());
            assertEquals(0, node.exitCode(), node.errors());
        }
    }

    /** Libraries of ZooKeeper are loaded for {@code zk:} alone, so a site without it may delete their folder. */
    @Test
    void withoutTheLibrariesOfZooKeeperAllElseWorks() throws IOException {
        Path small = Files.createDirectories(folder.resolve("small"));
        for (String part : List.of("bin", "lib"))
            try (ChildProcess copy = ChildProcess.program(
                            "cp", "-r", home.resolve(part).toString(), small.toString())
                    .start()) {
                assertEquals(0, copy.exitCode(), copy.errors());
            }
        Files.move(small.resolve("lib/zookeeper"), folder.resolve("zookeeper"));
        try (ChildProcess shell = at(small, "shell", "mem:").start()) {
            shell.finish("create account (id long key, balance long); put account 17 balance=100");
            assertEquals("inserted account 17", shell.lines().getLast());
            assertEquals(0, shell.exitCode(), shell.errors());
        }
    }

    @Test
    void whatNeedsACheckoutSaysSo() {
        for (List<String> command :
                List.of(List.of("test"), List.of("mutants"), List.of("bench", "smallbank", "--peers", "rocksdb")))
            try (ChildProcess process = command(command.toArray(String[]::new)).start()) {
                assertEquals("", process.rest());
                assertEquals(1, process.exitCode());
                assertTrue(process.errors().contains(" needs a checkout of Tidepool"), process.errors());
                assertEquals(1, process.errors().lines().count(), process.errors());
            }
    }

    @Test
    void withoutJavaItSaysWhatIsMissing() throws IOException {
        Path bare = Files.createDirectory(folder.resolve("path"));
        for (String tool : List.of("dirname", "readlink")) Files.createSymbolicLink(bare.resolve(tool), tool(tool));
        try (ChildProcess process = command("--help")
                .environment(Map.of("PATH", bare.toString(), "TIDEPOOL_JDK_PLACES", folder.resolve("nothing") + "/*"))
                .start()) {
            assertEquals(1, process.exitCode());
            assertEquals(
                    "tidepool: no Java runtime 25 or newer found; install one, or set"
                            + " TIDEPOOL_JAVA_HOME to where it lies\n",
                    process.errors());
        }
    }

    private static List<String> run(String... arguments) {
        try (ChildProcess process = command(arguments).start()) {
            List<String> lines = process.lines();
            assertEquals(0, process.exitCode(), process.errors());
            return lines;
        }
    }

    private static Path tool(String name) {
        for (String place : System.getenv("PATH").split(":"))
            if (Files.isExecutable(Path.of(place, name))) return Path.of(place, name);
        throw new AssertionError("no " + name + " on the PATH");
    }

    private static ChildStart command(String... arguments) {
        return at(home, arguments);
    }

    private static ChildStart at(Path place, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(place.resolve("bin/tidepool").toString()));
        command.addAll(List.of(arguments));
        Map<String, String> environment = new TreeMap<>();
        environment.put("PATH", System.getenv("PATH"));
        environment.put("TIDEPOOL_JAVA_HOME", runtime.toString());
        return ChildProcess.program(command.toArray(String[]::new)).in(folder).environment(environment);
    }
}
