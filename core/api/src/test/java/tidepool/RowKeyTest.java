package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.base.Checksum64;
import tidepool.base.Randomness;
import tidepool.base.Words;
import tidepool.schema.Fields;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.RowKey;
import tidepool.store.StoreException;
import tidepool.testkit.Effort;
import tidepool.txn.TableHandle;

/** Keys of any parts work as a {@code long} does, under every protocol and through every API. */
class RowKeyTest {
    /** A key that one word holds. */
    public record Place(@Key int row, @Key short column, long value) {}

    /** A key of one string. */
    public record Customer(@Key @Length(40) String name, long value, int visits) {}

    /** Parts of several types, and a component between them that is no key. */
    public record Line(
            @Key @Length(20) String order,
            long value,
            @Key @Length(9) byte[] article,
            @Key int number) {}

    enum Room {
        KITCHEN,
        ATTIC
    }

    /** Keys of objects, and a value that is not plain either. */
    public record Visit(
            @Key Room room,
            @Key Instant from,
            Optional<Integer> hours,
            @Key UUID guest,
            @Key LocalDate day) {}

    /** A wide key of two words. */
    public record Pair(@Key long left, @Key long right, long value) {}

    static List<String> protocols() {
        return OwnEffectsTest.protocols();
    }

    private static Tidepool open(String protocol) {
        return Tidepool.open("mem:?nodes=2&replicas=2&memory=2m&protocol=" + protocol);
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void stringsAreKeys(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Customer> customers = pool.table("customers", Customer.class, 100);
            pool.transact(tx -> {
                customers.put(tx, new Customer("alice", 1, 0));
                customers.insert(tx, new Customer("", 2, 0));
                customers.insert(tx, new Customer("Ä".repeat(20), 3, 0));
            });
            pool.transact(tx -> {
                assertEquals(new Customer("alice", 1, 0), customers.get(tx, "alice"));
                assertEquals(2, customers.get(tx, "").value());
                assertEquals(3, customers.find(tx, "Ä".repeat(20)).orElseThrow().value());
                assertNull(customers.get(tx, "alic"));
                Cell<Customer> cell = customers.update(tx, "alice");
                cell.set(new Customer("alice", cell.get().value() + 10, 1));
                assertEquals("table=customers key='alice'", cell.toString());
                assertEquals("alice", cell.rowKey().get(0));
                assertThrows(IllegalStateException.class, cell::key);
                assertThrows(IllegalArgumentException.class, () -> cell.set(new Customer("bob", 1, 1)));
                assertThrows(DuplicateKeyException.class, () -> {
                    customers.insert(tx, new Customer("alice", 1, 1));
                    tx.execute();
                });
                customers.delete(tx, "");
            });
            pool.read(tx -> {
                assertEquals(11, customers.get(tx, "alice").value());
                assertFalse(customers.exists(tx, ""));
                return null;
            });
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void partsOfSeveralTypesAreOneKey(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Place> places = pool.table("places", Place.class, 100);
            Table<Pair> pairs = pool.table("pairs", Pair.class, 100);
            pool.transact(tx -> {
                for (int row = -2; row <= 2; row++)
                    for (short column = -1; column <= 1; column++) {
                        places.put(tx, new Place(row, column, row * 10 + column));
                        pairs.put(tx, new Pair(row, column, row * 10 + column));
                    }
            });
            pool.read(tx -> {
                for (int row = -2; row <= 2; row++)
                    for (short column = -1; column <= 1; column++) {
                        assertEquals(
                                row * 10 + column, places.get(tx, row, column).value());
                        assertEquals(
                                row * 10 + column, pairs.get(tx, row, column).value());
                    }
                assertNull(places.get(tx, 3, 0));
                List<RowKey> keys = List.of(pairs.key(1, 1), pairs.key(9, 9), pairs.key(-2, 0));
                List<Pair> found = pairs.getAll(tx, keys);
                assertEquals(11, found.get(0).value());
                assertNull(found.get(1));
                assertEquals(new Pair(-2, 0, -20), found.get(2));
                return null;
            });
            Table<Line> lines = pool.table("lines", Line.class, 100);
            byte[] empty = {};
            byte[] zero = {0};
            pool.transact(tx -> {
                lines.put(tx, new Line("A", 1, empty, 1));
                lines.put(tx, new Line("A", 2, zero, 1));
            });
            pool.read(tx -> {
                assertEquals(1, lines.get(tx, "A", empty, 1).value());
                assertEquals(2, lines.get(tx, "A", zero, 1).value());
                assertEquals(1, lines.get(tx, "A", zero, 1).article().length);
                return null;
            });
            pool.transact(tx -> {
                assertEquals(
                        5,
                        pairs.computeIfAbsent(tx, pairs.key(7, 7), _ -> new Pair(7, 7, 5))
                                .value());
                assertEquals(
                        6,
                        pairs.upsert(tx, new Pair(7, 7, 0), old -> new Pair(7, 7, old.value() + 1))
                                .value());
            });
        }
    }

    /** Two keys of one hash are two rows: each has its own value, its own absence and its own changes. */
    @ParameterizedTest
    @MethodSource("protocols")
    void twoKeysOfOneHashAreTwoRows(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Pair> pairs = pool.table("pairs", Pair.class, 100);
            Pair one = new Pair(1, 2, 100);
            Pair two = collidingWith(one, 17);
            assertEquals(pairs.key(1, 2).word(), pairs.key(two.left, two.right).word());
            assertNotEquals(pairs.key(1, 2), pairs.key(two.left, two.right));

            pool.transact(tx -> pairs.insert(tx, one));
            pool.read(tx -> {
                assertNull(pairs.get(tx, two.left, two.right));
                return null;
            });
            pool.transact(tx -> pairs.insert(tx, two));
            for (int i = 0; i < 3; i++)
                pool.transact(tx -> {
                    Cell<Pair> first = pairs.update(tx, 1, 2), second = pairs.update(tx, two.left, two.right);
                    first.set(new Pair(1, 2, first.get().value + 1));
                    second.set(new Pair(two.left, two.right, second.get().value + 10));
                });
            pool.transact(tx -> {
                assertEquals(103, pairs.get(tx, 1, 2).value);
                assertEquals(130, pairs.delete(tx, two.left, two.right).get().value);
                assertNull(pairs.get(tx, two.left, two.right));
                assertEquals(103, pairs.get(tx, 1, 2).value);
            });
            pool.transact(tx -> pairs.put(tx, new Pair(two.left, two.right, 7)));
            pool.transact(tx -> pairs.delete(tx, 1, 2));
            pool.read(tx -> {
                assertNull(pairs.get(tx, 1, 2));
                assertEquals(7, pairs.get(tx, two.left, two.right).value);
                return null;
            });
        }
    }

