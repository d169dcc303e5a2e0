package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Nullable;

/**
 * Values at the edge of what their types take: each comes back as it was, and one step further is refused with the name
 * of its attribute. A refused record changes nothing, whichever way it came.
 */
class HostileValuesTest {
    record Point(int x, String name) {}

    record Words(List<String> words) {}

    record Odd(
            @Key @Length(64) String key,
            @Length(8) String fixed,
            @Length(value = 8, varying = true) String varying,
            @Length(300) String longer,
            String text,
            @Nullable String absent,
            Optional<Point> point,
            @Nullable Point other,
            List<Words> lists,
            @Length(3) List<Long> few) {
        Odd withFixed(String to) {
            return new Odd(key, to, varying, longer, text, absent, point, other, lists, few);
        }

        Odd withVarying(String to) {
            return new Odd(key, fixed, to, longer, text, absent, point, other, lists, few);
        }

        Odd withLonger(String to) {
            return new Odd(key, fixed, varying, to, text, absent, point, other, lists, few);
        }

        Odd withText(String to) {
            return new Odd(key, fixed, varying, longer, to, absent, point, other, lists, few);
        }

        Odd withAbsent(String to) {
            return new Odd(key, fixed, varying, longer, text, to, point, other, lists, few);
        }

        Odd withPoint(Optional<Point> to) {
            return new Odd(key, fixed, varying, longer, text, absent, to, other, lists, few);
        }

        Odd withOther(Point to) {
            return new Odd(key, fixed, varying, longer, text, absent, point, to, lists, few);
        }

        Odd withLists(List<Words> to) {
            return new Odd(key, fixed, varying, longer, text, absent, point, other, to, few);
        }

        Odd withFew(List<Long> to) {
            return new Odd(key, fixed, varying, longer, text, absent, point, other, lists, to);
        }

        Odd withKey(String to) {
            return new Odd(to, fixed, varying, longer, text, absent, point, other, lists, few);
        }
    }

    private static final String PAIR = "\ud83d\ude00";
    private static final String HALF = "\ud83d";
    private static final Odd PLAIN =
            new Odd("plain", "a", "b", "c", "d", null, Optional.empty(), null, List.of(), List.of());

    static List<String> protocols() {
        return OwnEffectsTest.protocols();
    }

    private static Tidepool open(String protocol) {
        return Tidepool.open("mem:?nodes=2&replicas=2&memory=16m&protocol=" + protocol);
    }

    private static List<Odd> accepted() {
        List<Odd> all = new ArrayList<>();
        for (String text : List.of("", "x".repeat(8), "é".repeat(4), PAIR.repeat(2), " ", "null", "\r\n", "\ufeff"))
            all.add(PLAIN.withFixed(text)
                    .withVarying(text)
                    .withLonger(text)
                    .withText(text)
                    .withAbsent(text));
        for (String text : List.of("\0", "\0\0\0\0\0\0\0\0", "a\0b"))
            all.add(PLAIN.withVarying(text).withLonger(text).withText(text).withAbsent(text));
        for (int length : new int[] {91, 92, 93, 299, 300})
            all.add(PLAIN.withLonger("x".repeat(length))
                    .withText("\0".repeat(length))
                    .withAbsent("y".repeat(length)));
        all.add(PLAIN.withLonger("é".repeat(150)).withText(PAIR.repeat(1_000)));
        all.add(PLAIN.withPoint(Optional.of(new Point(0, ""))).withOther(new Point(Integer.MIN_VALUE, "")));
        all.add(PLAIN.withPoint(Optional.of(new Point(1, "n".repeat(2_000)))).withOther(new Point(2, PAIR)));
        all.add(PLAIN.withLists(
                List.of(new Words(List.of()), new Words(List.of("", "\0", PAIR)), new Words(List.of()))));
        all.add(PLAIN.withLists(List.of(new Words(List.of("x".repeat(5_000), "y")))));
        all.add(PLAIN.withFew(List.of(Long.MIN_VALUE, 0L, Long.MAX_VALUE)));
        for (String key : List.of("", "x".repeat(64), "é".repeat(32), PAIR.repeat(16))) all.add(PLAIN.withKey(key));
        return all;
    }

    /** Records that are refused, each with the name that its message has. */
    private static List<Refused> refused() {
        List<Refused> all = new ArrayList<>();
        for (String text : List.of("x".repeat(9), "é".repeat(4) + "x", PAIR.repeat(2) + "x", HALF, "x" + HALF + "y")) {
            all.add(new Refused("fixed", PLAIN.withFixed(text)));
            all.add(new Refused("varying", PLAIN.withVarying(text)));
        }
        for (String text : List.of(HALF, "\ude00", "x".repeat(200) + HALF, "x".repeat(301), "é".repeat(150) + "x"))
            all.add(new Refused("longer", PLAIN.withLonger(text)));
        for (String text : List.of(HALF, "x".repeat(5_000) + HALF, "x".repeat((1 << 20) + 1))) {
            all.add(new Refused("text", PLAIN.withText(text)));
            all.add(new Refused("absent", PLAIN.withAbsent(text)));
            all.add(new Refused("point.name", PLAIN.withPoint(Optional.of(new Point(1, text)))));
            all.add(new Refused("other.name", PLAIN.withOther(new Point(1, text))));
        }
        all.add(new Refused("fixed", PLAIN.withFixed("a\0")));
        all.add(new Refused("fixed", PLAIN.withFixed(null)));
        all.add(new Refused("varying", PLAIN.withVarying(null)));
        all.add(new Refused("longer", PLAIN.withLonger(null)));
        all.add(new Refused("text", PLAIN.withText(null)));
        all.add(new Refused("point", PLAIN.withPoint(null)));
        all.add(new Refused("point.name", PLAIN.withPoint(Optional.of(new Point(1, null)))));
        all.add(new Refused("lists", PLAIN.withLists(null)));
        all.add(new Refused("lists", PLAIN.withLists(Arrays.asList(new Words(List.of()), null))));
        all.add(new Refused("words", PLAIN.withLists(List.of(new Words(null)))));
        all.add(new Refused("words", PLAIN.withLists(List.of(new Words(Arrays.asList("a", null))))));
        all.add(new Refused("words", PLAIN.withLists(List.of(new Words(List.of(HALF))))));
        all.add(new Refused("few", PLAIN.withFew(List.of(1L, 2L, 3L, 4L))));
        all.add(new Refused("few", PLAIN.withFew(Arrays.asList(1L, null))));
        for (String key : List.of("x".repeat(65), "é".repeat(32) + "x", HALF, "a\0"))
            all.add(new Refused("key", PLAIN.withKey(key)));
        all.add(new Refused("key", PLAIN.withKey(null)));
        return all;
    }

