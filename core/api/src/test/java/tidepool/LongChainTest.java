package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.fabric.Fabric;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;

/** Many keys of one bucket: every session finds what was committed, and a row that does not fit is always refused. */
class LongChainTest {
    /** A row so long that a bucket has few slots. */
    record Wide(@Key long id, @Length(600) byte[] value) {
        Wide(long id) {
            this(id, new byte[600]);
        }
    }

    private static final int MAX_KEYS = 200;

    static List<String> protocols() {
        return List.of("ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx");
    }

    /** A pool that was just opened knows no addresses, and finds each row by its chain. */
    @ParameterizedTest
    @MethodSource("protocols")
    void everyRowOfTheLongestChainIsFound(String protocol) {
        PoolOptions options = new PoolOptions(protocol, 2, 0, 40 << 20, 8, 16 * 1024);
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            List<Long> keys;
            int rows;
            try (Tidepool pool = PoolAccess.open(fabric, options)) {
                Table<Wide> table = pool.table("wide", Wide.class, 5000);
                keys = keysOfOneBucket(PoolAccess.layout(table.handle()));
                rows = fill(pool, table, keys);
            }
            assertTrue(rows > 60 && rows < MAX_KEYS, "rows=" + rows);
            try (Tidepool pool = PoolAccess.open(fabric, options)) {
                Table<Wide> table = pool.table("wide", Wide.class, 5000);
                for (long key : keys.subList(0, rows))
                    assertEquals(key, pool.read(tx -> table.get(tx, key)).id());
                assertNull(pool.read(tx -> table.get(tx, keys.get(rows))), "what was refused is not there");
                pool.transact(tx -> table.delete(tx, keys.getFirst()));
                pool.transact(tx -> table.insert(tx, new Wide(keys.get(rows))));
            }
        }
    }

    /**
     * Otherwise a write declared together with the refused one would be missing in a transaction that is reported as
     * committed.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void aRefusalThatTheBodyHidesCommitsNothing(String protocol) {
        String url = "mem:?nodes=2&replicas=2&memory=40m&protocol=" + protocol;
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Wide> table = pool.table("wide", Wide.class, 5000);
            List<Long> keys = keysOfOneBucket(PoolAccess.layout(table.handle()));
            long refused = keys.get(fill(pool, table, keys));
            long other = keys.getLast() + 1;

            assertThrows(
                    StoreException.class,
                    () -> pool.transact(tx -> {
                        table.put(tx, new Wide(other));
                        table.put(tx, new Wide(refused));
                        try {
                            table.get(tx, keys.getFirst());
                        } catch (StoreException e) {
                            // hidden by the body
                        }
                    }));
            try (Worker worker = pool.worker()) {
                assertThrows(
                        StoreException.class,
                        () -> worker.transact(txn -> {
                            txn.put(table.handle(), other);
                            txn.put(table.handle(), refused);
                            try {
                                return txn.execute();
                            } catch (StoreException e) {
                                return true;
                            }
                        }));
            }
            assertNull(pool.read(tx -> table.get(tx, other)));
            pool.transact(tx -> table.put(tx, new Wide(other)));
        }
    }

    private static List<Long> keysOfOneBucket(TableLayout table) {
        List<Long> keys = new ArrayList<>();
        for (long key = 0; keys.size() < MAX_KEYS; key++) if (table.home(key) == table.home(17)) keys.add(key);
        return keys;
    }

    /** Returns how many fit. */
    private static int fill(Tidepool pool, Table<Wide> table, List<Long> keys) {
        int rows = 0;
        try {
            for (; rows < keys.size(); rows++) {
                Wide row = new Wide(keys.get(rows));
                pool.transact(tx -> table.put(tx, row));
            }
        } catch (StoreException e) {
            assertEquals(StoreException.Reason.FULL, e.reason());
        }
        return rows;
    }
}
