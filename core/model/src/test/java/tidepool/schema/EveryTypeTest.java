package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static tidepool.schema.Refusals.refused;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tidepool.schema.EveryType.State;
import tidepool.testkit.Effort;

/** Records of all types: random ones come back, and one that is refused leaves the bytes as they were. */
class EveryTypeTest {
    private static final long AT = 8;

    private final RecordCodec<EveryType> codec = RecordCodec.of(EveryType.class);
    private final int length = codec.schema().length();
    private final MemorySegment memory = Arena.ofAuto().allocate(length + 16, 8).fill((byte) 0x5a);

    /** Stored pools hold this text. Another text for the same record would lock programs out of their tables. */
    @Test
    void schemaIsTheStoredOne() {
        assertEquals(
                "everyType(number:int, boxed:long?, letter:char?, truth:boolean?, real:double?, name:string[6],"
                        + " nick:string[6]?, text:varstring[6], code:bytes[3], blob:varbytes[9]?,"
                        + " state:enum<NEW, PAID, SENT>, before:enum<NEW, PAID, SENT>?, at:instant, took:duration?,"
                        + " day:date, uuid:uuid?, price:decimal[5], large:decimal[38]?, point.x:int, point.y:short,"
                        + " owner:present, owner.name:string[4], owner.home:present, owner.home.x:int,"
                        + " owner.home.y:short, owner.grade:byte?, other:present, other.x:int, other.y:short,"
                        + " longs:list<long>[3], tags:list<string[4]>[3]?,"
                        + " items:list<record<sku:string[4], count:int, from:present, from.x:int, from.y:short,"
                        + " when:list<instant>[2]>?>[2], weights:list<double>[4], flags:list<boolean>[3],"
                        + " states:list<enum<NEW, PAID, SENT>>[2], own:codec<text/2>[6], mayBe:codec<text/2>[6]?)",
                codec.schema().toString());
        assertEquals(codec.schema(), Schema.parse(codec.schema().toString()));
        assertEquals(
                codec.schema().attributes(),
                Schema.parse(codec.schema().toString()).attributes());
        assertEquals(1, codec.schema().formatVersion());
    }

    @Test
    void randomRecordsComeBackAsTheyWere() throws Exception {
        MemorySegment second = Arena.ofAuto().allocate(length, 8);
        for (long seed : Effort.seeds(200, 1_000, 100_000).toArray()) {
            RandomObjects random = new RandomObjects(seed);
            EveryType record = random.record(EveryType.class);
            codec.encode(record, memory, AT);
            EveryType again = codec.decode(record.id(), memory, AT);
            codec.encode(again, second, 0);

            assertEquals(RandomObjects.shown(record), RandomObjects.shown(again), "seed " + seed);
            assertEquals(-1, second.mismatch(memory.asSlice(AT, length)), "seed " + seed);
            assertEquals(0x5a, memory.get(ValueLayout.JAVA_BYTE, AT - 1));
            assertEquals(0x5a, memory.get(ValueLayout.JAVA_BYTE, AT + length));
        }
    }

    /** Replicas are compared byte by byte, and Motor keeps the attributes that differ: equal values are equal bytes. */
    @Test
    void bytesDependOnTheRecordAloneAndNotOnTheOneBefore() throws Exception {
        EveryType record = new RandomObjects(7).record(EveryType.class);
        MemorySegment fresh = Arena.ofAuto().allocate(length, 8);
        RecordCodec.of(EveryType.class).encode(record, fresh, 0);
        for (long seed = 0; seed < 50; seed++)
            codec.encode(new RandomObjects(seed).record(EveryType.class), memory, AT);
        codec.encode(record, memory, AT);

        assertEquals(-1, fresh.mismatch(memory.asSlice(AT, length)));
    }