    private record Refused(String name, Odd odd) {}

    @ParameterizedTest
    @MethodSource("protocols")
    void whatFitsComesBack(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Odd> odds = pool.table("odds", Odd.class, 64);
            for (Odd odd : accepted()) {
                pool.transact(tx -> odds.put(tx, odd));
                assertEquals(odd, pool.read(tx -> odds.get(tx, odd.key)));
                try (TableLoader<Odd> loader = odds.loader().onDuplicate(Duplicates.REPLACE)) {
                    loader.add(odd);
                    loader.finish();
                }
                assertEquals(odd, pool.read(tx -> odds.get(tx, odd.key)));
                assertTrue(odds.stream().anyMatch(odd::equals), "an iteration finds it");
            }
            PartsCensus.check(pool, odds);
        }
    }

    /** The transaction goes on after each refusal, and commits what it did besides. */
    @ParameterizedTest
    @MethodSource("protocols")
    void whatDoesNotFitChangesNothing(String protocol) {
        Odd before = PLAIN.withText("x".repeat(700));
        try (Tidepool pool = open(protocol)) {
            Table<Odd> odds = pool.table("odds", Odd.class, 64);
            pool.transact(tx -> odds.put(tx, before));
            pool.transact(tx -> {
                for (Refused each : refused()) {
                    requireRefusal(each, () -> odds.put(tx, each.odd));
                    requireRefusal(each, () -> odds.insert(tx, each.odd));
                    if (each.name.equals("key")) continue;
                    Cell<Odd> cell = odds.update(tx, "plain");
                    assertEquals(before, cell.get());
                    requireRefusal(each, () -> cell.set(each.odd));
                    assertEquals(before, cell.get(), each.name);
                }
                odds.put(tx, PLAIN.withKey("besides"));
            });
            try (TableLoader<Odd> loader = odds.loader().onDuplicate(Duplicates.REPLACE)) {
                for (Refused each : refused()) requireRefusal(each, () -> loader.add(each.odd));
                loader.add(PLAIN.withKey("loaded"));
                loader.finish();
                assertEquals(1, loader.rowsLoaded());
            }
            assertEquals(before, pool.read(tx -> odds.get(tx, "plain")));
            assertNotNull(pool.read(tx -> odds.get(tx, "besides")));
            assertNotNull(pool.read(tx -> odds.get(tx, "loaded")));
            assertEquals(3, odds.stream().count());
            assertEquals(2, PartsCensus.check(pool, odds));
        }
    }

    private static void requireRefusal(Refused each, Runnable call) {
        RuntimeException e = assertThrows(RuntimeException.class, call::run, () -> each.toString());
        boolean isArgument = e instanceof IllegalArgumentException || e instanceof NullPointerException;
        assertTrue(isArgument && e.getMessage().contains(each.name), () -> each.name + ": " + e);
    }

    @Test
    void keysThatAreTooLongAreRefusedForReadsToo() {
        try (Tidepool pool = open("ford")) {
            Table<Odd> odds = pool.table("odds", Odd.class, 64);
            pool.read(tx -> {
                assertNull(odds.get(tx, "x".repeat(64)));
                for (String key : List.of("x".repeat(65), HALF, "a\0"))
                    assertThrows(IllegalArgumentException.class, () -> odds.get(tx, key));
                return null;
            });
        }
    }

    /** A list in a list would need a name for what is between them. */
    @Test
    void schemasThatCannotBeAreRefusedWithTheirComponent() {
        record Nested(@Key long id, List<List<String>> lists) {}
        record Long65(@Key @Length(65) String key, int number) {}
        record Sum65(@Key @Length(60) String key, @Key long more, int number) {}
        record Maybe(@Key long id, Optional<Optional<String>> twice) {}
        try (Tidepool pool = open("ford")) {
            for (Class<? extends Record> each : List.of(Nested.class, Long65.class, Sum65.class, Maybe.class)) {
                IllegalArgumentException e =
                        assertThrows(IllegalArgumentException.class, () -> pool.table("t", each), each.getSimpleName());
                String component =
                        each.getRecordComponents()[each == Nested.class || each == Maybe.class ? 1 : 0].getName();
                assertTrue(
                        e.getMessage().contains("'" + component)
                                || e.getMessage().contains("64"),
                        e.getMessage());
            }
            assertEquals(List.of(), pool.tables());
        }
    }
}
