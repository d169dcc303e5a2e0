package tidepool.bench.smallbank;

import java.util.ArrayList;
import java.util.List;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Txn;
import tidepool.store.PoolOptions;
import tidepool.store.TableInfo;
import tidepool.store.schema.Fields.LongField;
import tidepool.store.schema.Schema;
import tidepool.store.schema.Type;

/**
 * Ours: a pool of two memory nodes on shared memory, every partition on both, and each of our protocols. Everything that
 * is on for users is on here: checksums, undo logs, bounds, sessions, counters.
 */
public final class PoolBank implements Bank {
    /** The smallest pool in which every record has a primary and a backup. */
    static final int NODES = 2;

    static final int REPLICAS = 2;

    private static final int COORDINATORS = 64;
    private static final int LOG_SLOT_BYTES = 64 * 1024;
    private static final int AT_ONCE = 32;

    private final int customers;
    private final RawPool pool;
    private final TableInfo savings;
    private final TableInfo checking;
    private final List<Coordinator> coordinators = new ArrayList<>();

    public PoolBank(BankOptions options) {
        customers = options.customers();
        String url = "shm:" + options.folder().resolve("pool") + "?nodes=" + NODES;
        pool = new RawPool(
                url,
                new PoolOptions(
                        options.name(), REPLICAS, NODES, partitionBytes(customers), COORDINATORS, LOG_SLOT_BYTES));
        savings = pool.table(schema("savings"), customers);
        checking = pool.table(schema("checking"), customers);
        load();
    }

    private static Schema schema(String name) {
        return Schema.builder(name)
                .attribute("cents", Type.LONG)
                .attribute("changes", Type.LONG)
                .build();
    }

    /** Two tables at 64 bytes a slot, two slots in three used, a head for eight slots, a quarter more for overflow. */
    private static long partitionBytes(int customers) {
        return 160L * customers + (1 << 20) + 63 & -64;
    }

    /** What all copies take. */
    static long neededBytes(int customers) {
        return NODES * REPLICAS * partitionBytes(customers)
                + NODES * (long) COORDINATORS * 3 * LOG_SLOT_BYTES
                + (16L << 20);
    }

    private void load() {
        Attempts attempts = new Attempts(coordinator(), 0);
        LongField cents = savings.schema().longField("cents");
        for (TableInfo table : List.of(savings, checking)) {
            for (int first = 0; first < customers; first += AT_ONCE) {
                int count = Math.min(AT_ONCE, customers - first);
                do {
                    Txn txn = attempts.begin();
                    for (int i = 0; i < count; i++) txn.insert(table, first + i);
                    if (!txn.execute()) continue;
                    for (int i = 0; i < count; i++) cents.set(txn.memory(), txn.value(i), INITIAL_CENTS);
                } while (!attempts.committed());
            }
        }
    }

    private synchronized Coordinator coordinator() {
        Coordinator coordinator = pool.coordinator();
        coordinators.add(coordinator);
        return coordinator;
    }

    @Override
    public Teller teller() {
        return new PoolTeller(new Attempts(coordinator(), coordinators.size()), savings, checking);
    }

    @Override
    public Totals totals() {
        Attempts attempts = new Attempts(coordinator(), 0);
        LongField cents = savings.schema().longField("cents");
        LongField changes = savings.schema().longField("changes");
        Totals sum = new Totals(0, 0);
        for (TableInfo table : List.of(savings, checking)) {
            for (int first = 0; first < customers; first += AT_ONCE) {
                int count = Math.min(AT_ONCE, customers - first);
                Totals some;
                do {
                    some = new Totals(0, 0);
                    Txn txn = attempts.begin();
                    for (int i = 0; i < count; i++) txn.read(table, first + i);
                    if (!txn.execute()) continue;
                    for (int i = 0; i < count; i++)
                        some = some.plus(
                                cents.get(txn.memory(), txn.value(i)), changes.get(txn.memory(), txn.value(i)));
                } while (!attempts.committed());
                sum = sum.plus(some.cents(), some.changes());
            }
        }
        return sum;
    }

    @Override
    public String settings() {
        return NODES + " memory nodes on shared memory, " + REPLICAS
                + " replicas; undo logs, checksums, bounds and counters on; no flush";
    }

    @Override
    public synchronized void close() {
        for (Coordinator coordinator : coordinators) coordinator.close();
        pool.close();
    }
}
