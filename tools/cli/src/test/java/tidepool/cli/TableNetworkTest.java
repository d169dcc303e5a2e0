package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.testkit.ChildProcess;
import tidepool.workload.site.ZkSite;

/** Files go into pools on the network and come back equal, and pipes carry them between two processes. */
@Tag("process")
class TableNetworkTest {
    private static final List<String> OPTIONS = List.of(
            "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1");
    private static final int ROWS = 3_000;
    private static final Set<String> LINES =
            IntStream.range(0, ROWS).mapToObj(i -> i + ",\"\u00e9 " + i + "\"").collect(Collectors.toSet());

    @TempDir
    private Path folder;

    private Path file() throws IOException {
        List<String> lines = new ArrayList<>(List.of("key:long key,text:string[20]"));
        lines.addAll(LINES);
        return Files.write(folder.resolve("in.csv"), lines);
    }

    private static void assertSameLines(String exported) {
        Set<String> lines = new HashSet<>(exported.lines().toList());
        assertTrue(lines.remove("key:long key,text:string[20]"), "the first line");
        assertEquals(LINES.stream().map(each -> each.replace("\"", "")).collect(Collectors.toSet()), lines);
    }

    private void thereAndBack(String url) throws IOException {
        CommandRun in = CommandRun.of("table", "import", url, "t", file().toString(), "--create", "5000");
        assertEquals(0, in.exitCode(), in::toString);
        Path out = folder.resolve("out.csv");
        CommandRun back = CommandRun.of("table", "export", url, "t", out.toString());
        assertEquals(0, back.exitCode(), back::toString);
        assertSameLines(Files.readString(out));
    }

    @Test
    void rowsGoToMemoryNodesAndBack() throws IOException {
        try (MemoryServer one = MemoryServer.start(NodeOptions.onLoopback("one", 0, 64 << 20));
                MemoryServer two = MemoryServer.start(NodeOptions.onLoopback("two", 0, 64 << 20))) {
            thereAndBack("tcp://127.0.0.1:" + one.address().getPort() + ",127.0.0.1:"
                    + two.address().getPort() + "/pool?memory=4m&replicas=2&protocol=motor");
        }
    }

    @Test
    void rowsGoToAPoolInZooKeeperAndBack() throws Exception {
        try (ZkSite site = new ZkSite(folder, "replicas=2&memory=4m")) {
            thereAndBack(site.url());
        }
    }

    @Test
    void pipesCarryRows() throws IOException {
        String from = "shm:" + folder.resolve("from") + "?memory=4m";
        String to = "shm:" + folder.resolve("to") + "?memory=4m";
        assertEquals(
                0,
                CommandRun.of("table", "import", from, "t", file().toString(), "--create", "5000")
                        .exitCode());
        String rows;
        try (ChildProcess export = ChildProcess.jvm(
                        OPTIONS, Main.class, "table", "export", from, "t", "-", "--format", "jsonl")
                .start()) {
            rows = export.rest();
            assertEquals(0, export.exitCode(), export::errors);
        }
        try (ChildProcess load = ChildProcess.jvm(
                        OPTIONS, Main.class, "table", "import", to, "t", "-", "--format", "jsonl", "--create", "5000")
                .start()) {
            load.finish(rows);
            assertTrue(load.rest().startsWith("imported 3,000 rows into table t, in "));
            assertEquals(0, load.exitCode(), load::errors);
        }
        Path out = folder.resolve("out.csv");
        assertEquals(
                0, CommandRun.of("table", "export", to, "t", out.toString()).exitCode());
        assertSameLines(Files.readString(out));
    }
}
