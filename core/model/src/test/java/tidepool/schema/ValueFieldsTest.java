package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static tidepool.schema.Refusals.refused;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tidepool.testkit.Effort;

/** Handles to attributes beyond numbers and texts agree with records, refuse wrong types, and allocate nothing. */
class ValueFieldsTest {
    private final Schema schema = Schema.of(EveryType.class);
    private final RecordCodec<EveryType> codec = RecordCodec.of(EveryType.class);
    private final MemorySegment memory = Arena.ofAuto().allocate(schema.length(), 8);

    /** Whatever a record has written a handle reads, and what a handle writes a record reads, with equal bytes. */
    @Test
    void handlesAndRecordsAgree() throws Exception {
        MemorySegment copy = Arena.ofAuto().allocate(schema.length(), 8);
        for (long seed : Effort.seeds(50, 200, 10_000).toArray()) {
            EveryType r = new RandomObjects(seed).record(EveryType.class);
            codec.encode(r, memory, 0);
            copy.copyFrom(memory);
            String where = "seed " + seed;

            var boxed = schema.nullableField("boxed");
            assertEquals(r.boxed(), boxed.isNull(memory, 0) ? null : (Long) boxed.getLong(memory, 0), where);
            var real = schema.nullableField("real");
            assertEquals(r.real(), real.isNull(memory, 0) ? null : (Double) real.getDouble(memory, 0), where);
            var truth = schema.nullableField("truth");
            assertEquals(r.truth(), truth.isNull(memory, 0) ? null : (Boolean) truth.getBoolean(memory, 0), where);
            var letter = schema.nullableField("letter");
            assertEquals(r.letter(), letter.isNull(memory, 0) ? null : (Character) (char) letter.getLong(memory, 0));
            assertEquals(r.nick(), schema.stringField("nick").get(memory, 0), where);
            assertEquals(r.text(), schema.varstringField("text").get(memory, 0), where);
            assertArrayEquals(
                    r.blob().orElse(null), schema.varbytesField("blob").get(memory, 0), where);
            assertEquals(r.state().name(), schema.enumField("state").get(memory, 0), where);
            assertEquals(r.at(), schema.instantField("at").get(memory, 0), where);
            assertEquals(r.took(), schema.durationField("took").get(memory, 0), where);
            assertEquals(r.day(), schema.dateField("day").get(memory, 0), where);
            assertEquals(r.uuid().orElse(null), schema.uuidField("uuid").get(memory, 0), where);
            assertEquals(r.price(), schema.decimalField("price").get(memory, 0), where);
            assertEquals(r.large(), schema.decimalField("large").get(memory, 0), where);
            assertEquals(r.owner() != null, schema.presentField("owner").get(memory, 0), where);
            assertEquals(r.longs().size(), schema.listField("longs").count(memory, 0), where);
            if (!r.longs().isEmpty())
                assertEquals(
                        r.longs().getFirst(),
                        memory.get(Unaligned.I64, schema.listField("longs").at(0, 0)));
            assertEquals(2 * r.own().length(), schema.codecField("own").length(memory, 0), where);

            write(r);
            assertEquals(-1, memory.mismatch(copy), where);
        }
    }

