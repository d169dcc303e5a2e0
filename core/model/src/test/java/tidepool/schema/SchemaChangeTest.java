package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
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

    private final MemorySegment memory = Arena.ofAuto().allocate(8192, 8);

    /** A list with room in the row has another form than a long one. */
    @Test
    void listsWithRoomInTheRowDoNotBecomeLong() {
        Schema stored = Schema.parse("t(a:list<int>[4], b:varbytes[40], c:string[40], d:bytes[40])");
        for (String wider :
                List.of("a:longlist<int>[1000]", "b:longstring[1000]", "c:longbytes[1000]", "d:bytes[50]")) {
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
        new SchemaChange().widen("c", AttributeType.string(80)).apply(stored);
    }

    public record Brief(
            @Key long id,
            @Length(200) String a,
            @Length(200) byte[] b,
            @Length(value = 200, varying = true) byte[] c,
            @Length(40) Optional<String> d) {}

    private static final Schema BRIEF = Schema.of("t", Brief.class);

    /** All attributes may lie in parts. */
    private static final Schema LONGER = new SchemaChange()
            .widen("a", AttributeType.longstring(1000))
            .widen("b", AttributeType.parse("longbytes[1000]"))
            .widen("c", AttributeType.parse("longbytes[1000]"))
            .widen("d", AttributeType.parse("longstring[1000]?"))
            .apply(BRIEF);

    private static Brief brief(int bytes, String d) {
        byte[] fixed = new byte[200];
        fixed[199] = 7;
        return new Brief(1, "x".repeat(bytes), fixed, new byte[bytes], Optional.ofNullable(d));
    }

    /** Contents of more than 92 bytes lie after the row, in the same memory, until they become parts. */
    @Test
    void contentsWithRoomInTheRowBecomeLong() {
        RowMapping mapping = RowMapping.between(BRIEF, LONGER);
        assertTrue(mapping.makesLong());
        assertFalse(RowMapping.between(OLD, NEW).makesLong());
        RecordCodec<Brief> before = RecordCodec.of(Brief.class, BRIEF);
        for (int bytes : new int[] {0, 1, 92, 93, 200})
            for (String d : new String[] {null, "", "some"}) {
                Brief brief = brief(bytes, d);
                before.encode(brief, memory, 0);
                long at = 1024;
                long elsewhere = bytes > 92 ? 2 * (bytes + 7 & -8) : 0;
                assertEquals(LONGER.length() + 200 + elsewhere, mapping.bytes(memory, 0));
                memory.asSlice(at).fill((byte) -1);
                mapping.convert(memory, 0, memory, at);
                assertEquals(
                        -1, memory.get(ValueLayout.JAVA_BYTE, at + mapping.bytes(memory, 0)), "not beyond its room");
                assertEquals(bytes > 92, LONGER.contentField("a").isInMemory(memory, at));
                assertFalse(LONGER.contentField("a").isInParts(memory, at));
                assertEquals("x".repeat(bytes), LONGER.contentField("a").text(memory, at));
                assertArrayEquals(brief.b, LONGER.contentField("b").bytes(memory, at));
                assertEquals(d, LONGER.contentField("d").text(memory, at));

                AssembledRow assembled = new AssembledRow(LONGER);
                assembled.begin(memory, at);
                memory.fill((byte) -1);
                for (int i = 0; i < 4; i++) assertEquals(-1, assembled.place(i), "there are no parts to wait for");
                Brief found = RecordCodec.of(Brief.class, LONGER).decode(1, assembled.memory(), 0);
                assertEquals(brief.a, found.a);
                assertArrayEquals(brief.b, found.b);
                assertArrayEquals(brief.c, found.c);
                assertEquals(brief.d, found.d);
                FieldRow row = FieldRow.of(LONGER, assembled);
                assertArrayEquals(brief.c, row.content(LONGER.contentField("c")));
                assertEquals(bytes > 92 ? bytes : -1, length(row.image(), 2));
            }
    }

    private static int length(RowImage image, int i) {
        return image.content(i) == null ? -1 : image.content(i).length;
    }

    /** A class of before writes its contents as parts, and reads what fits. */
    @Test
    void classOfBeforeHasLongContents() {
        RecordCodec<Brief> codec = RecordCodec.of(Brief.class, LONGER);
        for (int bytes : new int[] {92, 93, 200}) {
            RowImage image = codec.image(brief(bytes, "some"));
            assertEquals(bytes > 92 ? bytes : -1, length(image, 0));
            assertEquals(200, length(image, 1));
            assertEquals(bytes > 92 ? bytes : -1, length(image, 2));
            assertEquals(-1, length(image, 3));
            assertEquals(0, image.writer(1));
            image.copyTo(memory, 0);
            assertTrue(LONGER.contentField("b").isInParts(memory, 0));
            assertEquals("some", LONGER.contentField("d").text(memory, 0));
        }
        for (String[] each : new String[][] {
            {"a", "201 bytes, which is no string[200]", "x".repeat(201)},
            {"a", "U+0000, which is no string[200]", "x\0y"},
            {"b", "3 bytes, which is no bytes[200]", "xyz"},
            {"c", "300 bytes, which is no varbytes[200]", "x".repeat(300)},
            {"d", "41 bytes, which is no string[40]?", "x".repeat(41)}
        }) {
            FieldRow row = new FieldRow(LONGER);
            row.content(LONGER.contentField("b"), new byte[200]);
            row.content(LONGER.contentField(each[0]), each[2].getBytes(StandardCharsets.UTF_8));
            MemorySegment.copy(row.memory(), 0, memory, 0, LONGER.length());
            long place = LONGER.length();
            for (ContentField field : LONGER.contents()) {
                if (field.length(row.memory(), 0) <= ContentField.MAX_IN_SLOT) continue;
                byte[] content = row.content(field);
                MemorySegment.copy(content, 0, memory, ValueLayout.JAVA_BYTE, place, content.length);
                field.placeInMemory(memory, 0, place);
                place += 1000;
            }
            assertEquals(
                    "attribute '" + each[0] + "' holds " + each[1],
                    assertThrows(MisfitException.class, () -> codec.decode(1, memory, 0))
                            .getMessage());
        }
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
