package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Changes of schemas, defaults in their text, and record classes of other versions. */
class SchemaChangeTest {
    enum Former {
        NEW,
        PAID
    }

    enum Later {
        CANCELLED,
        NEW,
        PAID
    }

    public record Old(@Key long id, int balance, @Length(4) String owner, Former state, BigDecimal price) {}

    public record New(
            @Key long id,
            int level,
            @Length(20) String owner,
            Later state,
            long balance,
            BigDecimal price,
            Integer rank) {}

    private static final Schema OLD = Schema.of("account", Old.class);

    private static final Schema NEW = new SchemaChange()
            .widen("balance", AttributeType.LONG)
            .widen("owner", AttributeType.string(20))
            .widen("state", AttributeType.parse("enum<CANCELLED, NEW, PAID>"))
            .add("level", AttributeType.INT, "3")
            .add("rank", AttributeType.INT.orNull())
            .apply(OLD);

    private final MemorySegment memory = Arena.ofAuto().allocate(1024, 8);

    /** A row that moves keeps its parts, and makes none. The guide has the way around. */
    @Test
    void roomInTheRowDoesNotBecomeALongContent() {
        Schema stored = Schema.parse("t(a:string[40], b:varbytes[40], c:list<int>[4], d:varstring[40])");
        for (String wider :
                List.of("a:longstring[1000]", "b:longbytes[1000]", "c:longlist<int>[1000]", "d:longstring[1000]")) {
            String name = wider.substring(0, 1);
            SchemaChange change = new SchemaChange().widen(name, AttributeType.parse(wider.substring(2)));
            String said = assertThrows(IllegalArgumentException.class, () -> change.apply(stored))
                    .getMessage();
            assertEquals(
                    "attribute '" + name + "' is "
                            + stored.attribute(name).type() + ", and " + wider.substring(2)
                            + " does not hold all of that",
                    said);
        }
        new SchemaChange().widen("a", AttributeType.string(80)).apply(stored);
    }

    /** The catalog keeps this text, and programs that know no defaults refuse it. */
    @Test
    void defaultsAreInTheText() {
        String text = "a[k:string[4]](b:int='3', c:string[8]='it''s'; d:long='-1', e:varstring[3]='')";
        Schema schema = Schema.parse(text);
        assertEquals(text, schema.toString());
        assertEquals("it's", schema.defaultOf("c"));
        assertEquals(
                List.of("d", "e"),
                schema.dropped().stream().map(Attribute::name).toList());
        for (String wrong : List.of(
                "a(b:int='x')",
                "a(b:int=3)",
                "a(b:int='3)",
                "a(b:int; c:int)",
                "a(b:int; b:int='3')",
                "a(b:string[2]='abc')",
                "a(b:boolean='yes')",
                "a(b:enum<X>='Y')")) assertThrows(IllegalArgumentException.class, () -> Schema.parse(wrong), wrong);
    }

    @Test
    void rowsOfBeforeBecomeRowsOfAfter() {
        RecordCodec.of(Old.class).encode(new Old(1, -7, "Ann", Former.PAID, new BigDecimal("-12.50")), memory, 0);
        RowMapping.between(OLD, NEW).convert(memory, 0, memory, 512);
        assertEquals(
                new New(1, 3, "Ann", Later.PAID, -7, new BigDecimal("-12.50"), null),
                RecordCodec.of(New.class, NEW).decode(1, memory, 512));
        assertThrows(IllegalArgumentException.class, () -> RowMapping.between(NEW, OLD));
    }

    /** An old class reads what fits, and a value that does not is named. */
    @Test
    void oldClassReadsWhatFits() {
        RecordCodec<New> after = RecordCodec.of(New.class, NEW);
        RecordCodec<Old> old = RecordCodec.of(Old.class, NEW);
        assertTrue(old.isMapped());
        after.encode(new New(1, 9, "Bob", Later.NEW, 5, BigDecimal.ONE, 4), memory, 0);
        assertEquals(new Old(1, 5, "Bob", Former.NEW, BigDecimal.ONE), old.decode(1, memory, 0));
        after.encode(new New(1, 9, "Bob", Later.NEW, 3_000_000_000L, BigDecimal.ONE, 4), memory, 0);
        assertMisfit("attribute 'balance' holds 3000000000, which is no int", old);
        after.encode(new New(1, 9, "Barbara", Later.NEW, 5, BigDecimal.ONE, 4), memory, 0);
        assertMisfit("attribute 'owner' holds 7 bytes, which is no string[4]", old);
        after.encode(new New(1, 9, "Bob", Later.CANCELLED, 5, BigDecimal.ONE, 4), memory, 0);
        assertMisfit("attribute 'state' holds CANCELLED, which is no enum<NEW, PAID>", old);
    }

