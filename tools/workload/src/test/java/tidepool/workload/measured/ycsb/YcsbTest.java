package tidepool.workload.measured.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tidepool.Worker;
import tidepool.protocol.ForwardingTxn;
import tidepool.txn.TableHandle;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.MeasuredWorkloadContract;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.WorkloadClient;
import tidepool.workload.measured.Workloads;

/** The workloads of YCSB keep their promises, with records of both sizes. */
class YcsbTest {
    @Nested
    class A extends MeasuredWorkloadContract {
        @Override
        protected MeasuredWorkload small() {
            return Workloads.named("ycsb-a?records=200", Scale.SPEC);
        }
    }

    @Nested
    class AWithSmallValues extends MeasuredWorkloadContract {
        @Override
        protected MeasuredWorkload small() {
            return Workloads.named("ycsb-a?records=200", Scale.PAPER);
        }
    }

    @Nested
    class B extends MeasuredWorkloadContract {
        @Override
        protected MeasuredWorkload small() {
            return Workloads.named("ycsb-b?records=100&value=8", Scale.SPEC);
        }
    }

    @Nested
    class C extends MeasuredWorkloadContract {
        @Override
        protected MeasuredWorkload small() {
            return Workloads.named("ycsb-c?records=200", Scale.SPEC);
        }

        @Override
        protected boolean writes() {
            return false;
        }
    }

    /** Records are inserted between those that are scanned. */
    @Nested
    class E extends MeasuredWorkloadContract {
        @Override
        protected MeasuredWorkload small() {
            return Workloads.named("ycsb-e?records=200&inserts=9k&value=8", Scale.SPEC);
        }

        @Override
        protected boolean updates() {
            return false;
        }
    }

    @Nested
    class D extends MeasuredWorkloadContract {
        @Override
        protected MeasuredWorkload small() {
            return Workloads.named("ycsb-d?records=200&inserts=9k&value=8", Scale.SPEC);
        }

        @Override
        protected boolean updates() {
            return false;
        }

        /** A record that is in no book is as wrong as one that is missing. */
        @Test
        void recordTooManyIsFound() {
            pool.transact(tx -> tx.raw().insert(tables.getFirst(), ((Ycsb) workload).inserted(4, 0)));

            List<String> findings = check(new long[5]);
            assertEquals(2, findings.size(), findings.toString());
            assertEquals(
                    "records of all clients, against committed inserts: expected 0, found 1, difference 1",
                    findings.getLast());
        }

        /** Most reads go to records that the client has just inserted: to a few keys, not to all. */
        @Test
        void newestAreReadMost() {
            WorkloadClient client = workload.client(tables, 0, 1, 7);
            Map<Long, Integer> reads = new TreeMap<>();
            Worker.Work work = txn -> client.run(new ForwardingTxn() {
                {
                    inner = txn;
                }

                @Override
                public int read(TableHandle table, long key) {
                    reads.merge(key, 1, Integer::sum);
                    return super.read(table, key);
                }
            });
            try (Worker worker = pool.worker()) {
                while (client.book()[Ycsb.INSERTS] < 200) {
                    client.draw();
                    assertTrue(worker.transact(work));
                    client.committed();
                }
            }
            int own = reads.entrySet().stream()
                    .filter(each -> each.getKey() >= 200)
                    .mapToInt(Map.Entry::getValue)
                    .sum();
            assertTrue(own > client.book()[Ycsb.READS] * 8 / 10, own + " of " + client.book()[Ycsb.READS]);
        }

        @Test
        void runThatIsTooLongIsToldSo() {
            MeasuredWorkload tiny = Workloads.named("ycsb-d?records=200&inserts=3&value=8", Scale.SPEC);
            WorkloadClient client = tiny.client(tables, 0, 1, 7);
            IllegalStateException e = assertThrows(IllegalStateException.class, () -> {
                while (true) {
                    client.draw();
                    client.committed();
                }
            });
            assertEquals(
                    "the room for inserts is used up: inserts=3; a longer run takes more of them: ycsb-d?inserts=…",
                    e.getMessage());
        }
    }

    @Nested
    class F extends MeasuredWorkloadContract {
        @Override
        protected MeasuredWorkload small() {
            return Workloads.named("ycsb-f?records=200", Scale.SPEC);
        }
    }

    @Test
    void aNameWithoutALetterIsRefused() {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Workloads.named("ycsb", Scale.SPEC));
        assertEquals("unknown workload 'ycsb'; did you mean 'ycsb-a'?", e.getMessage());
    }

    /** Keys of all clients, and of those after the last one, are never those of loaded records. */
    @Test
    void insertedKeysLieBetweenTheLoadedOnes() {
        Ycsb ycsb = (Ycsb) Workloads.named("ycsb-e?records=1000", Scale.SPEC);
        for (int client = 0; client < 4096; client++)
            for (long i : new long[] {0, (1 << 20) - 1}) {
                long key = ycsb.inserted(client, i);
                assertTrue(key > ycsb.loaded(Ycsb.record(key)), "client " + client + " key " + key);
                assertTrue(Ycsb.record(key) < 1000);
            }
    }
}
