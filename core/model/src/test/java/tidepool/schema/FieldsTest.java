package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static tidepool.schema.Refusals.refused;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidepool.schema.Fields.BooleanField;
import tidepool.schema.Fields.ByteField;
import tidepool.schema.Fields.BytesField;
import tidepool.schema.Fields.CharField;
import tidepool.schema.Fields.DoubleField;
import tidepool.schema.Fields.FloatField;
import tidepool.schema.Fields.IntField;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Fields.ShortField;
import tidepool.schema.Fields.StringField;

class FieldsTest {
    private static final Schema ALL = Schema.parse(
            "t(a:byte, b:short, c:int, d:long, e:float, f:double, g:boolean, h:char, i:bytes[3], j:string[5])");

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(Schema.MAX_BYTES + 16, 8);

    @AfterEach
    void close() {
        arena.close();
    }

    /** Each field reads what it wrote, and none disturbs another: written in one order, read in the other. */
    @Test
    void randomSchemasHoldRandomValues() {
        for (long seed = 0; seed < 300; seed++) {
            RandomSchemas random = new RandomSchemas(seed);
            Schema schema = random.schema(Schema.MAX_ATTRIBUTES);
            schema.clear(memory, 8);
            List<Object> values = schema.attributes().stream()
                    .map(each -> random.value(each.type()))
                    .toList();
            for (Attribute each : random.shuffled(schema.attributes()))
                write(Field.of(each), 8, values.get(each.number()));

            for (Attribute each : schema.attributes()) {
                Object wanted = values.get(each.number());
                Object found = read(schema.field(each.name()), 8);
                if (wanted instanceof byte[] bytes) assertArrayEquals(bytes, (byte[]) found, "seed " + seed);
                else assertEquals(wanted, found, "seed " + seed + ": " + each);
            }
        }
    }

    private void write(Field field, long at, Object value) {
        switch (field) {
            case ByteField f -> f.set(memory, at, (byte) value);
            case ShortField f -> f.set(memory, at, (short) value);
            case IntField f -> f.set(memory, at, (int) value);
            case LongField f -> f.set(memory, at, (long) value);
            case FloatField f -> f.set(memory, at, (float) value);
            case DoubleField f -> f.set(memory, at, (double) value);
            case BooleanField f -> f.set(memory, at, (boolean) value);
            case CharField f -> f.set(memory, at, (char) value);
            case BytesField f -> f.set(memory, at, (byte[]) value);
            case StringField f -> f.set(memory, at, (String) value);
            default -> throw new AssertionError(field);
        }
    }

    private Object read(Field field, long at) {
        return switch (field) {
            case ByteField f -> f.get(memory, at);
            case ShortField f -> f.get(memory, at);
            case IntField f -> f.get(memory, at);
            case LongField f -> f.get(memory, at);
            case FloatField f -> f.get(memory, at);
            case DoubleField f -> f.get(memory, at);
            case BooleanField f -> f.get(memory, at);
            case CharField f -> f.get(memory, at);
            case BytesField f -> f.get(memory, at);
            case StringField f -> f.get(memory, at);
            default -> throw new AssertionError(field);
        };
    }

