package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;

/** Keys of several parts: their text, their bytes, which are part of the format of pools, and their order. */
class KeySchemaTest {
    private static KeySchema key(String text) {
        return Schema.parse("t[" + text + "](v:long)").key();
    }

    @Test
    void theTextOfASchemaHasItsKey() {
        Schema schema = Schema.parse("line[ order:string[12] ,number:int ]( amount:long )");
        assertEquals("line[order:string[12], number:int](amount:long)", schema.toString());
        assertEquals(schema, Schema.parse(schema.toString()));
        assertEquals(schema, Schema.restore(Schema.FORMAT_VERSION, schema.fingerprint(), schema.toString()));
        assertNotEquals(schema.fingerprint(), Schema.parse("line(amount:long)").fingerprint());
        assertEquals(
                "the table is stored with another schema: its key is long, not [order:string[12], number:int];"
                        + " stored=line(amount:long) here=line[order:string[12], number:int](amount:long)",
                refusal(() -> schema.requireSame(Schema.parse("line(amount:long)"))));
    }

    /** One number has the form that pools of earlier programs have, whatever its name. */
    @Test
    void oneNumberNeedsNoText() {
        assertTrue(Schema.parse("t[id:long](v:long)").key().isLong());
        assertEquals("t(v:long)", Schema.parse("t[id:int](v:long)").toString());
        assertEquals(-5, KeySchema.LONG.keyOf(-5).word());
        assertEquals(-5L, KeySchema.LONG.keyOf(-5).get(0));
        assertEquals("-5", KeySchema.LONG.keyOf(-5).toString());
    }

    @Test
    void keysOfEightBytesAreTheirWord() {
        KeySchema pair = key("a:int, b:int");
        assertFalse(pair.isWide());
        assertEquals(0x80000001_7fffffffL, pair.keyOf(1, -1).word());
        assertEquals(pair.keyOf(1, -1), pair.newKey().setWord(0x80000001_7fffffffL));
        assertEquals("(1, -1)", pair.keyOf(1, -1).toString());
        assertEquals(0x61620000L, key("a:string[4]").keyOf("ab").word());
        assertTrue(key("a:bytes[8]").isWide());
    }

