package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static tidepool.schema.Refusals.refused;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
import tidepool.testkit.Effort;

/** The order of entries of an index is that of the objects of Java, for every type that a column can have. */
class IndexKeysTest {
    private static final List<String> TYPES = List.of(
            "byte",
            "short",
            "int",
            "long",
            "float",
            "double",
            "boolean",
            "char",
            "bytes[3]",
            "string[9]",
            "instant",
            "duration",
            "date",
            "uuid",
            "varstring[9]",
            "varbytes[4]",
            "enum<NEW, PAID, SENT>");

    private static final List<String> KEYS =
            List.of("", "[k:int, l:short]", "[k:string[12], l:long]", "[k:bytes[7], l:uuid, m:instant]", "[k:boolean]");

    private final Randomness random = new Randomness(Effort.firstSeed());
    private final MemorySegment memory = Arena.ofAuto().allocate(2048, 8);

    @Test
    void entriesHaveTheOrderOfTheirColumns() {
        for (String type : TYPES)
            for (String nullable : List.of("", "?"))
                for (String key : KEYS) requireOrder(AttributeType.parse(type + nullable), key);
    }

    private void requireOrder(AttributeType type, String keyText) {
        Schema schema = Schema.parse("t" + keyText + "(pad:byte, a:" + type + ", b:int) index i#1(b, a)");
        IndexKeys keys = IndexKeys.of(schema, schema.index("i"));
        Comparator<Object> values = Comparator.nullsFirst(comparator(type));
        for (int i = Effort.of(40, 100, 3000); i > 0; i--) {
            Object[] one = {random.nextInt(2), draw(type)};
            Object[] other = {random.nextInt(2), random.chance(1, 8) ? one[1] : draw(type)};
            RowKey oneKey = key(schema.key());
            RowKey otherKey = random.chance(1, 8) ? oneKey.copy() : key(schema.key());
            byte[] first = entry(schema, keys, one, oneKey);
            byte[] second = entry(schema, keys, other, otherKey);
            int expected = Integer.compare((int) one[0], (int) other[0]);
            if (expected == 0) expected = values.compare(one[1], other[1]);
            int prefix = IndexKeys.compare(first, 0, second, 0, keys.prefixWidth());
            assertEquals(
                    Integer.signum(expected),
                    Integer.signum(prefix),
                    () -> type + ": " + Arrays.deepToString(one) + " " + Arrays.deepToString(other));
            if (expected == 0) expected = compare(oneKey, otherKey);
            assertEquals(
                    Integer.signum(expected),
                    Integer.signum(IndexKeys.compare(first, 0, second, 0, keys.width())),
                    () -> oneKey + " " + otherKey);
            assertEquals(type.isNullable() && one[1] == null, keys.hasNull(first, 0));
            requireBounds(keys, one, oneKey, first);
        }
    }

    /** Rows and bounds have the same bytes; the end of a range is above its entries, and no entry lies between. */
    private void requireBounds(IndexKeys keys, Object[] columns, RowKey key, byte[] entry) {
        Object[] all = Arrays.copyOf(columns, columns.length + key.schema().parts());
        for (int part = 0; part < key.schema().parts(); part++) all[columns.length + part] = key.get(part);
        byte[] whole = new byte[keys.width() + 8];
        keys.bound(whole, 8, all);
        assertArrayEquals(entry, Arrays.copyOfRange(whole, 8, whole.length), () -> keys + " " + Arrays.toString(all));
        byte[] end = new byte[keys.width()];
        int given = keys.bound(end, 0, Arrays.copyOf(all, random.nextInt(all.length + 1)));
        assertTrue(IndexKeys.compare(end, 0, entry, 0, keys.width()) <= 0);
        byte[] from = end.clone();
        if (!IndexKeys.next(end, 0, given, keys.width())) {
            for (int i = 0; i < given; i++) assertEquals(-1, end[i]);
            assertArrayEquals(from, end);
            return;
        }
        assertTrue(IndexKeys.compare(end, 0, entry, 0, keys.width()) > 0);
        Arrays.fill(from, given, from.length, (byte) 0xff); // the largest one with that prefix: the next is the end
        assertTrue(IndexKeys.next(from, 0, from.length, from.length));
        assertArrayEquals(end, from);
    }

