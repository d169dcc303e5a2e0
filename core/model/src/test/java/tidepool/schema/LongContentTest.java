package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
import tidepool.schema.EveryType.State;
import tidepool.testkit.Effort;

/** Attributes with content of any length: schemas, slots, packed lists, and rows that are put together again. */
class LongContentTest {
    record Note(
            @Key long id,
            String text,
            @Length(300) @Nullable String title,
            @Length(value = 5000, varying = true) Optional<byte[]> data,
            Author author,
            @Nullable Author editor,
            List<String> tags,
            @Length(100) List<Entry> entries,
            long[] numbers,
            @Encoded(LongCodec.class) @Nullable StringBuilder own,
            int stars) {}

    record Author(String name, @Length(8) String code) {}

    record Entry(
            String text,
            @Length(4) String code,
            int count,
            State state,
            Optional<Instant> when,
            @Nullable Author by,
            Optional<Author> and,
            @Length(value = 9, varying = true) byte[] bytes,
            List<String> words,
            @Length(3) int[] few,
            @Encoded(EveryType.TextCodec.class) @Nullable StringBuilder codec,
            @Encoded(LongCodec.class) StringBuilder longCodec,
            boolean[] flags) {}

    static final class LongCodec implements Codec<StringBuilder> {
        @Override
        public String name() {
            return "long-text";
        }

        @Override
        public int maxBytes() {
            return 10_000;
        }

        @Override
        public int encode(StringBuilder value, MemorySegment memory, long at) {
            for (int i = 0; i < value.length(); i++) memory.set(ValueLayout.JAVA_BYTE, at + i, (byte) value.charAt(i));
            return value.length();
        }

        @Override
        public StringBuilder decode(MemorySegment memory, long at, int bytes) {
            StringBuilder value = new StringBuilder();
            for (int i = 0; i < bytes; i++) value.append((char) memory.get(ValueLayout.JAVA_BYTE, at + i));
            return value;
        }
    }

    private static final RecordCodec<Note> CODEC = RecordCodec.of(Note.class);

    @Test
    void schemaNamesWhatIsLong() {
        String text = CODEC.schema().toString();
        assertEquals(
                "note(text:longstring[1048576], title:longstring[300]?, data:longbytes[5000]?,"
                        + " author.name:longstring[1048576], author.code:string[8], editor:present,"
                        + " editor.name:longstring[1048576], editor.code:string[8],"
                        + " tags:longlist<longstring[1048576]>[1048576],"
                        + " entries:longlist<record<text:longstring[1048576], code:string[4], count:int,"
                        + " state:enum<NEW, PAID, SENT>, when:instant?, by:present, by.name:longstring[1048576],"
                        + " by.code:string[8], and:present, and.name:longstring[1048576], and.code:string[8],"
                        + " bytes:varbytes[9], words:longlist<longstring[1048576]>[1048576], few:list<int>[3],"
                        + " codec:codec<text/2>[6]?, longCodec:longcodec<long-text/1>[10000],"
                        + " flags:longlist<boolean>[1048576]>>[100],"
                        + " numbers:longlist<long>[1048576], own:longcodec<long-text/1>[10000]?, stars:int)",
                text);
        assertEquals(CODEC.schema(), Schema.parse(text));
        assertFalse(CODEC.schema().isBasic());
        assertEquals(9, CODEC.schema().contents().size());
        for (ContentField each : CODEC.schema().contents())
            assertEquals(
                    each.attribute().type().isNullable() ? 97 : 96,
                    each.attribute().bytes());
    }

    /** What earlier programs could declare keeps its bytes where it is short, and is accepted where it is not. */
    @Test
    void earlierTablesStayAsTheyAre() {
        record Short(
                @Key long id,
                @Length(256) String a,
                @Length(4096) byte[] b) {}
        record Long(
                @Key long id,
                @Length(257) String a,
                @Length(value = 300, varying = true) byte[] b,
                @Length(2000) byte[] c,
                @Length(100) List<Integer> d) {}
        assertThrows(IllegalArgumentException.class, () -> Schema.of(Short.class)); // 4352 bytes, as before
        Schema now = Schema.of(Long.class);
        Schema former = Schema.parse("long(a:string[257], b:varbytes[300], c:bytes[2000], d:list<int>[100])");
        assertEquals("long(a:longstring[257], b:longbytes[300], c:bytes[2000], d:list<int>[100])", now.toString());
        assertTrue(now.accepts(former));
        assertFalse(former.accepts(now));
        assertFalse(now.accepts(Schema.parse("long(a:string[258], b:varbytes[300], c:bytes[2000], d:list<int>[100])")));

        RecordCodec<Long> codec = RecordCodec.of(Long.class, former);
        Long record = new Long(1, "x".repeat(257), new byte[300], new byte[2000], List.of(1, 2));
        MemorySegment memory = Arena.ofAuto().allocate(former.length(), 8);
        codec.encode(record, memory, 0);
        assertEquals(record.a, codec.decode(1, memory, 0).a);
        assertEquals(300, codec.decode(1, memory, 0).b.length);
        assertEquals("x".repeat(257), former.stringField("a").get(memory, 0));
        assertThrows(
                IllegalArgumentException.class,
                () -> codec.encode(new Long(1, "x".repeat(258), new byte[0], new byte[2000], List.of()), memory, 0));
    }

