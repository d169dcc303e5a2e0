package tidepool.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Profiles of users: the values of a file are used, and invalid ones are reported with their line. */
class ProfileFileTest {
    @TempDir
    Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("mine.properties"), text);
    }

    @Test
    void aFileChangesWhatItNames() throws IOException {
        LabProfile ford = ProfileFile.ford();
        LabProfile mine = ProfileFile.read(file("# faster\nwire.oneway.ns = 50 # metres\n\ncpu.post.ns=1_000\n"));
        assertEquals("mine.properties", mine.name());
        assertEquals(50, mine.costs().network().oneWayNanos());
        assertEquals(1000, mine.costs().cpu().postNanos());
        assertEquals(ford.costs().memory(), mine.costs().memory());
        assertEquals(ford.coordinator(), mine.coordinator());
    }

    @Test
    void everyConstantCanBeNamed() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String name : ProfileFile.names()) all.append(name).append(" = 1024\n");
        String text = all.toString().replace("log.dram = 1024", "log.dram = 0");
        LabProfile made = ProfileFile.read(file(text));
        assertEquals(1024, made.costs().pcie().writeNanos());
        assertEquals(1024, made.coordinator().writeNanos());
        assertEquals(false, made.logsInDram());
    }

    @Test
    void whatMakesNoSenseIsRefusedWithItsLine() {
        refused("wire.oneway.ns 50", "line 1: 'wire.oneway.ns 50' is not 'name = number'");
        refused("\nwire.speed = 50", "line 2: there is no constant 'wire.speed'; there are cpu.post.ns, ");
        refused("wire.oneway.ns = fast", "line 1: wire.oneway.ns takes a whole number, not 'fast'");
        refused("wire.oneway.ns = -1", "line 1: wire.oneway.ns takes 0 to 1000000, not -1");
        refused("node.cores = 0", "line 1: node.cores takes 1 to 1024, not 0");
        refused("memory.line.bytes = 100", "line 1: memory.line.bytes takes a power of two, not 100");
        refused("cpu.post.ns = 1\ncpu.post.ns = 2", "line 2: cpu.post.ns is given twice");
        assertTrue(assertThrows(IllegalArgumentException.class, () -> ProfileFile.read(folder.resolve("none")))
                .getMessage()
                .startsWith("no such profile: "));
    }

    private void refused(String text, String sentence) {
        String message = assertThrows(IllegalArgumentException.class, () -> ProfileFile.read(file(text)))
                .getMessage();
        assertTrue(message.contains("mine.properties, " + sentence), message);
    }
}