    /** These bytes and this hash are part of the format: a change makes rows of stored pools unreachable. */
    @Test
    void theBytesOfAWideKeyNeverChange() {
        KeySchema key = key("a:string[5], b:short, c:bytes[3], d:boolean, e:char, f:byte, g:long");
        RowKey it = key.keyOf("Az", -2, new byte[] {7, 0}, true, 'x', 1, -1L);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(key.areaBytes(), 8);
            it.copyTo(memory, 0);
            assertEquals(
                    "417a0000007ffe07000002010078817fffffffffffffff00",
                    HexFormat.of().formatHex(memory.toArray(ValueLayout.JAVA_BYTE)));
            assertTrue(it.isAt(memory, 0));
            assertEquals(it, key.newKey().setFrom(memory, 0, it.word()));
            memory.set(ValueLayout.JAVA_BYTE, 20, (byte) 1);
            assertFalse(it.isAt(memory, 0));
        }
        assertEquals(HASH, it.word());
        assertEquals("('Az', -2, x'0700', true, 'x', 1, -1)", it.toString());
    }

    private static final long HASH = -223416210397852758L;

    @Test
    void partsComeBackAsTheyWere() {
        KeySchema key = key("a:string[5], b:short, c:bytes[3], d:boolean, e:char, f:byte, g:long, h:int");
        RowKey it = key.keyOf("\u00e4", (short) -300, new byte[0], false, '\uffff', (byte) -128, Long.MIN_VALUE, 5);
        assertEquals("\u00e4", it.getString(0));
        assertEquals((short) -300, it.get(1));
        assertArrayEquals(new byte[0], (byte[]) it.get(2));
        assertEquals(false, it.get(3));
        assertEquals('\uffff', it.get(4));
        assertEquals((byte) -128, it.get(5));
        assertEquals(Long.MIN_VALUE, it.get(6));
        assertEquals(5, it.get(7));
    }

    /** Enums by the order of their names, dates and instants by time, UUIDs by their text. */
    @Test
    void objectsArePartsToo() {
        KeySchema key = key("a:enum<OPEN, CLOSED>, b:instant, c:date, d:uuid");
        Instant at = Instant.parse("1969-12-31T23:59:59.5Z");
        UUID id = UUID.fromString("80000000-0000-0001-8000-000000000002");
        RowKey it = key.keyOf("OPEN", at, LocalDate.MIN, id);
        assertEquals(List.of("OPEN", at, LocalDate.MIN, id), List.of(it.get(0), it.get(1), it.get(2), it.get(3)));
        assertEquals("01" + "7fffffffffffffff1dcd6500", HexFormat.of().formatHex(bytes(it), 0, 13));
        assertEquals("80000000000000018000000000000002", HexFormat.of().formatHex(bytes(it), 21, 37));
        assertTrue(Arrays.compareUnsigned(bytes(key.keyOf("CLOSED", at, LocalDate.MAX, id)), bytes(it)) < 0);
        assertTrue(Arrays.compareUnsigned(bytes(key.keyOf("OPEN", at.plusNanos(1), LocalDate.MIN, id)), bytes(it)) > 0);
        assertTrue(Arrays.compareUnsigned(bytes(key.keyOf("OPEN", at, LocalDate.EPOCH, id)), bytes(it)) > 0);
        assertEquals(
                "part 'a' of a key is enum<CLOSED, OPEN>, without LOST",
                refusal(() -> key.keyOf("LOST", at, LocalDate.MIN, id)));
        assertEquals(
                "part 'b' of a key is instant, not a Integer: " + key,
                refusal(() -> key.keyOf("OPEN", 5, LocalDate.MIN, id)));
    }

    /** The bytes are sorted as the parts are, one part after the other. */
    @Test
    void bytesAreInTheOrderOfTheParts() {
        KeySchema key = key("a:string[6], b:short, c:bytes[3], d:long");
        Randomness random = new Randomness(1);
        for (int i = 0; i < 20_000; i++) {
            Object[] one = draw(random);
            Object[] other = draw(random);
            assertEquals(
                    Integer.signum(compare(one, other)),
                    Integer.signum(Arrays.compareUnsigned(bytes(key.keyOf(one)), bytes(key.keyOf(other)))),
                    () -> Arrays.deepToString(one) + " " + Arrays.deepToString(other));
        }
    }

    private static Object[] draw(Randomness random) {
        byte[] bytes = new byte[random.nextInt(4)];
        for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) (random.nextInt(3) - 1);
        return new Object[] {
            random.pick(List.of("", "a", "ab", "b", "\u00e4")),
            random.nextInt(3) - 1,
            bytes,
            random.pick(List.of(Long.MIN_VALUE, -1L, 0L, 1L, Long.MAX_VALUE))
        };
    }

    private static int compare(Object[] one, Object[] other) {
        int text = ((String) one[0]).compareTo((String) other[0]);
        if (text != 0) return text;
        int number = Integer.compare((int) one[1], (int) other[1]);
        if (number != 0) return number;
        int bytes = Arrays.compareUnsigned((byte[]) one[2], (byte[]) other[2]);
        return bytes != 0 ? bytes : Long.compare((long) one[3], (long) other[3]);
    }

    private static byte[] bytes(RowKey key) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(key.schema().areaBytes(), 8);
            key.copyTo(memory, 0);
            return memory.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertEquals(
                "part 'a' of the key of table 't' is double; a key holds byte, short, int, long, boolean, char, enums,"
                        + " Instant, LocalDate, UUID, and String and byte[] with @Length",
                refusal(() -> key("a:double")));
        assertEquals(
                "a key of table 't' would take 65 bytes; at most 64 are possible",
                refusal(() -> key("a:string[57], b:long")));
        assertEquals("part 'a' of the key of table 't' is declared twice", refusal(() -> key("a:int, a:string[9]")));
        assertEquals(
                "table 't' has 'v' as a part of its key and as an attribute", refusal(() -> key("v:int, a:string[9]")));
        KeySchema key = key("a:string[3], b:byte, c:bytes[9]");
        byte[] none = {};
        assertEquals(
                "part 'a' of a key holds at most 3 bytes of UTF-8, not 4",
                refusal(() -> key.keyOf("\u00e4\u00e4", 1, none)));
        assertEquals("part 'b' of a key is byte; it cannot hold 128", refusal(() -> key.keyOf("", 128, none)));
        assertEquals("part 'c' of a key holds at most 9 bytes, not 10", refusal(() -> key.keyOf("", 1, new byte[10])));
        assertEquals("a key has 3 parts, not 2: [a:string[3], b:byte, c:bytes[9]]", refusal(() -> key.keyOf("", 1)));
        assertEquals(
                "part 'b' of a key is byte, not a String: [a:string[3], b:byte, c:bytes[9]]",
                refusal(() -> key.keyOf("", "1", none)));
        assertEquals(
                "part 'c' of a key is not set: [a:string[3], b:byte, c:bytes[9]]",
                refusal(() -> key.newKey().setString(0, "").setLong(1, 2).word()));
        assertEquals(
                "attribute 'a' cannot hold U+0000, found at 0: zero bytes mark the end of a stored string",
                refusal(() -> key.keyOf("\0", 1, none)));
    }

    private static String refusal(Runnable what) {
        return assertThrows(IllegalArgumentException.class, what::run).getMessage();
    }
}
