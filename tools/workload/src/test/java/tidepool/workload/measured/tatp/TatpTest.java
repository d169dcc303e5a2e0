package tidepool.workload.measured.tatp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.store.TableLayout;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.MeasuredWorkloadContract;
import tidepool.workload.measured.PoolLoader;
import tidepool.workload.measured.PoolRows;
import tidepool.workload.measured.PoolTables;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.WorkloadClient;
import tidepool.workload.measured.Workloads;

/** TATP keeps its promises at both scales, and its expected failures are as frequent as its population says. */
class TatpTest {
    @Nested
    class Paper extends MeasuredWorkloadContract {
        @Override
        protected MeasuredWorkload small() {
            return Workloads.named("tatp?subscribers=50", Scale.PAPER);
        }
    }

    @Nested
    class Spec extends MeasuredWorkloadContract {
        @Override
        protected MeasuredWorkload small() {
            return Workloads.named("tatp?subscribers=50", Scale.SPEC);
        }

        @Test
        void everyKindOfDamageIsFound() {
            long[] book = new long[6];
            int type = Integer.numberOfTrailingZeros(TatpPopulation.accessTypes(7));
            pool.transact(tx -> {
                tx.raw().delete(tables.get(TatpTables.SEC_SUBSCRIBER), TatpKeys.subNumber(3));
                tx.raw().delete(tables.get(TatpTables.SUBSCRIBER), 4);
                tx.raw().delete(tables.get(TatpTables.ACCESS_INFO), TatpKeys.typed(7, type));
            });
            assertEquals(
                    List.of(
                            "subscriber 3 cannot be looked up by number",
                            "subscriber 4 is missing",
                            "access of subscriber 7, type " + type + ", is missing"),
                    check(book));
        }

        @Test
        void forwardingWithoutAFacilityIsFound() {
            long subscriber = 1;
            while (TatpPopulation.facilityTypes(subscriber) == 0b11110) subscriber++;
            int type = Integer.numberOfTrailingZeros(~TatpPopulation.facilityTypes(subscriber) & 0b11110);
            long key = TatpKeys.forwarding(subscriber, type, 2);
            pool.transact(tx -> tx.raw().insert(tables.get(TatpTables.CALL_FORWARDING), key));

            List<String> findings = check(new long[] {1, 0, 0, 0, 0, 0});
            String row = "forwarding of subscriber " + subscriber + ", type " + type + ", start 2, ";
            assertEquals(List.of(row + "has no facility", row + "is damaged"), findings);
        }
    }

    /** Rows that exist by the population's rules are found as often as the rules say; 14.8 % was summed up by hand. */
    @Test
    void missesAreAsFrequentAsThePopulationSays() {
        MeasuredWorkload workload = Workloads.named("tatp?subscribers=2000", Scale.SPEC);
        int all = 20_000;
        int[] ran = new int[7];
        int[] missed = new int[7];
        try (Tidepool pool = Tidepool.open("mem:?nodes=3&replicas=2&memory=16m")) {
            List<TableLayout> tables = PoolTables.open(pool, workload);
            PoolLoader.load(pool, tables, workload, 0, 1);
            WorkloadClient client = workload.client(tables, 0, 1, 7);
            Worker.Work work = client::run;
            try (Worker worker = pool.worker()) {
                for (int i = 0; i < all; i++) {
                    int type = client.draw();
                    ran[type]++;
                    if (worker.transact(work)) client.committed();
                    else client.gaveUp();
                    if (client.missed()) missed[type]++;
                }
            }
            assertEquals(List.of(), PoolRows.check(pool, tables, workload, client.book()));
        }
        assertEquals(35, 100.0 * ran[Tatp.GET_SUBSCRIBER_DATA] / all, 1.5);
        assertEquals(14, 100.0 * ran[Tatp.UPDATE_LOCATION] / all, 1.5);
        assertEquals(0, missed[Tatp.GET_SUBSCRIBER_DATA] + missed[Tatp.UPDATE_LOCATION]);
        assertEquals(62.5, found(Tatp.GET_ACCESS_DATA, ran, missed), 3);
        assertEquals(14.8, found(Tatp.GET_NEW_DESTINATION, ran, missed), 3);
        assertEquals(62.5, found(Tatp.UPDATE_SUBSCRIBER_DATA, ran, missed), 10);
        assertEquals(31.25, found(Tatp.INSERT_CALL_FORWARDING, ran, missed), 10);
        assertEquals(31.25, found(Tatp.DELETE_CALL_FORWARDING, ran, missed), 10);
    }

    private static double found(int type, int[] ran, int[] missed) {
        return 100.0 * (ran[type] - missed[type]) / ran[type];
    }

    @Test
    void numbersAreDecimalDigits() {
        assertEquals(0x1234567890L, TatpKeys.subNumber(1_234_567_890));
        assertEquals(0x999_9999_9999_9999L, TatpKeys.subNumber(999_999_999_999_999L));
    }

    /** Populations as described: the means of rows per subscriber, and of their numbers each as likely. */
    @Test
    void populationsAreAsDescribed() {
        int subscribers = 100_000;
        int[] accesses = new int[5];
        long facilities = 0;
        long active = 0;
        int[] forwardings = new int[4];
        long steady = 0;
        for (long s = 1; s <= subscribers; s++) {
            accesses[Integer.bitCount(TatpPopulation.accessTypes(s))]++;
            int types = TatpPopulation.facilityTypes(s);
            for (int type = 1; type <= 4; type++) {
                if ((types & 1 << type) == 0) continue;
                long key = TatpKeys.typed(s, type);
                facilities++;
                if (TatpPopulation.isActive(key)) active++;
                forwardings[Integer.bitCount(new TatpPopulation(false).starts(key))]++;
                steady += Integer.bitCount(new TatpPopulation(true).starts(key));
            }
        }
        for (int count = 1; count <= 4; count++) assertEquals(0.25, (double) accesses[count] / subscribers, 0.01);
        assertEquals(2.5, (double) facilities / subscribers, 0.02);
        assertEquals(0.85, (double) active / facilities, 0.01);
        for (int count = 0; count <= 3; count++) assertEquals(0.25, (double) forwardings[count] / facilities, 0.01);
        assertEquals(1.5, (double) steady / facilities, 0.01);
    }
}
