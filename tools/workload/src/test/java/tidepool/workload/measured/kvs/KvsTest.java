package tidepool.workload.measured.kvs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import tidepool.Worker;
import tidepool.testkit.SourceTree;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.MeasuredWorkloadContract;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.StampedBytes;
import tidepool.workload.measured.WorkloadClient;
import tidepool.workload.measured.Workloads;

/** The key-value micro-benchmark keeps its promises. */
class KvsTest extends MeasuredWorkloadContract {
    @Override
    protected MeasuredWorkload small() {
        return Workloads.named("kvs?records=500&objects=4&writes=50&zipf=0.99", Scale.PAPER);
    }

    /** The ratio is that of objects, so the figures of papers can be compared. */
    @Test
    void sharesOfReadsAndWritesAreThoseOfTheObjects() {
        WorkloadClient client = workload.client(tables, 0, 1, 7);
        Worker.Work work = client::run;
        try (Worker worker = pool.worker()) {
            for (int i = 0; i < 5_000; i++) {
                client.draw();
                assertTrue(worker.transact(work));
                client.committed();
            }
        }
        assertEquals(20_000, client.book()[Kvs.READS] + client.book()[Kvs.WRITES]);
        assertEquals(10_000, client.book()[Kvs.WRITES], 400);
    }

    /** The page says how large a transaction may be. */
    @Test
    void thePageHasTheLimitOfObjects() throws IOException {
        String page = Files.readString(SourceTree.path("docs/benchmarks/workloads.md"));
        String row = String.format(Locale.ROOT, "| `objects` | 1 | of a transaction, up to %,d |", Kvs.MAX_OBJECTS);
        assertTrue(page.contains(row), row);
    }

    /** A value that belongs to another key has a matching count, and is found nevertheless. */
    @Test
    void valueOfAnotherKeyIsFound() {
        try (Worker worker = pool.worker()) {
            worker.transact(txn -> {
                int access = txn.update(tables.getFirst(), 17);
                if (!txn.execute()) return false;
                StampedBytes.write(txn.memory(), txn.value(access), 40, 18, 0);
                return true;
            });
        }
        assertEquals(List.of("the value of key 17 is damaged or somebody else's"), check(new long[3]));
    }
}
