package tidepool.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.sim.Simulation;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.RowSource;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

/** Rows that were put straight into memory are as good as those of transactions, under every protocol. */
class LabPoolTest {
    private static final Lab.Window WINDOW = new Lab.Window(20_000, 200_000);

    private static Setup setup(String protocol, MeasuredWorkload workload) {
        return new Setup(protocol, workload, Systems.homes(workload), ProfileFile.ford(), 32, 7);
    }

    /** Figures of a store that loses money would be worth nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ford?reads=backup",
                "ford?flush=selective",
                "ford-lv",
                "farm",
                "drtmh?report=commit",
                "farmv2",
                "motor",
                "motor?isolation=snapshot",
                "motor-n2o",
                "motor-o2n",
                "motor-published?versions=3",
                "ford-published?row=48",
                "farmv2-published"
            })
    void theWorkloadsOwnCheckPassesAfterARun(String protocol) {
        for (String name : List.of(
                "smallbank?accounts=2000&hot=80", "kvs?records=2000&objects=3&writes=50", "tatp?subscribers=500")) {
            MeasuredWorkload workload = Workloads.named(name, Scale.PAPER);
            try (LabPool pool = new LabPool(setup(protocol, workload))) {
                Meter meter = new Meter(pool, Meter.Aborted.DROPPED, false);
                Sample first = meter.measure(new SeriesPoint(0, new Load(2, 2), workload, WINDOW));
                Sample second = meter.measure(new SeriesPoint(0, new Load(4, 8), workload, WINDOW));
                assertTrue(first.commits() > 20 && second.commits() > first.commits(), first + " " + second);
                assertEquals(List.of(), check(pool, workload, meter.book()), name);
            }
        }
    }

    /** The twelve conditions of TPC-C cover inserts, deletes and overflow buckets, which the others do not. */
    @Tag("full")
    @Test
    void theConditionsOfTpccHoldAfterARun() {
        MeasuredWorkload workload = Workloads.named("tpcc", Scale.PAPER);
        try (LabPool pool = new LabPool(setup("ford-lv?vcachebytes=128m", workload))) {
            Meter meter = new Meter(pool, Meter.Aborted.DROPPED, false);
            Sample sample =
                    meter.measure(new SeriesPoint(0, new Load(4, 2), workload, new Lab.Window(20_000, 1_000_000)));
            assertTrue(sample.commits() > 50, sample.toString());
            assertEquals(List.of(), check(pool, workload, meter.book()));
        }
    }

    /** Dropped transactions have no place in the books, tried ones end in them: otherwise the check above is blind. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "farm"})
    void aBookThatIsWrongFailsTheCheck(String protocol) {
        MeasuredWorkload workload = Workloads.named("kvs?records=64&objects=2&writes=100", Scale.PAPER);
        try (LabPool pool = new LabPool(setup(protocol, workload))) {
            Meter meter = new Meter(pool, Meter.Aborted.TRIED_AGAIN, false);
            Sample sample = meter.measure(new SeriesPoint(0, new Load(4, 8), workload, WINDOW));
            assertTrue(sample.aborts() > 0, "nobody met anybody");
            assertEquals(List.of(), check(pool, workload, meter.book()));
            long[] wrong = meter.book();
            for (int i = 0; i < wrong.length; i++) wrong[i]++;
            assertTrue(!check(pool, workload, wrong).isEmpty(), "one more write than there was");
        }
    }

    private static List<String> check(LabPool pool, MeasuredWorkload workload, long[] book) {
        List<String>[] found = newList();
        pool.simulation.start(pool.cores(1), "check", () -> found[0] = workload.check(new Reader(pool), book));
        pool.simulation.run();
        return found[0];
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static List<String>[] newList() {
        return new List[1];
    }

    /** Reads rows one by one. */
    private static final class Reader implements RowSource {
        private final LabPool pool;
        private Txn txn;
        private int access;

        Reader(LabPool pool) {
            this.pool = pool;
        }

        @Override
        public boolean read(int table, long key) {
            Simulation.work(1);
            txn = pool.coordinators.getFirst().begin();
            access = txn.read(pool.tables.get(table), key);
            assertTrue(txn.execute(), () -> "nobody else works: " + txn.abortReason());
            boolean found = txn.found(access);
            assertEquals(Outcome.COMMITTED, txn.commit());
            return found;
        }

        @Override
        public MemorySegment memory() {
            return txn.memory();
        }

        @Override
        public long value() {
            return txn.value(access);
        }
    }
}