    /** The JDK's own encoder is the reference. */
    @Test
    void stringsAreTheUtf8OfTheJdk() {
        RandomSchemas random = new RandomSchemas(8);
        StringField field = Schema.parse("t(s:string[40])").stringField("s");
        for (int round = 0; round < 2000; round++) {
            String text = (String) random.value(AttributeType.string(40));
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            memory.fill((byte) -1);
            field.set(memory, 0, text);

            byte[] found = new byte[44];
            assertEquals(utf8.length, field.get(memory, 0, found, 2));
            assertArrayEquals(utf8, Arrays.copyOfRange(found, 2, 2 + utf8.length));
            assertEquals(utf8.length, field.length(memory, 0));
            for (int at = utf8.length; at < 40; at++) assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, at));
        }
    }

    /** Bytes from the caller are accepted exactly if the JDK's strict decoder accepts them and none is zero. */
    @Test
    void bytesOfAStringMustBeUtf8() {
        RandomSchemas random = new RandomSchemas(9);
        StringField field = Schema.parse("t(s:string[20])").stringField("s");
        int taken = 0;
        for (int round = 0; round < 200_000; round++) {
            byte[] bytes = ((String) random.value(AttributeType.string(20))).getBytes(StandardCharsets.UTF_8);
            byte[] noise = random.bytes(2);
            if (bytes.length > 0 && round % 8 != 0) bytes[(noise[0] & 0xff) % bytes.length] = noise[1];
            boolean good = isUtf8WithoutZero(bytes);
            if (good) taken++;
            assertEquals(good, Utf8.isStorable(bytes, 0, bytes.length), () -> Arrays.toString(bytes));
            if (good) {
                field.set(memory, 0, bytes, 0, bytes.length);
                assertEquals(new String(bytes, StandardCharsets.UTF_8), field.get(memory, 0));
            }
        }
        assertTrue(taken > 20_000 && taken < 180_000, "both ends were tried: taken=" + taken);
    }

    private static boolean isUtf8WithoutZero(byte[] bytes) {
        for (byte each : bytes) if (each == 0) return false;
        try {
            StandardCharsets.UTF_8.newDecoder().decode(java.nio.ByteBuffer.wrap(bytes));
            return true;
        } catch (java.nio.charset.CharacterCodingException e) {
            return false;
        }
    }

    @Test
    void refusedStringsAndBytesChangeNothing() {
        StringField string = ALL.stringField("j");
        BytesField bytes = ALL.bytesField("i");
        memory.fill((byte) 0x5a);

        refused(() -> string.set(memory, 0, "123456"), "'j'", "at most 5", "not 6");
        refused(() -> string.set(memory, 0, (String) null), "'j'", "null");
        refused(() -> string.set(memory, 0, new byte[] {'a', 'b', 0}, 0, 3), "'j'", "zero");
        refused(() -> string.set(memory, 0, new byte[] {(byte) 0xc0, (byte) 0x80}, 0, 2), "'j'", "UTF-8");
        refused(() -> string.set(memory, 0, new byte[9], 1, 6), "'j'", "not 6");
        assertThrows(IndexOutOfBoundsException.class, () -> string.set(memory, 0, new byte[3], 1, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> bytes.set(memory, 0, new byte[3], 1));
        refused(() -> bytes.set(memory, 0, new byte[2]), "'i'", "exactly 3", "not 2");
        for (long at = 0; at < ALL.length(); at++) assertEquals(0x5a, memory.get(ValueLayout.JAVA_BYTE, at));
    }

    @Test
    void shorterStringLeavesNothingOfALongerOne() {
        StringField string = ALL.stringField("j");
        string.set(memory, 0, "12345");
        string.set(memory, 0, "ab");
        assertEquals("ab", string.get(memory, 0));
        string.set(memory, 0, "12345");
        string.set(memory, 0, "xyz".getBytes(StandardCharsets.UTF_8), 1, 1);

        assertEquals("y", string.get(memory, 0));
        string.set(memory, 0, "");
        assertEquals("", string.get(memory, 0));
    }

    @Test
    void fieldOfAnotherTypeIsRefusedWhenItIsMade() {
        refused(() -> ALL.longField("j"), "'j'", "'t'", "string[5]", "not long", "stringField");
        refused(() -> ALL.stringField("i"), "'i'", "bytes[3]", "not string", "bytesField");
        refused(() -> ALL.bytesField("j"), "string[5]", "not bytes");
        refused(() -> ALL.byteField("g"), "boolean", "not byte");
        refused(() -> ALL.shortField("h"), "char", "not short");
        refused(() -> ALL.intField("e"), "float", "not int");
        refused(() -> ALL.floatField("c"), "int", "not float");
        refused(() -> ALL.doubleField("d"), "long", "not double");
        refused(() -> ALL.booleanField("a"), "byte", "not boolean");
        refused(() -> ALL.charField("b"), "short", "not char");
        refused(() -> ALL.longField("zz"), "'zz'", "t(a:byte");
        refused(() -> new LongField(ALL.attribute("a")), "'a'", "byte", "not long");
        refused(() -> new LongField(null), "attribute");
    }

    @Test
    void everyFieldIsFoundByItsOwnMethod() {
        List<Field> fields = List.of(
                ALL.byteField("a"),
                ALL.shortField("b"),
                ALL.intField("c"),
                ALL.longField("d"),
                ALL.floatField("e"),
                ALL.doubleField("f"),
                ALL.booleanField("g"),
                ALL.charField("h"),
                ALL.bytesField("i"),
                ALL.stringField("j"));

        for (int number = 0; number < fields.size(); number++) {
            assertEquals(ALL.attribute(number), fields.get(number).attribute());
            assertEquals(fields.get(number), ALL.field(ALL.attribute(number).name()));
        }
    }

    /**
     * Transactions read and write single attributes all the time. One byte of garbage per access would be gigabytes per
     * minute.
     */
    @Test
    void accessAllocatesNothing() {
        ByteField a = ALL.byteField("a");
        ShortField b = ALL.shortField("b");
        IntField c = ALL.intField("c");
        LongField d = ALL.longField("d");
        FloatField e = ALL.floatField("e");
        DoubleField f = ALL.doubleField("f");
        BooleanField g = ALL.booleanField("g");
        CharField h = ALL.charField("h");
        BytesField i = ALL.bytesField("i");
        StringField j = ALL.stringField("j");
        byte[] three = {1, 2, 3};
        byte[] text = "héé".getBytes(StandardCharsets.UTF_8);
        byte[] out = new byte[8];

        AllocatedBytes.none(() -> {
            a.set(memory, 8, (byte) (a.get(memory, 8) + 1));
            b.set(memory, 8, (short) (b.get(memory, 8) + 1));
            c.set(memory, 8, c.get(memory, 8) + 1);
            d.set(memory, 8, d.get(memory, 8) + 1);
            e.set(memory, 8, e.get(memory, 8) + 1);
            f.set(memory, 8, f.get(memory, 8) + 1);
            g.set(memory, 8, !g.get(memory, 8));
            h.set(memory, 8, (char) (h.get(memory, 8) + 1));
            i.set(memory, 8, three, 0);
            i.get(memory, 8, out, 0);
            j.set(memory, 8, text, 0, text.length);
            j.set(memory, 8, "a👋");
            j.get(memory, 8, out, 0);
        });
        assertTrue(d.get(memory, 8) >= 100_000);
    }

    @Test
    void trueIsOneAndAnythingButZeroIsTrue() {
        BooleanField flag = ALL.booleanField("g");
        flag.set(memory, 0, true);
        assertEquals(1, memory.get(ValueLayout.JAVA_BYTE, flag.attribute().offset()));
        memory.set(ValueLayout.JAVA_BYTE, flag.attribute().offset(), (byte) -2);

        assertTrue(flag.get(memory, 0));
    }
}