    /** A record with one bad component, each in turn: the transaction may go on with the bytes as they were. */
    @Test
    void refusedRecordChangesNoByte() throws Exception {
        byte[] before = memory.toArray(ValueLayout.JAVA_BYTE);

        refusedWith("name", null, "'name'", "is null", "@Nullable");
        refusedWith("name", "1234567", "'name'", "at most 6 bytes of UTF-8", "not 7");
        refusedWith("name", "\0", "'name'", "U+0000");
        refusedWith("nick", "1234567", "'nick'", "not 7");
        refusedWith("text", "1234567", "'text'", "not 7");
        refusedWith("text", "\ud800", "'text'", "surrogate");
        refusedWith("code", new byte[2], "'code'", "exactly 3", "not 2");
        refusedWith("blob", Optional.of(new byte[10]), "'blob'", "at most 9 bytes", "not 10");
        refusedWith("blob", null, "'blob'", "null instead of an Optional", "Optional.empty()");
        refusedWith("state", null, "'state'", "is null");
        refusedWith("before", null, "'before'", "null instead of an Optional");
        refusedWith("at", null, "'at'", "is null");
        refusedWith("price", new BigDecimal("12.3456"), "'price'", "at most 5 digits", "6 of '12.3456'");
        refusedWith("large", new BigDecimal("1".repeat(39)), "'large'", "at most 38 digits");
        refusedWith("point", null, "'point'", "is null");
        refusedWith("owner", new EveryType.Owner(null, null, null), "'owner.name'", "is null");
        refusedWith("other", null, "'other'", "null instead of an Optional");
        refusedWith("longs", List.of(1L, 2L, 3L, 4L), "'longs'", "at most 3 elements", "not 4");
        refusedWith("longs", Arrays.asList(1L, null), "'longs[]'", "is null");
        refusedWith("tags", Optional.of(List.of("12345")), "'tags[]'", "at most 4 bytes", "not 5");
        refusedWith(
                "items",
                List.of(Optional.of(new EveryType.Item("12345", 1, Optional.empty(), List.of()))),
                "'sku'",
                "at most 4 bytes",
                "not 5");
        refusedWith("weights", new double[5], "'weights'", "at most 4 elements", "not 5");
        refusedWith("flags", new boolean[4], "'flags'", "not 4");
        refusedWith("states", new State[] {null}, "'states[]'", "is null");
        refusedWith("own", null, "'own'", "is null");
        String said = assertThrows(
                        IndexOutOfBoundsException.class,
                        () -> codec.encode(with("own", new StringBuilder("abcd")), memory, AT))
                .getMessage();
        assertTrue(said.contains("6"), said); // the codec's own bytes, not those of the next attribute
        assertArrayEquals(before, memory.toArray(ValueLayout.JAVA_BYTE));
    }

    private void refusedWith(String component, Object value, String... mentioned) {
        refused(() -> codec.encode(with(component, value), memory, AT), mentioned);
    }

    /** Returns a good record but for one component. */
    private static EveryType with(String component, Object value) throws Exception {
        EveryType good = new RandomObjects(1).record(EveryType.class);
        List<Object> values = new ArrayList<>();
        RecordComponent[] components = EveryType.class.getRecordComponents();
        for (RecordComponent each : components)
            values.add(
                    each.getName().equals(component)
                            ? value
                            : each.getAccessor().invoke(good));
        Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        return EveryType.class.getDeclaredConstructor(types).newInstance(values.toArray());
    }

    /** Damaged bytes give a sentence of ours, or a record: never an endless list or another exception. */
    @Test
    void damagedBytesGiveARecordOrASentence() throws Exception {
        int refused = 0;
        for (long seed : Effort.seeds(200, 1_000, 100_000).toArray()) {
            codec.encode(new RandomObjects(seed).record(EveryType.class), memory, AT);
            var random = new tidepool.base.Randomness(seed);
            for (int changes = 1 + random.nextInt(8); changes > 0; changes--)
                memory.set(ValueLayout.JAVA_BYTE, AT + random.nextInt(length), (byte) random.nextLong());
            try {
                codec.decode(1, memory, AT);
            } catch (IllegalStateException e) {
                refused++;
                assertTrue(e.getMessage().endsWith("the value is damaged"), e.getMessage());
            }
        }
        assertTrue(refused > 5, "refused: " + refused);
    }
}