    @Test
    void everyLengthComesBack() {
        Randomness random = new Randomness(11);
        int[] lengths = {0, 1, 7, 91, 92, 93, 94, 255, 256, 300};
        for (int length : lengths) {
            for (int round = Effort.of(20, 60, 600); round > 0; round--) {
                Note note = note(random, length);
                assertSame(note, through(note));
            }
        }
        Note large = new Note(
                1,
                "\u0000ü".repeat(300_000),
                null,
                Optional.empty(),
                new Author("", ""),
                null,
                List.of(),
                List.of(),
                new long[100_000],
                null,
                1);
        assertSame(large, through(large));
    }

    private static Note note(Randomness random, int length) {
        return new Note(
                1,
                text(random, length),
                random.nextBoolean() ? null : text(random, length),
                random.nextBoolean()
                        ? Optional.empty()
                        : Optional.of(text(random, length).getBytes()),
                author(random, length),
                random.nextBoolean() ? null : author(random, length),
                texts(random, length),
                entries(random, length),
                new long[random.nextInt(1 + length / 4)],
                random.nextBoolean() ? null : new StringBuilder(text(random, length)),
                random.nextInt(100));
    }

    private static String text(Randomness random, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) text.append((char) ('a' + random.nextInt(26)));
        return text.toString();
    }

    private static Author author(Randomness random, int length) {
        return new Author(text(random, length), text(random, random.nextInt(9)));
    }

    private static List<String> texts(Randomness random, int length) {
        List<String> all = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) all.add(text(random, random.nextInt(1 + length)));
        return all;
    }

    private static List<Entry> entries(Randomness random, int length) {
        List<Entry> all = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--)
            all.add(new Entry(
                    text(random, random.nextInt(1 + length)),
                    text(random, random.nextInt(5)),
                    random.nextInt(1000),
                    random.pick(List.of(State.values())),
                    random.nextBoolean() ? Optional.empty() : Optional.of(Instant.ofEpochSecond(random.nextInt(100))),
                    random.nextBoolean() ? null : author(random, length),
                    random.nextBoolean() ? Optional.empty() : Optional.of(author(random, length)),
                    new byte[random.nextInt(10)],
                    texts(random, length),
                    new int[random.nextInt(4)],
                    random.nextBoolean() ? null : new StringBuilder("abc"),
                    new StringBuilder(text(random, length)),
                    new boolean[] {random.nextBoolean(), random.nextBoolean()}));
        return all;
    }

    /** Encodes a record, gives each long content a place in parts, and puts the row together again. */
    private static Note through(Note note) {
        RowImage image = CODEC.image(note);
        List<ContentField> fields = CODEC.schema().contents();
        for (int i = 0; i < fields.size(); i++) if (image.content(i) != null) image.refer(i, 100 + i, 7 * i);
        MemorySegment memory = Arena.ofAuto().allocate(CODEC.schema().length() + 8, 8);
        image.copyTo(memory, 8);
        AssembledRow row = new AssembledRow(CODEC.schema());
        row.begin(memory, 8);
        for (int i = 0; i < fields.size(); i++) {
            boolean isLong = image.content(i) != null;
            assertEquals(isLong, fields.get(i).isInParts(memory, 8));
            assertEquals(isLong, row.place(i) >= 0);
            if (!isLong) continue;
            assertEquals(100 + i, fields.get(i).writer(memory, 8));
            assertEquals(7 * i, fields.get(i).firstPart(memory, 8));
            assertEquals(image.content(i).length, fields.get(i).length(memory, 8));
            MemorySegment.copy(
                    image.content(i), 0, row.memory(), ValueLayout.JAVA_BYTE, row.place(i), image.content(i).length);
        }
        return CODEC.decode(1, row.memory(), 0);
    }

    private static void assertSame(Note wanted, Note found) {
        assertEquals(wanted.text, found.text);
        assertEquals(wanted.title, found.title);
        assertArrayEquals(wanted.data.orElse(null), found.data.orElse(null));
        assertEquals(wanted.author, found.author);
        assertEquals(wanted.editor, found.editor);
        assertEquals(wanted.tags, found.tags);
        assertArrayEquals(wanted.numbers, found.numbers);
        assertEquals(String.valueOf(wanted.own), String.valueOf(found.own));
        assertEquals(wanted.stars, found.stars);
        assertEquals(wanted.entries.size(), found.entries.size());
        for (int i = 0; i < wanted.entries.size(); i++) assertSame(wanted.entries.get(i), found.entries.get(i));
    }

    private static void assertSame(Entry wanted, Entry found) {
        assertEquals(wanted.text, found.text);
        assertEquals(wanted.code, found.code);
        assertEquals(wanted.count, found.count);
        assertEquals(wanted.state, found.state);
        assertEquals(wanted.when, found.when);
        assertEquals(wanted.by, found.by);
        assertEquals(wanted.and, found.and);
        assertArrayEquals(wanted.bytes, found.bytes);
        assertEquals(wanted.words, found.words);
        assertArrayEquals(wanted.few, found.few);
        assertEquals(String.valueOf(wanted.codec), String.valueOf(found.codec));
        assertEquals(wanted.longCodec.toString(), found.longCodec.toString());
        assertArrayEquals(wanted.flags, found.flags);
    }

    record Plain(
            @Key long id,
            @Length(300) String a,
            @Length(300) @Nullable String b) {}

    /** A field must not replace a content whose parts only a transaction on records deletes. */
    @Test
    void fieldsSeeWhatLiesInTheSlot() {
        RecordCodec<Plain> codec = RecordCodec.of(Plain.class);
        ContentField a = codec.schema().contentField("a");
        ContentField b = codec.schema().contentField("b");
        MemorySegment memory = Arena.ofAuto().allocate(codec.schema().length(), 8);
        codec.encode(new Plain(1, "kürz", null), memory, 0);
        assertEquals("kürz", a.text(memory, 0));
        assertNull(b.text(memory, 0));
        b.set(memory, 0, "x".repeat(92).getBytes());
        a.set(memory, 0, new byte[0]);
        assertEquals(new Plain(1, "", "x".repeat(92)), codec.decode(1, memory, 0));
        b.setNull(memory, 0);
        assertEquals(new Plain(1, "", null), codec.decode(1, memory, 0));
        assertThrows(IllegalArgumentException.class, () -> a.set(memory, 0, new byte[93]));

        assertThrows(IllegalArgumentException.class, () -> codec.encode(new Plain(1, "x".repeat(93), null), memory, 0));
        RowImage image = codec.image(new Plain(1, "x".repeat(93), "y".repeat(300)));
        image.refer(0, 5, 0);
        image.refer(1, 5, 1);
        image.copyTo(memory, 0);
        assertThrows(IllegalStateException.class, () -> a.text(memory, 0));
        assertThrows(IllegalStateException.class, () -> a.set(memory, 0, new byte[1]));
        assertThrows(IllegalStateException.class, () -> b.setNull(memory, 0));
        assertThrows(IllegalStateException.class, () -> codec.decode(1, memory, 0));
        assertThrows(IllegalArgumentException.class, () -> codec.image(new Plain(1, "x".repeat(301), null)));
        assertThrows(IllegalArgumentException.class, () -> codec.image(new Plain(1, "\ud800", null)));
        assertThrows(IllegalArgumentException.class, () -> codec.image(new Plain(1, null, null)));
    }

    /** Bytes from memory are not trusted: a damaged list is refused, whatever its counts say. */
    @Test
    void damagedListsAreRefused() {
        RowImage image = CODEC.image(note(new Randomness(3), 20));
        MemorySegment memory = Arena.ofAuto().allocate(CODEC.schema().length(), 8);
        image.copyTo(memory, 0);
        ContentField entries = CODEC.schema().contentField("entries");
        byte[] bytes = new PackedProbe().bytes();
        for (int cut = 0; cut < bytes.length; cut++) {
            entries.refer(memory, 0, 0, 0);
            byte[] less = Arrays.copyOf(bytes, cut);
            assertThrows(IllegalStateException.class, () -> PackedProbe.read(less), "cut at " + cut);
        }
        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= (byte) 0x80;
            try {
                PackedProbe.read(damaged);
            } catch (IllegalStateException | IllegalArgumentException e) {
                assertTrue(e.getMessage().length() > 10, e.getMessage());
            }
        }
    }

    /** A list that was packed by hand. */
    private static final class PackedProbe {
        private static final ListForm FORM = new ListForm(
                "a",
                AttributeType.longlist(AttributeType.longstring(1000), 50),
                new LongForm("a[]", AttributeType.longstring(1000)),
                null);

        byte[] bytes() {
            PackedBytes to = new PackedBytes();
            FORM.pack(List.of("abc", "", "x".repeat(40)), to);
            return to.toArray();
        }

        static Object read(byte[] bytes) {
            PackedReader from = new PackedReader(MemorySegment.ofArray(bytes), 0, bytes.length, "a");
            Object list = FORM.unpack(from);
            from.requireEnd();
            return list;
        }
    }
}
