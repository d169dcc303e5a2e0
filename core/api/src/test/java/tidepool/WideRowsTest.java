package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.base.Randomness;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.store.TableLayout;
import tidepool.testkit.Effort;

/**
 * Rows so wide that lookups leave out their values: two clients insert, delete and find them, in tables that overflow
 * and grow. Most lookups of a client are of rows that the other one has moved, so no address is known.
 */
class WideRowsTest {
    record Wide(
            @Key long id,
            @Length(256) String text,
            @Length(256) String more,
            int version) {
        static Wide of(long id, int version) {
            return new Wide(id, version + "x".repeat(version % 200), "y".repeat(256), version);
        }
    }

    record Named(
            @Key @Length(40) String name,
            @Key int number,
            @Length(256) String text,
            @Length(256) String more,
            int version) {
        static Named of(long id, int version) {
            return new Named(name(id), (int) id, version + "x".repeat(version % 200), "y".repeat(256), version);
        }

        static String name(long id) {
            return "a name that is longer than a word " + id % 3;
        }
    }

    static List<String> protocols() {
        List<String> all = new ArrayList<>(List.of("ford&flush=selective")); // looks at values, too
        for (String each : OwnEffectsTest.protocols())
            all.add(each.startsWith("ford-lv") ? "ford-lv&vcache=global" : each);
        return all;
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void twoClientsFindWhatIsThere(String protocol, @TempDir Path directory) {
        Effort.seeds(1, 2, 40).forEach(seed -> {
            String url = "shm:" + directory.resolve("pool" + seed)
                    + "?nodes=2&replicas=2&memory=16m&timeout=60s&protocol=" + protocol;
            try (Tidepool one = Tidepool.open(url);
                    Tidepool other = Tidepool.open(url)) {
                String what = protocol + " seed=" + seed;
                Randomness random = new Randomness(seed);
                play(List.of(of(one, Wide.class), of(other, Wide.class)), Wide::of, Wide::id, random, what);
                play(List.of(of(one, Named.class), of(other, Named.class)), Named::of, Named::number, random, what);
            }
        });
    }

    /** A table in one of the clients. */
    private record Client<T extends Record>(Tidepool pool, Table<T> table) {}

    private static <T extends Record> Client<T> of(Tidepool pool, Class<T> type) {
        Table<T> table = pool.table(type.getSimpleName().toLowerCase(), type, 16);
        TableLayout layout = table.layout();
        assertTrue(layout.hasWideSlots() || layout.hasSides(), "rows are wide, or Motor keeps their values elsewhere");
        return new Client<>(pool, table);
    }

    /** A function that makes the row of a number in a version. */
    private interface Maker<T> {
        T make(long id, int version);
    }

    /** A function that returns the number of a row. */
    private interface Number<T> {
        long of(T row);
    }

    private static <T extends Record> void play(
            List<Client<T>> clients, Maker<T> maker, Number<T> number, Randomness random, String what) {
        Map<Long, T> model = new HashMap<>();
        for (int i = 0; i < Effort.of(60, 150, 600); i++) {
            Client<T> client = random.pick(clients);
            Table<T> table = client.table();
            int version = i;
            List<Long> ids = new ArrayList<>();
            for (int many = 1 + random.nextInt(6); many > 0; many--) ids.add((long) random.nextInt(90));
            int kind = random.nextInt(4);
            client.pool().transact(tx -> {
                for (long id : ids) {
                    Object[] key = key(table, id);
                    T row = maker.make(id, version);
                    switch (kind) {
                        case 0 -> assertEquals(model.get(id), table.get(tx, key), what);
                        case 1 -> table.put(tx, row);
                        case 2 -> table.delete(tx, key);
                        default -> {
                            if (table.read(tx, key).isPresent()) table.delete(tx, key);
                            else table.insert(tx, row);
                        }
                    }
                }
            });
            for (long id : ids) {
                T row = maker.make(id, version);
                switch (kind) {
                    case 0 -> {}
                    case 1 -> model.put(id, row);
                    case 2 -> model.remove(id);
                    default -> {
                        if (model.remove(id) == null) model.put(id, row);
                    }
                }
            }
        }
        for (Client<T> client : clients) {
            Map<Long, T> found = new HashMap<>();
            client.table().pages(3).forEach(row -> found.put(number.of(row), row));
            assertEquals(model, found, what);
        }
    }

    private static Object[] key(Table<?> table, long id) {
        return table.handle().schema().key().isLong() ? new Object[] {id} : new Object[] {Named.name(id), (int) id};
    }
}