    /** Writes through other values, so that what an earlier content leaves would be seen. */
    private void write(EveryType r) {
        schema.nullableField("boxed").setLong(memory, 0, -1);
        if (r.boxed() == null) schema.nullableField("boxed").setNull(memory, 0);
        else schema.nullableField("boxed").setLong(memory, 0, r.boxed());
        schema.stringField("nick").set(memory, 0, "zzzzzz");
        if (r.nick() == null) schema.stringField("nick").setNull(memory, 0);
        else schema.stringField("nick").set(memory, 0, r.nick());
        schema.varstringField("text").set(memory, 0, "zzzzzz");
        schema.varstringField("text").set(memory, 0, r.text());
        schema.varbytesField("blob").set(memory, 0, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
        if (r.blob().isEmpty()) schema.varbytesField("blob").setNull(memory, 0);
        else schema.varbytesField("blob").set(memory, 0, r.blob().get());
        schema.enumField("state").set(memory, 0, "SENT");
        schema.enumField("state").set(memory, 0, r.state().name());
        schema.instantField("at").set(memory, 0, Instant.MIN);
        schema.instantField("at").set(memory, 0, r.at());
        schema.durationField("took").set(memory, 0, Duration.ofNanos(-1));
        if (r.took() == null) schema.durationField("took").setNull(memory, 0);
        else schema.durationField("took").set(memory, 0, r.took());
        schema.dateField("day").set(memory, 0, LocalDate.MIN);
        schema.dateField("day").set(memory, 0, r.day());
        schema.uuidField("uuid").set(memory, 0, new UUID(-1, -1));
        if (r.uuid().isEmpty()) schema.uuidField("uuid").setNull(memory, 0);
        else schema.uuidField("uuid").set(memory, 0, r.uuid().get());
        schema.decimalField("large").set(memory, 0, new BigDecimal("-" + "9".repeat(38)));
        if (r.large() == null) schema.decimalField("large").setNull(memory, 0);
        else schema.decimalField("large").set(memory, 0, r.large());
    }

    @Test
    void whatDoesNotFitIsRefusedAndChangesNothing() {
        byte[] before = memory.toArray(ValueLayout.JAVA_BYTE);

        refused(() -> schema.longField("boxed"), "'boxed'", "long?", "nullableField");
        refused(() -> schema.nullableField("number"), "'number'", "int", "may be null");
        refused(() -> schema.nullableField("nick"), "'nick'", "string[6]?");
        refused(() -> schema.instantField("took"), "'took'", "duration?", "durationField");
        refused(() -> schema.intField("number").setNull(memory, 0), "'number'", "never null", "int?");
        refused(() -> schema.nullableField("letter").setLong(memory, 0, 0x10000), "'letter'", "char?", "65536");
        refused(() -> schema.nullableField("boxed").setDouble(memory, 0, 1), "'boxed'", "float or double");
        refused(() -> schema.nullableField("boxed").getBoolean(memory, 0), "'boxed'", "not a boolean");
        refused(() -> schema.nullableField("real").setLong(memory, 0, 1), "'real'", "whole number");
        refused(() -> schema.instantField("at").set(memory, 0, Long.MAX_VALUE, 0), "'at'", "is an instant");
        refused(() -> schema.instantField("at").set(memory, 0, 0, 1_000_000_000), "'at'", "999999999");
        refused(() -> schema.instantField("at").set(memory, 0, null), "'at'", "is null");
        refused(() -> schema.durationField("took").set(memory, 0, 0, -1), "'took'", "not -1");
        refused(() -> schema.dateField("day").set(memory, 0, Long.MIN_VALUE), "'day'", "is a date");
        refused(() -> schema.decimalField("price").set(memory, 0, 123456, 0), "'price'", "at most 5 digits");
        refused(() -> schema.decimalField("price").set(memory, 0, new BigDecimal("1e5").setScale(0)), "'price'");
        refused(() -> schema.enumField("state").set(memory, 0, "GONE"), "'state'", "enum<NEW, PAID, SENT>", "'GONE'");
        assertThrows(
                IndexOutOfBoundsException.class, () -> schema.enumField("state").set(memory, 0, 3));
        refused(() -> schema.varstringField("text").set(memory, 0, "1234567"), "'text'", "at most 6", "not 7");
        refused(() -> schema.varstringField("text").set(memory, 0, new byte[] {-1}, 0, 1), "'text'", "UTF-8");
        refused(() -> schema.varbytesField("blob").set(memory, 0, new byte[10]), "'blob'", "at most 9", "not 10");
        refused(() -> schema.listField("longs").setCount(memory, 0, 4), "'longs'", "at most 3", "not 4");
        assertThrows(
                IndexOutOfBoundsException.class, () -> schema.listField("longs").at(0, 3));
        assertArrayEquals(before, memory.toArray(ValueLayout.JAVA_BYTE));
    }

    /** A long is enough for most decimals; one beyond it is not cut. */
    @Test
    void decimalsBeyondALongAreNotCut() {
        var large = schema.decimalField("large");
        large.set(memory, 0, Long.MIN_VALUE, 3);

        assertEquals(Long.MIN_VALUE, large.unscaled(memory, 0));
        assertEquals(3, large.scale(memory, 0));
        assertEquals(BigDecimal.valueOf(Long.MIN_VALUE, 3), large.get(memory, 0));
        large.set(memory, 0, BigDecimal.valueOf(Long.MIN_VALUE).subtract(BigDecimal.ONE));
        assertThrows(ArithmeticException.class, () -> large.unscaled(memory, 0));
    }

    @Test
    void nullsReadAsNothing() {
        assertNull(schema.uuidField("uuid").get(memory, 0));
        assertNull(schema.stringField("nick").get(memory, 0));
        assertNull(schema.varbytesField("blob").get(memory, 0));
        assertEquals(0, schema.nullableField("boxed").getLong(memory, 0));
        assertTrue(schema.enumField("before").isNull(memory, 0));
    }

    /** The API on fields allocates nothing, with these types too. */
    @Test
    void writesAndReadsAllocateNothing() {
        var boxed = schema.nullableField("boxed");
        var at = schema.instantField("at");
        var uuid = schema.uuidField("uuid");
        var price = schema.decimalField("price");
        var state = schema.enumField("state");
        var text = schema.varstringField("text");
        byte[] bytes = "a\0b".getBytes(StandardCharsets.UTF_8);
        byte[] target = new byte[8];
        int paid = state.codeOf("PAID");

        AllocatedBytes.none(() -> {
            boxed.setLong(memory, 0, boxed.getLong(memory, 0) + 1);
            boxed.setNull(memory, 0);
            at.set(memory, 0, at.seconds(memory, 0) + 1, at.nanos(memory, 0));
            uuid.set(memory, 0, uuid.lower(memory, 0), uuid.upper(memory, 0));
            price.set(memory, 0, price.unscaled(memory, 0) % 1000 + 1, price.scale(memory, 0));
            state.set(memory, 0, paid);
            text.set(memory, 0, bytes, 0, bytes.length);
            text.get(memory, 0, target, 0);
        });
    }
}