    /** An entry has the key of its row, which a scan reads by it. */
    @Test
    void entriesHaveTheKey() {
        for (String text : KEYS) {
            KeySchema shape = Schema.parse("t" + text + "(a:int)").key();
            String columns = shape.name(shape.parts() - 1) + ", a";
            Schema schema = Schema.parse("t" + text + "(a:int) index i#1(" + columns + ") index primary#2()");
            for (IndexSchema index : schema.indexes()) {
                IndexKeys keys = IndexKeys.of(schema, index);
                assertEquals(index.number() == 1, keys.needsValue());
                for (int i = 0; i < 300; i++) {
                    RowKey key = key(shape);
                    Unaligned.putInt(memory, 64, (int) random.nextLong());
                    byte[] entry = new byte[keys.width() + 3];
                    keys.encode(memory, 64, key, entry, 3);
                    byte[] raw = new byte[entry.length];
                    if (shape.isWide()) key.copyTo(memory, 512);
                    keys.encode(memory, 64, shape.isWide() ? 0 : key.word(), memory, 512, raw, 3);
                    assertArrayEquals(entry, raw);
                    RowKey back = keys.key(entry, 3, shape.newKey());
                    assertEquals(key, back);
                    assertEquals(key.word(), back.word());
                    if (!shape.isWide()) assertEquals(key.word(), keys.keyWord(entry, 3));
                }
            }
        }
    }

    /** Entries are compared with nodes in memory, and encoded in the hot path. */
    @Test
    void encodingAllocatesNothing() {
        Schema schema = Schema.parse(
                "t[k:string[12], l:long](a:int?, b:varstring[9], c:double, d:uuid) index i#1(a, b, l, c, d)");
        IndexKeys keys = IndexKeys.of(schema, schema.index("i"));
        byte[] entry = new byte[keys.width()];
        byte[] smaller = new byte[keys.width()];
        MemorySegment node = MemorySegment.ofArray(new byte[keys.width()]);
        AllocatedBytes.none(() -> {
            keys.encode(memory, 0, 0, memory, 512, entry, 0);
            if (IndexKeys.compare(entry, 0, smaller, 0, keys.width()) < 0) throw new AssertionError();
            if (IndexKeys.compare(node, 0, entry, 0, keys.width()) > 0) throw new AssertionError();
        });
    }

    @Test
    void entriesInMemoryAreComparedAsThoseInArrays() {
        for (int i = 0; i < 2000; i++) {
            byte[] one = new byte[19];
            byte[] other = new byte[19];
            for (int at = 0; at < one.length; at++) {
                one[at] = (byte) random.nextInt(256);
                other[at] = random.chance(1, 20) ? (byte) random.nextInt(256) : one[at];
            }
            MemorySegment.copy(one, 0, memory, ValueLayout.JAVA_BYTE, 5, one.length);
            int bytes = random.nextInt(20);
            assertEquals(
                    Integer.signum(IndexKeys.compare(one, 0, other, 0, bytes)),
                    Integer.signum(IndexKeys.compare(memory, 5, other, 0, bytes)));
        }
    }

    @Test
    void widthsAreThoseOfTheColumnsAndTheKey() {
        Schema schema = Schema.parse("t[k:int, l:short](a:int?, b:varstring[9]) index i#1(a, l) index j#2(b)");
        IndexKeys keys = IndexKeys.of(schema, schema.index("i"));
        assertEquals(5 + 2, keys.prefixWidth());
        assertEquals(16, keys.width()); // and 4 for k
        assertEquals(11, IndexKeys.of(schema, schema.index("j")).prefixWidth());
        byte[] entry = new byte[keys.width()];
        assertEquals(0, keys.bound(entry, 0));
        assertEquals(5, keys.bound(entry, 0, 7));
        assertEquals(11, keys.bound(entry, 0, 7, 1, 2));
        assertFalse(IndexKeys.next(entry, 0, 0, keys.width()));
    }

    @Test
    void boundsThatDoNotFitAreRefused() {
        Schema schema = Schema.parse("t(a:short, b:string[2], c:enum<X, Y>?) index i#1(a, b, c)");
        IndexKeys keys = IndexKeys.of(schema, schema.index("i"));
        byte[] entry = new byte[keys.width()];
        assertEquals(2 + 2 + 2, keys.bound(entry, 0, 1L, "x", Letter.Y));
        refused(() -> keys.bound(entry, 0, 40_000), "column 'a' is short; it cannot hold 40000");
        refused(() -> keys.bound(entry, 0, "x"), "column 'a' is short, not a String");
        refused(() -> keys.bound(entry, 0, (Object) null), "column 'a' is short, which is never null");
        refused(() -> keys.bound(entry, 0, 1, "abc"), "'b' holds at most 2 bytes");
        refused(() -> keys.bound(entry, 0, 1, "a", "Z"), "column 'c' is enum<X, Y>?, without Z");
        refused(() -> keys.bound(entry, 0, 1, "a", "X", 5, 6), "4 columns with the key, not 5", "[a, b, c, key]");
    }

    enum Letter {
        Y
    }

