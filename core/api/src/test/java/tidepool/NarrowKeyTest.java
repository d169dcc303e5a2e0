package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.RowKey;

/** One component of a narrow type is the whole key. Both ends of its range, and zero, are rows of their own. */
class NarrowKeyTest {
    record ByInt(@Key int id, long value) {}

    record ByShort(@Key short id, long value) {}

    record ByByte(@Key byte id, long value) {}

    record ByChar(@Key char id, long value) {}

    record ByBoolean(@Key boolean id, long value) {}

    record ByEnum(@Key Few id, long value) {}

    record ByDate(@Key LocalDate id, long value) {}

    record ByText(@Key @Length(3) String id, long value) {}

    enum Few {
        NEW,
        PAID
    }

    static List<String> protocols() {
        return OwnEffectsTest.protocols();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void rowsAreFoundByNarrowKeys(String protocol) {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=4m&protocol=" + protocol)) {
            List<Integer> ints = List.of(Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE);
            check(pool, ByInt.class, ints, id -> new ByInt(id, id));
            check(
                    pool,
                    ByShort.class,
                    List.of(Short.MIN_VALUE, (short) -1, (short) 0, Short.MAX_VALUE),
                    id -> new ByShort(id, id));
            check(
                    pool,
                    ByByte.class,
                    List.of(Byte.MIN_VALUE, (byte) -1, (byte) 0, Byte.MAX_VALUE),
                    id -> new ByByte(id, id));
            check(pool, ByChar.class, List.of('\0', 'a', '\ud800', '\uffff'), id -> new ByChar(id, id));
            check(pool, ByBoolean.class, List.of(false, true), id -> new ByBoolean(id, 1));
            check(pool, ByEnum.class, List.of(Few.values()), id -> new ByEnum(id, 1));
            check(pool, ByDate.class, List.of(LocalDate.MIN, LocalDate.EPOCH, LocalDate.MAX), id -> new ByDate(id, 1));
            check(pool, ByText.class, List.of("", "a", "abc"), id -> new ByText(id, 1));
        }
    }

    private static <K, R extends Record> void check(Tidepool pool, Class<R> type, List<K> keys, Function<K, R> make) {
        Table<R> table = pool.table(type.getSimpleName(), type, 10);
        for (K key : keys) pool.transact(tx -> table.insert(tx, make.apply(key)));
        Set<R> all = new HashSet<>();
        for (K key : keys) {
            all.add(make.apply(key));
            assertEquals(make.apply(key), pool.read(tx -> table.get(tx, (Object) key)), type + " " + key);
            assertThrows(DuplicateKeyException.class, () -> pool.transact(tx -> table.insert(tx, make.apply(key))));
        }
        assertEquals(all, new HashSet<>(table.stream().toList()));
        assertEquals(keys.size(), table.stream().count());
        List<RowKey> rowKeys = keys.stream().map(key -> table.key(key)).toList();
        assertEquals(keys.stream().map(make).toList(), pool.read(tx -> table.getAll(tx, rowKeys)));
        K first = keys.getFirst();
        pool.transact(tx ->
                assertEquals(make.apply(first), table.delete(tx, (Object) first).get()));
        assertNull(pool.read(tx -> table.get(tx, (Object) first)));
        assertEquals(keys.size() - 1, table.stream().count());
    }

    /** Java prefers the overload for a long to that for parts, so a number of a narrower type arrives as a long. */
    @Test
    void numbersArriveAsLongs() {
        try (Tidepool pool = Tidepool.open("mem:?memory=4m")) {
            Table<ByShort> shorts = pool.table("shorts", ByShort.class);
            Table<ByChar> chars = pool.table("chars", ByChar.class);
            Table<ByByte> bytes = pool.table("bytes", ByByte.class);
            short key = -5;
            pool.transact(tx -> {
                shorts.put(tx, new ByShort(key, 1));
                chars.put(tx, new ByChar('x', 2));
                bytes.put(tx, new ByByte((byte) -7, 3));
            });
            assertEquals(1, pool.read(tx -> shorts.get(tx, key)).value());
            assertEquals(1, pool.read(tx -> shorts.get(tx, -5)).value());
            assertEquals(2, pool.read(tx -> chars.get(tx, 'x')).value());
            assertEquals(3, pool.read(tx -> bytes.get(tx, (byte) -7)).value());
            assertEquals(List.of(new ByShort(key, 1)), pool.read(tx -> shorts.getAll(tx, key)));
            pool.transact(tx -> assertTrue(shorts.exists(tx, key)));
            assertEquals(1, pool.read(tx -> shorts.find(tx, key)).orElseThrow().value());
            assertEquals(1, pool.read(tx -> shorts.read(tx, key).get()).value());
            pool.transact(tx -> shorts.update(tx, key).set(new ByShort(key, 9)));
            ByShort made = pool.compute(tx -> shorts.computeIfAbsent(tx, (short) 6, id -> new ByShort((short) id, 60)));
            assertEquals(60, made.value());
            assertEquals(60, pool.read(tx -> shorts.get(tx, 6)).value());
            pool.transact(tx -> assertEquals(9, shorts.delete(tx, key).get().value()));
            String refused = assertThrows(IllegalArgumentException.class, () -> pool.read(tx -> shorts.get(tx, 40_000)))
                    .getMessage();
            assertEquals("part 'id' of a key is short; it cannot hold 40000", refused);
        }
    }
}
