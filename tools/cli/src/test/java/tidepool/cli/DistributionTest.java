package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tidepool.testkit.SourceTree;

/** The commands in the distribution, which has no sources. */
class DistributionTest {
    private static final Set<String> MISSING = Set.of("test", "format", "dist", "install", "fuzz", "mutants");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void helpListsTheCommandsThatWork() {
        assertEquals(0, run("--help"));

        Set<String> listed = new TreeSet<>();
        out.toString()
                .lines()
                .dropWhile(line -> !line.startsWith("Commands:"))
                .skip(1)
                .takeWhile(line -> !line.isBlank())
                .forEach(line -> listed.add(line.strip().split(" ", 2)[0]));
        Set<String> expected = new TreeSet<>(Main.commandLine().getSubcommands().keySet());
        assertTrue(expected.removeAll(MISSING));
        assertEquals(expected, listed);
        for (String command : MISSING)
            assertTrue(out.toString().matches("(?s).*Only in a checkout:.*\\b" + command + "\\b.*"));
    }

    /** A user of the tarball who reads a page of the checkout is told what is missing, whatever the arguments. */
    @Test
    void commandsThatNeedSourcesSaySo() {
        for (String command : MISSING) {
            assertEquals(1, run(command, "-Dtest=SomeTest", "--quick"), command);
            assertTrue(err.toString().contains("'" + command + "' needs a checkout of Tidepool"), err.toString());
            assertEquals(0, run(command, "--help"), command);
        }
    }

    @Test
    void aPageOfTheManualTellsWhatHelpTells() {
        Map<String, String> pages = ShippedTexts.manualPages();

        assertTrue(pages.keySet().containsAll(Set.of("tidepool.1", "tidepool-node.1", "tidepool-pool-create.1")));
        for (String command : MISSING) assertFalse(pages.containsKey("tidepool-" + command + ".1"), command);
        String node = pages.get("tidepool-node.1");
        assertTrue(node.startsWith(".TH \"TIDEPOOL-NODE\" 1 "), node);
        assertTrue(node.contains("\\-\\-durability=none|flush|strict"), node);
        assertTrue(node.contains("See doc/operating/nodes.md"), node);
    }

    /** A container and a unit of systemd that give an unknown option would end with exit code 2 at every start. */
    @Test
    void containerAndUnitGiveOptionsOfTheNode() throws IOException {
        String container = Files.readString(SourceTree.path("dist/files/Containerfile"));
        Matcher command = Pattern.compile("(?m)^CMD \\[(.*)]$").matcher(container);
        assertTrue(command.find());
        List<String> words = List.of(command.group(1).replace("\"", "").split(", "));
        assertEquals(List.of("node", "--config", "/etc/tidepool/node.conf"), words);
        assertTrue(parses(words));

        String unit = Files.readString(SourceTree.path("dist/files/etc/tidepool-node.service"));
        Matcher started = Pattern.compile("(?m)^ExecStart=\\S+ (.*)$").matcher(unit);
        assertTrue(started.find());
        assertEquals(words, List.of(started.group(1).split(" ")));
        assertFalse(parses(List.of("node", "--configs", "/etc/tidepool/node.conf")), "the check can fail");
    }

    private static boolean parses(List<String> words) {
        try {
            return Main.commandLine().parseArgs(words.toArray(String[]::new)).hasSubcommand();
        } catch (CommandLine.ParameterException e) {
            return false;
        }
    }

    /** The sample is what a node would do without it. */
    @Test
    void theSampleSettingsAreTheDefaults() {
        String sample = ShippedTexts.nodeSettings();

        assertTrue(sample.contains("\nlisten = 127.0.0.1:7400\n"), sample);
        assertTrue(sample.contains("\n# credentials = FILE\n"), sample);
    }

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLine restricted = Distribution.restrict(Main.commandLine())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err));
        return Main.run(restricted, arguments);
    }
}
