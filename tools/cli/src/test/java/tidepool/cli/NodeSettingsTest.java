package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.node.NodeLimits;

/** Settings of a node from flags and files, and the errors about invalid ones. */
class NodeSettingsTest {
    @TempDir
    Path folder;

    /** The defaults in the help are the defaults of the node's classes. */
    @Test
    void withoutAnythingTheDefaultsHold() {
        NodeSettings settings = settings(Map.of(), null);

        assertEquals(
                "127.0.0.1", settings.address(NodeSetting.LISTEN).getAddress().getHostAddress());
        assertEquals("node-7400", settings.name());
        assertEquals(1L << 30, settings.size(NodeSetting.MEMORY));
        assertEquals(NodeLimits.DEFAULT, settings.limits());
        assertEquals(Duration.ofSeconds(2), settings.time(NodeSetting.LEASE));
        assertTrue(settings.isOn(NodeSetting.HANDLERS));
        assertFalse(settings.isOn(NodeSetting.METRICS_ANYWHERE));
        assertEquals(null, settings.path(NodeSetting.DIR));
    }

    @Test
    void flagsWinOverTheFile() throws IOException {
        Path file = write("# a comment", "", "memory = 4g  # behind a value", "\tname=from-file", "max-frame = 2m");
        NodeSettings settings = settings(Map.of("name", "from-flag"), file);

        assertEquals("from-flag", settings.name());
        assertEquals(4L << 30, settings.size(NodeSetting.MEMORY));
        assertEquals(2 << 20, settings.limits().frameBytes());
    }

    /** A hash inside a path is no comment. */
    @Test
    void aHashInsideAValueStays() throws IOException {
        assertEquals(
                Path.of("/a#b"),
                settings(Map.of(), write("dir = /a#b # and a comment")).path(NodeSetting.DIR));
    }

    @Test
    void whatIsWrongInAFileIsNamedByItsLine() throws IOException {
        assertWrong(":1: unknown setting 'memroy'; did you mean 'memory'?", "memroy = 4g");
        assertWrong(":2: unknown setting 'xyzzy'", "", "xyzzy = 4g");
        assertWrong(":1: unknown setting 'config'", "config = other");
        assertWrong(":1: not of the form 'name = value': 'memory 4g'", "memory 4g");
        assertWrong(":1: not of the form 'name = value': '= 4g'", "= 4g");
        assertWrong(":1: memory has no value", "memory =");
        assertWrong(":1: memory has no value", "memory = # later");
        String file = folder.resolve("node.conf").toString();
        assertWrong(":3: name is set twice, first at " + file + ":1", "name = a", "memory = 1g", "name = b");
        assertWrong(":1: memory takes a size such as 4096, 64m or 4g, not 'lots'", "memory = lots");
        assertWrong(":1: listen takes HOST:PORT such as 127.0.0.1:7400, not '7400'", "listen = 7400");
        assertWrong(":1: lease takes a time such as 500us, 20ms, 2s or 1min, not '2'", "lease = 2");
        assertWrong(":1: handlers takes on or off, not 'yes'", "handlers = yes");
        assertWrong(":1: max-connections takes a whole number from 1 to 1000000, not '0'", "max-connections = 0");
        assertWrong(":1: log-level takes error, warning, info or debug, not 'all'", "log-level = all");
        assertWrong(":1: max-frame takes a multiple of 8 bytes from 4096 to 64m, not '4097'", "max-frame = 4097");
        assertWrong(":1: listen: no such host: 'no-such-host.invalid'", "listen = no-such-host.invalid:1");
        assertWrong(":1: name takes up to 64 letters, digits, dots, dashes and underscores, not 'a b'", "name = a b");
    }

    /** An error on the command line names the flag as it was typed. */
    @Test
    void whatIsWrongOnTheCommandLineIsNamedByItsFlag() {
        assertEquals(
                "--memory takes a size such as 4096, 64m or 4g, not '-1'",
                assertThrows(IllegalArgumentException.class, () -> settings(Map.of("memory", "-1"), null))
                        .getMessage());
        assertEquals(
                "--metrics takes HOST:PORT such as 127.0.0.1:7400, not 'localhost:99999'",
                assertThrows(IllegalArgumentException.class, () -> settings(Map.of("metrics", "localhost:99999"), null))
                        .getMessage());
    }

    @Test
    void aFileThatCannotBeReadIsASentence() throws IOException {
        Path gone = folder.resolve("gone");
        assertEquals("no such config file: " + gone, complaint(gone));
        assertEquals("a folder, not a config file: " + folder, complaint(folder));
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe});
        assertEquals("not a text in UTF-8: " + binary, complaint(binary));
    }

    /** The page is a config file with equal settings. */
    @Test
    void thePrintedPageCanBeReadBack() throws IOException {
        NodeSettings settings = settings(Map.of("listen", "[::1]:0", "dir", "/pool", "max-outstanding", "7"), null);
        Path file = Files.writeString(folder.resolve("page"), settings.page());
        NodeSettings again = settings(Map.of(), file);

        assertEquals(settings.page(), again.page());
        assertEquals(7, again.limits().outstandingRounds());
        for (NodeSetting setting : NodeSetting.values())
            assertTrue(settings.page().contains(setting.description), setting.description);
    }

    private void assertWrong(String sentence, String... lines) throws IOException {
        Path file = write(lines);
        assertEquals(file + sentence, complaint(file));
    }

    private static String complaint(Path file) {
        return assertThrows(IllegalArgumentException.class, () -> settings(Map.of(), file))
                .getMessage();
    }

    private Path write(String... lines) throws IOException {
        return Files.writeString(folder.resolve("node.conf"), String.join("\n", lines) + "\n");
    }

    private static NodeSettings settings(Map<String, String> flags, Path file) {
        return new NodeSettings(setting -> flags.get(setting.key), file);
    }
}