    /** Random transactions on few keys, of which four have one hash, compared with a map. */
    @ParameterizedTest
    @MethodSource("protocols")
    void randomProgramsSeeWhatTheyDid(String protocol) {
        try (Tidepool pool = open(protocol);
                Worker worker = pool.worker()) {
            Table<Pair> pairs = pool.table("pairs", Pair.class, 2);
            List<Pair> keys = new ArrayList<>();
            for (int i = 0; i < 4; i++) keys.add(collidingWith(new Pair(1, 2, 0), i));
            for (int i = 0; i < 12; i++) keys.add(new Pair(i, -i, 0));
            AtomicReference<Map<Pair, Long>> committed = new AtomicReference<>(new HashMap<>());
            Effort.seeds(40, 200, 5_000).forEach(seed -> {
                Randomness random = new Randomness(seed);
                if (random.chance(1, 3)) onFields(worker, pairs, keys, seed, committed);
                else onRecords(pool, pairs, keys, seed, committed);
            });
        }
    }

    private static void onRecords(
            Tidepool pool, Table<Pair> pairs, List<Pair> keys, long seed, AtomicReference<Map<Pair, Long>> committed) {
        AtomicReference<Map<Pair, Long>> made = new AtomicReference<>();
        pool.transact(tx -> {
            Randomness random = new Randomness(seed + 1_000_000);
            Map<Pair, Long> model = new HashMap<>(committed.get());
            for (int i = 1 + random.nextInt(30); i > 0; i--) {
                Pair key = random.pick(keys);
                long value = random.nextInt(1_000);
                Pair fresh = new Pair(key.left, key.right, value);
                switch (random.nextInt(5)) {
                    case 0 -> {
                        pairs.put(tx, fresh);
                        model.put(key, value);
                    }
                    case 1 -> {
                        Cell<Pair> gone = pairs.delete(tx, key.left, key.right);
                        Long last = model.remove(key);
                        assertEquals(last != null, gone.isPresent());
                        if (last != null) assertEquals(last, gone.get().value);
                    }
                    case 2 -> {
                        Cell<Pair> cell = pairs.update(tx, key.left, key.right);
                        if (cell.isPresent()) {
                            assertEquals(model.get(key), cell.get().value);
                            cell.set(fresh);
                            model.put(key, value);
                        }
                    }
                    case 3 -> {
                        if (!model.containsKey(key)) {
                            pairs.insert(tx, fresh);
                            model.put(key, value);
                        }
                    }
                    default -> {
                        Pair found = pairs.get(tx, key.left, key.right);
                        assertEquals(model.get(key), found == null ? null : found.value, "seed=" + seed);
                    }
                }
            }
            made.set(model);
        });
        committed.set(made.get());
        pool.read(tx -> {
            for (Pair key : keys) {
                Pair found = pairs.get(tx, key.left, key.right);
                assertEquals(committed.get().get(key), found == null ? null : found.value, "after seed=" + seed);
            }
            return null;
        });
    }

