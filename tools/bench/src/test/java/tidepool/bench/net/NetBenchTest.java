package tidepool.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages go between processes and are counted. How fast they are is not asked here. */
class NetBenchTest {
    @TempDir
    Path folder;

    @Test
    void eachTransportHasARowForEachNumberUnderWay() throws Exception {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> transports = List.of("nio-select", "blocking");
        NetOptions options = new NetOptions(transports, List.of(1, 8), 2, 30, 10, classPath);
        List<String> progress = new ArrayList<>();
        List<NetResult> results = new NetBench(options, progress::add).run();

        assertEquals(
                List.of("nio-select 1", "nio-select 8", "blocking 1", "blocking 8"),
                results.stream()
                        .map(result -> result.transport() + " " + result.underWay())
                        .toList());
        assertEquals(
                List.of(
                        "round 1 of 2: nio-select",
                        "round 1 of 2: blocking",
                        "round 2 of 2: nio-select",
                        "round 2 of 2: blocking",
                        ""),
                progress);
        for (NetResult result : results) {
            assertTrue(result.nanosPerTrip() > 0, result.toString());
            assertEquals(result.underWay() * 1e9 / result.nanosPerTrip(), result.messagesPerSecond(), 1e-3);
        }
        List<String> lines = new ArrayList<>();
        NetBench.print(results, lines::add);
        assertEquals(5, lines.size());
        Path json = folder.resolve("net.json");
        NetBench.writeJson(results, json);
        assertTrue(Files.readString(json).contains("\"cpuNanosPerMessage\""));
    }

    /** Of several rounds the median counts, and the distance between the best and the worst is told. */
    @Test
    void aSeriesIsTheMedianOfItsRounds() {
        NetSeries series = new NetSeries("x", 4, 3);
        series.add(10, 1_000, 8_000);
        series.allocated(3);
        series.add(10, 3_000, 8_000);
        series.allocated(0);
        series.add(10, 2_000, 8_000);
        series.allocated(1);

        assertEquals(new NetResult("x", 4, 200, 0.5, 2e7, 200, 0), series.result());
    }
}
