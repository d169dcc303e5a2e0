package tidepool.workload.measured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.schema.Schema;
import tidepool.schema.UpdateProfile;
import tidepool.spi.PoolAccess;
import tidepool.store.TableLayout;
import tidepool.store.motor.BarSize;

/** Workloads update what they declare: the versions that a run leaves in a pool show it. */
class DeclaredUpdatesTest {
    private static final String POOL = "mem:?protocol=motor&nodes=2&replicas=1&memory=24m&log=128k";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tatp?subscribers=200",
                "smallbank?accounts=200",
                "kvs?records=200",
                "ycsb-a?records=200",
                "tpcc?warehouses=1&customers=30&items=200&orders=400"
            })
    void nothingElseIsChanged(String name) {
        MeasuredWorkload workload = Workloads.named(name, Scale.PAPER);
        try (Tidepool pool = Tidepool.open(POOL)) {
            List<TableLayout> tables = PoolTables.open(pool, workload);
            PoolLoader.load(pool, tables, workload, 0, 1);
            run(pool, workload, tables);
            for (int i = 0; i < tables.size(); i++)
                requireDeclared(
                        workload.tables().get(i),
                        PoolAccess.usage(pool, tables.get(i), Long.MAX_VALUE).updates());
        }
    }

    private static void run(Tidepool pool, MeasuredWorkload workload, List<TableLayout> tables) {
        WorkloadClient client = workload.client(tables, 0, 1, 7);
        Worker.Work work = client::run;
        try (Worker worker = pool.worker()) {
            for (int i = 0; i < 400; i++) {
                client.draw();
                if (worker.transact(work)) client.committed();
                else client.gaveUp();
            }
        }
    }

    /** An update may leave some of its attributes as they were. */
    private static void requireDeclared(TableSpec table, UpdateProfile seen) {
        UpdateProfile declared = table.schema().updates();
        assertNotNull(declared, () -> table.schema().name() + " declares nothing");
        if (seen == null) return;
        for (UpdateProfile.Kind kind : seen.kinds())
            assertTrue(
                    declared.kinds().stream().anyMatch(each -> (kind.attributes() & ~each.attributes()) == 0),
                    () -> table.schema().name() + " declares " + declared.text(table.schema()) + " and changes "
                            + seen.text(table.schema()));
    }

    /**
     * By hand, with the paper's number of versions for each workload; a delta of n bytes of attributes has 24 + n, n in
     * words.
     */
    @Test
    void barsAreAsTheSumSays() {
        // subscriber, 16 updates: 2 × 14/16 = 1 of 4 bytes, 1 of 2: 64, but a whole value needs 24 + 40.
        assertEquals(64, bar("tatp", "subscriber", 2));
        assertEquals(2 * 32, bar("tatp", "special_facility", 2));
        assertEquals(40, bar("tatp", "call_forwarding", 2));
        assertEquals(3 * 32, bar("smallbank", "savings", 3));
        assertEquals(4 * 64, bar("kvs", "kvs", 4));
        // warehouse: 4 × 32 = 128 of ytd; district: 4 × 43/88 = 1 of 8 bytes and 4 × 45/88 = 2 of 4.
        assertEquals(
                new BarSize.Part(4, 8),
                BarSize.of(schema("tpcc", "warehouse"), 4).parts().getFirst());
        assertEquals(
                List.of(new BarSize.Part(2, 4), new BarSize.Part(1, 8)),
                BarSize.of(schema("tpcc", "district"), 4).parts());
        // customer, 830 updates: 4 × 400/830 = 1 of 12, 4 × 387/830 = 1 of 20, 1 of 520: 632, and a whole value needs
        // 24 + 672.
        assertEquals(
                List.of(new BarSize.Part(1, 12), new BarSize.Part(1, 20), new BarSize.Part(1, 520)),
                BarSize.of(schema("tpcc", "customer"), 4).parts());
        assertEquals(696, bar("tpcc", "customer", 4));
        // stock: 4 × 99/100 = 3 of 14 bytes, 1 of 18.
        assertEquals(
                List.of(new BarSize.Part(3, 14), new BarSize.Part(1, 18)),
                BarSize.of(schema("tpcc", "stock"), 4).parts());
    }

    private static long bar(String workload, String table, int versions) {
        return BarSize.of(schema(workload, table), versions).bytes();
    }

    private static Schema schema(String workload, String table) {
        return Workloads.named(workload, Scale.PAPER).tables().stream()
                .map(TableSpec::schema)
                .filter(schema -> schema.name().equals(table))
                .findFirst()
                .orElseThrow();
    }
}