    private static void onFields(
            Worker worker, Table<Pair> pairs, List<Pair> keys, long seed, AtomicReference<Map<Pair, Long>> committed) {
        TableHandle table = pairs.handle();
        Fields.LongField value = table.schema().longField("value");
        RowKey key = table.schema().key().newKey(); // one object for all accesses
        AtomicReference<Map<Pair, Long>> made = new AtomicReference<>();
        boolean done = worker.transact(txn -> {
            Randomness random = new Randomness(seed + 1_000_000);
            Map<Pair, Long> model = new HashMap<>(committed.get());
            List<Pair> updated = new ArrayList<>();
            List<Integer> accesses = new ArrayList<>();
            for (int i = 1 + random.nextInt(30); i > 0; i--) {
                Pair each = random.pick(keys);
                key.setLong(0, each.left).setLong(1, each.right);
                updated.add(each);
                accesses.add(txn.put(table, key));
            }
            if (!txn.execute()) return false;
            for (int i = 0; i < updated.size(); i++) {
                long at = txn.value(accesses.get(i));
                long before = value.get(txn.memory(), at);
                assertEquals(Objects.requireNonNullElse(model.get(updated.get(i)), 0L), before, "seed=" + seed);
                value.set(txn.memory(), at, before + i + 1);
                model.put(updated.get(i), before + i + 1);
            }
            made.set(model);
            return true;
        });
        assertTrue(done);
        committed.set(made.get());
    }

    /** A wrong key is refused with the shape of the right one, before anything has happened. */
    @Test
    void wrongKeysAreRefused() {
        try (Tidepool pool = open("ford")) {
            Table<Customer> customers = pool.table("customers", Customer.class, 100);
            Table<Pair> pairs = pool.table("pairs", Pair.class, 100);
            Table<Place> places = pool.table("places", Place.class, 100);
            refused(pool, "a key of table customers is [name:string[40]], not a long: key=17", tx -> {
                customers.get(tx, 17);
            });
            refused(pool, "part 'name' of a key is string[40], not a Integer: [name:string[40]]", tx -> {
                customers.get(tx, (Object) 17);
            });
            refused(pool, "a key has 2 parts, not 1: [left:long, right:long]", tx -> pairs.get(tx, "x"));
            refused(pool, "a key of table pairs is [left:long, right:long], not [name:string[40]]", tx -> {
                pairs.get(tx, customers.key("x"));
            });
            refused(pool, "part 'name' of a key holds at most 40 bytes of UTF-8, not 41", tx -> {
                customers.put(tx, new Customer("x".repeat(41), 1, 1));
            });
            refused(pool, "part 'name' of a key is null", tx -> customers.put(tx, new Customer(null, 1, 1)));
            refused(pool, "part 'column' of a key is short; it cannot hold 40000", tx -> places.get(tx, 1, 40_000));
            refused(pool, "a key of table customers is [name:string[40]], not one word", tx -> {
                tx.raw().read(customers.handle(), 17);
            });
            assertEquals(0, pool.statistics().commits());
        }
    }

    /** No split tells keys of one hash apart: as many as chains hold are rows, and more are refused, also at once. */
    @ParameterizedTest
    @MethodSource("protocols")
    void tooManyKeysOfOneHashAreRefused(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Pair> pairs = pool.table("pairs", Pair.class, 1);
            Pair one = new Pair(1, 2, 100);
            StoreException refusal = assertThrows(
                    StoreException.class,
                    () -> pool.transact(tx -> {
                        for (long which = 0; which < 1000; which++) pairs.insert(tx, collidingWith(one, which));
                    }));
            assertEquals("table pairs has too many keys of one hash: a chain has 33 buckets", refusal.getMessage());
            pool.transact(tx -> {
                for (long which = 0; which < 50; which++) pairs.insert(tx, collidingWith(one, which));
            });
            assertEquals(50, pairs.stream().count());
        }
    }

    private static void refused(Tidepool pool, String message, Consumer<Transaction> body) {
        Throwable refusal = assertThrows(IllegalArgumentException.class, () -> pool.transact(body::accept));
        assertEquals(message, refusal.getMessage());
    }

    static Pair collidingWith(Pair pair, long which) {
        if (which == 0) return pair;
        return new Pair(pair.left + which, colliding(pair.left, pair.right, pair.left + which), pair.value);
    }

    // ---- two keys of one hash: the steps of the checksum are one to one in the word, and are undone here

    private static long colliding(long left, long right, long otherLeft) {
        long state = step(Checksum64.start(2 * Words.BYTES), left);
        long other = step(Checksum64.start(2 * Words.BYTES), otherLeft);
        // mix(state, word) depends on state ^ word * FACTOR alone.
        long word = (state ^ bytes(right) * FACTOR ^ other) * inverse(FACTOR);
        return Long.reverseBytes(word) ^ Long.MIN_VALUE;
    }

    private static final long FACTOR = 0x9e3779b97f4a7c15L;

    private static long step(long state, long part) {
        return Checksum64.mix(state, bytes(part));
    }

    /** The bytes of a part, big-endian with its sign flipped, as a little-endian word. */
    private static long bytes(long part) {
        return Long.reverseBytes(part ^ Long.MIN_VALUE);
    }

    private static long inverse(long odd) {
        long inverse = odd;
        for (int i = 0; i < 6; i++) inverse *= 2 - odd * inverse; // Newton: twice as many bits each time
        return inverse;
    }
}
