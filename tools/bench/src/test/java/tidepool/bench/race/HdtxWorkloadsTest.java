package tidepool.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

/**
 * Both sound forms of HDTX run every workload, and those of its figures on every fabric with threads; the books are
 * right.
 */
class HdtxWorkloadsTest {
    private static final List<String> WORKLOADS = List.of(
            "kvs?records=500&objects=4&writes=50&zipf=0.5",
            "smallbank?accounts=100&hot=10",
            "tatp?subscribers=100",
            "ycsb-a?records=500",
            "ycsb-b?records=500",
            "ycsb-c?records=500",
            "ycsb-d?records=500",
            "ycsb-f?records=500",
            "tpcc?warehouses=1&customers=30&items=100&orders=5000");

    private static final List<String> SOME = List.of(WORKLOADS.get(1), WORKLOADS.get(2), WORKLOADS.getLast());

    private static final int THREADS = 3;
    private static final int TRANSACTIONS = 100;

    @TempDir
    Path folder;

    private int runs;

    @ParameterizedTest
    @ValueSource(strings = {"hdtx", "hdtx?reads=locked"})
    void inMemory(String protocol) throws Exception {
        for (String workload : WORKLOADS) run(protocol, "mem", workload);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hdtx", "hdtx?reads=locked"})
    void onSharedMemory(String protocol) throws Exception {
        for (String workload : SOME) run(protocol, "shm", workload);
    }

    @Tag("full")
    @Tag("process")
    @ParameterizedTest
    @ValueSource(strings = {"hdtx", "hdtx?reads=locked"})
    void overTcp(String protocol) throws Exception {
        for (String workload : SOME) run(protocol, "tcp", workload);
    }

    private void run(String protocol, String fabric, String workload) throws Exception {
        String what = protocol + " " + fabric + " " + workload;
        Path own = Files.createDirectory(folder.resolve("run-" + runs++));
        ContenderOptions options = new ContenderOptions(
                RaceEntry.ours(protocol, fabric),
                Workloads.named(workload, Scale.PAPER),
                own,
                THREADS,
                THREADS,
                PoolShape.USUAL,
                0);
        try (Contender contender = new PoolContender(options);
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<Integer>> committed = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                committed.add(threads.submit(() -> work(contender, number)));
            }
            for (Future<Integer> each : committed) assertTrue(each.get() > 0, what);
            assertEquals(List.of(), contender.check(), what);
        }
    }

    private static int work(Contender contender, int number) {
        int committed = 0;
        try (ClientDriver driver = contender.driver(number, THREADS, 7)) {
            for (int i = 0; i < TRANSACTIONS; i++) {
                driver.draw();
                if (driver.run() == TxnEnd.COMMITTED) committed++;
            }
        }
        return committed;
    }
}