    /** A column without an order, or too long, is refused where it is declared. */
    @Test
    void columnsWithoutAnOrderAreRefused() {
        refused(() -> indexed("a:decimal[9]"), "decimal[9] has no order of bytes", "smallest unit");
        refused(() -> indexed("a:list<int>[3]"), "list<int>[3] has no order", "row for each element");
        refused(() -> indexed("a:codec<x/1>[3]"), "codec<x/1>[3] has no order", "next to it");
        refused(() -> indexed("a:longstring[999]"), "longstring[999] has no order", "@Length");
        refused(() -> indexed("a:longlist<int>[99]"), "has no order");
        refused(() -> indexed("a:present"), "never null");
        refused(() -> Schema.parse("t(p:present, p.x:int) index i#1(p.x)"), "'p.x'", "absent if 'p' is null");
        Schema.parse("t(p.x:int) index i#1(p.x)");
        indexed("a:bytes[120]");
        refused(() -> indexed("a:bytes[121]"), "136 bytes", "at most 128");
    }

    private static void indexed(String attribute) {
        Schema.parse("t(" + attribute + ") index i#1(a)");
    }

    // ---- values

    private byte[] entry(Schema schema, IndexKeys keys, Object[] values, RowKey key) {
        memory.asSlice(0, 256).fill((byte) 0);
        AttributeType type = schema.attribute("a").type();
        long at = 8 + schema.attribute("a").offset();
        if (values[1] != null) {
            if (type.isNullable()) Unaligned.putByte(memory, at, 1);
            write(type, values[1], at + type.head());
        }
        Unaligned.putInt(memory, 8 + schema.attribute("b").offset(), (int) values[0]);
        byte[] entry = new byte[keys.width()];
        Arrays.fill(entry, (byte) 0x55);
        keys.encode(memory, 8, key, entry, 0);
        return entry;
    }

    private void write(AttributeType type, Object value, long at) {
        if (type.kind() == AttributeType.Kind.ENUM)
            EnumForm.putCode(type, memory, at, type.constants().indexOf(value));
        else new LeafForm("a", type.required()).write(value, memory, at);
    }

    private Object draw(AttributeType type) {
        if (type.isNullable() && random.chance(1, 5)) return null;
        long number = random.chance(1, 2)
                ? random.pick(List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40))
                : random.nextLong() >> random.nextInt(64);
        return switch (type.kind()) {
            case BYTE -> (byte) number;
            case SHORT -> (short) number;
            case INT -> (int) number;
            case LONG -> number;
            case FLOAT ->
                random.chance(1, 3)
                        ? random.pick(List.of(-0f, 0f, Float.NaN, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, -1.5f))
                        : Float.intBitsToFloat((int) number);
            case DOUBLE ->
                random.chance(1, 3)
                        ? random.pick(List.of(-0d, 0d, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, -1.5))
                        : Double.longBitsToDouble(number);
            case BOOLEAN -> random.nextBoolean();
            case CHAR -> (char) number;
            case BYTES -> bytes(type.length());
            case STRING -> text("");
            case INSTANT -> Instant.ofEpochSecond(random.nextInt(3) - 1, random.nextInt(2) * 999_999_999);
            case DURATION -> Duration.ofSeconds(number, random.nextInt(3));
            case DATE -> LocalDate.ofEpochDay(random.nextInt(7) - 3);
            case UUID -> new UUID(number, random.nextInt(3) - 1);
            case VARSTRING -> text("\0");
            case VARBYTES -> bytes(random.nextInt(type.length() + 1));
            case ENUM -> random.pick(type.constants());
            default -> throw new AssertionError(type);
        };
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) bytes[i] = random.pick(List.of((byte) 0, (byte) 1, (byte) -1, (byte) 0x80));
        return bytes;
    }

    /** Texts with a common beginning; U+FF5E and U+1F600 have another order as characters of Java. */
    private String text(String more) {
        StringBuilder text = new StringBuilder();
        List<String> letters = List.of("a", "b", "ä", "\uff5e", "\ud83d\ude00", more);
        while (random.chance(3, 4)) {
            String next = random.pick(letters);
            if ((text + next).getBytes(StandardCharsets.UTF_8).length > 9) break;
            text.append(next);
        }
        return text.toString();
    }

    private RowKey key(KeySchema shape) {
        RowKey key = shape.newKey();
        for (int part = 0; part < shape.parts(); part++) key.set(part, draw(shape.type(part)));
        return key;
    }

    private static int compare(RowKey one, RowKey other) {
        for (int part = 0; part < one.schema().parts(); part++) {
            int found = comparator(one.schema().type(part)).compare(one.get(part), other.get(part));
            if (found != 0) return found;
        }
        return 0;
    }

    @SuppressWarnings("unchecked")
    private static Comparator<Object> comparator(AttributeType type) {
        return switch (type.kind()) {
            case STRING, VARSTRING ->
                (one, other) -> Arrays.compare(
                        ((String) one).codePoints().toArray(),
                        ((String) other).codePoints().toArray());
            case BYTES, VARBYTES -> (one, other) -> Arrays.compareUnsigned((byte[]) one, (byte[]) other);
            case UUID -> Comparator.comparing(Object::toString);
            default -> (one, other) -> ((Comparable<Object>) one).compareTo(other);
        };
    }
}
