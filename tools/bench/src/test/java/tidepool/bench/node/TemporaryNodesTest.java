package tidepool.bench.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.fabric.Fabric;

/** Memory nodes for a measurement are processes, serve, and leave no process. */
class TemporaryNodesTest {
    private static final String CLASS_PATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    @TempDir
    Path folder;

    private static List<ProcessHandle> children() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info()
                        .arguments()
                        .map(all -> List.of(all).contains(BenchNodeMain.class.getName()))
                        .orElse(false))
                .toList();
    }

    @Test
    void theyServeOnePoolAndEndWhenClosed() throws Exception {
        List<ProcessHandle> before = children();
        TemporaryNodes nodes = TemporaryNodes.start(2, 8 << 20, folder, CLASS_PATH);
        List<ProcessHandle> started =
                children().stream().filter(child -> !before.contains(child)).toList();
        try (nodes) {
            try (Fabric fabric = Fabric.open(nodes.url("timeout=20s"))) {
                assertEquals(2, fabric.nodes());
                fabric.control(1).createRegion(4096);
            }
            assertTrue(nodes.areAlive());
        }
        assertFalse(nodes.areAlive());
        for (ProcessHandle one : started) one.onExit().get(10, TimeUnit.SECONDS);
    }

    /** A node that cannot begin is named, and those that could are gone. */
    @Test
    void oneThatCannotBeginIsNamed() {
        var failed = assertThrows(
                IllegalStateException.class, () -> TemporaryNodes.start(1, 8 << 20, folder, folder.toString()));
        assertTrue(failed.getMessage().startsWith("node-0 failed: "), failed.getMessage());
        assertTrue(failed.getMessage().contains(BenchNodeMain.class.getSimpleName()), failed.getMessage());
    }
}