    private void assertMisfit(String message, RecordCodec<Old> old) {
        assertEquals(
                message,
                assertThrows(MisfitException.class, () -> old.decode(1, memory, 0))
                        .getMessage());
    }

    /** What the old class does not know stays as it is. */
    @Test
    void oldClassKeepsWhatItLacks() {
        RecordCodec<New> after = RecordCodec.of(New.class, NEW);
        after.encode(new New(1, 9, "Bob", Later.NEW, 5, BigDecimal.ONE, 4), memory, 0);
        RowImage image = RecordCodec.of(Old.class, NEW).image(new Old(1, 6, "Eve", Former.PAID, BigDecimal.TEN));
        image.copyOver(memory, 0);
        assertEquals(new New(1, 9, "Eve", Later.PAID, 6, BigDecimal.TEN, 4), after.decode(1, memory, 0));
        image.copyTo(memory, 0);
        assertEquals(new New(1, 3, "Eve", Later.PAID, 6, BigDecimal.TEN, null), after.decode(1, memory, 0));
    }

    public record Short(@Key long id, long balance) {}

    @Test
    void droppedAttributeHasItsDefaultForOldClasses() {
        Schema kept =
                new SchemaChange().drop("owner", "none").drop("state", "NEW").apply(OLD);
        RecordCodec<Old> old = RecordCodec.of(Old.class, kept);
        old.encode(new Old(1, 5, "none", Former.NEW, BigDecimal.ONE), memory, 0);
        assertEquals(new Old(1, 5, "none", Former.NEW, BigDecimal.ONE), old.decode(1, memory, 0));
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> old.encode(new Old(1, 5, "Ann", Former.NEW, BigDecimal.ONE), memory, 0));
        assertTrue(refused.getMessage().contains("attribute 'owner' was dropped"), refused.getMessage());
        Schema gone = new SchemaChange().drop("owner").apply(OLD);
        assertThrows(IllegalArgumentException.class, () -> RecordCodec.of(Old.class, gone));
        assertFalse(gone.hasDefaults());
    }

    /** A class that lacks an attribute without a default reads and updates, and makes no rows. */
    @Test
    void classThatLacksAnAttributeMakesNoRows() {
        Schema wide = new SchemaChange().widen("balance", AttributeType.LONG).apply(OLD);
        RecordCodec<Short> part = RecordCodec.of(Short.class, wide);
        RecordCodec<Old> old = RecordCodec.of(Old.class, wide);
        old.encode(new Old(1, 5, "Ann", Former.PAID, BigDecimal.ONE), memory, 0);
        assertEquals(new Short(1, 5), part.decode(1, memory, 0));
        part.image(new Short(1, 6)).copyOver(memory, 0);
        assertEquals(new Old(1, 6, "Ann", Former.PAID, BigDecimal.ONE), old.decode(1, memory, 0));
        assertThrows(IllegalArgumentException.class, () -> part.encode(new Short(2, 1), memory, 0));
        assertThrows(IllegalArgumentException.class, part::requireWhole);
    }

    @Test
    void changeThatLosesValuesIsRefused() {
        for (SchemaChange wrong : List.of(
                new SchemaChange().widen("balance", AttributeType.SHORT),
                new SchemaChange().widen("owner", AttributeType.string(3)),
                new SchemaChange().widen("none", AttributeType.LONG),
                new SchemaChange().drop("none"),
                new SchemaChange().add("balance", AttributeType.INT, "3"),
                new SchemaChange().drop("owner", "far too long")))
            assertThrows(IllegalArgumentException.class, () -> wrong.apply(OLD));
        assertThrows(IllegalArgumentException.class, () -> new SchemaChange().add("level", AttributeType.INT));
    }
}
