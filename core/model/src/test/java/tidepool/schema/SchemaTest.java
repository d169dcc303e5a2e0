package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static tidepool.schema.Refusals.refused;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchemaTest {
    private static final Schema ACCOUNT = Schema.builder("account")
            .attribute("balance", AttributeType.LONG)
            .attribute("owner", AttributeType.string(16))
            .build();

    /** The picture in the class comment is what is built. */
    @Test
    void attributesLieLargestFirstAndKeepTheirNumbers() {
        Schema point = Schema.builder("point")
                .attribute("tag", AttributeType.BYTE)
                .attribute("x", AttributeType.LONG)
                .attribute("y", AttributeType.INT)
                .build();

        assertEquals(new Attribute(0, "tag", AttributeType.BYTE, 12), point.attribute("tag"));
        assertEquals(new Attribute(1, "x", AttributeType.LONG, 0), point.attribute(1));
        assertEquals(new Attribute(2, "y", AttributeType.INT, 8), point.attribute(2));
        assertEquals(16, point.length());
    }

    /** Two attributes that shared a byte would destroy each other; one that is not aligned cannot be read. */
    @Test
    void noTwoAttributesOverlapAndEachIsAligned() {
        for (long seed = 0; seed < 500; seed++) {
            Schema schema = new RandomSchemas(seed).schema(Schema.MAX_ATTRIBUTES);
            int[] owner = new int[schema.length()];
            int used = 0;
            for (Attribute each : schema.attributes()) {
                assertEquals(0, each.offset() % each.type().alignment(), "seed " + seed + ": " + each);
                used += each.bytes();
                for (int at = each.offset(); at < each.offset() + each.bytes(); at++) owner[at]++;
            }

            assertEquals(0, schema.length() % 8);
            assertTrue(schema.length() - used < 8, "seed " + seed + ": padding outside of the last word");
            for (int at = 0; at < owner.length; at++)
                if (owner[at] != (at < used ? 1 : 0))
                    fail("seed " + seed + ": byte " + at + " has " + owner[at] + " owners in " + schema.table());
        }
    }

    /** Tools print a struct, code uses offsets, and they come from different loops. They must agree. */
    @Test
    void layoutHasTheOffsetsOfTheAttributes() {
        for (long seed = 0; seed < 200; seed++) {
            Schema schema = new RandomSchemas(seed).schema(20);

            assertEquals(schema.length(), schema.layout().byteSize());
            for (Attribute each : schema.attributes()) {
                PathElement path = PathElement.groupElement(each.name());
                assertEquals(each.offset(), schema.layout().byteOffset(path), "seed " + seed + ": " + each);
                assertEquals(each.bytes(), schema.layout().select(path).byteSize(), "seed " + seed + ": " + each);
            }
        }
    }

    @Test
    void byteTableShowsNumbersAndTypes() {
        assertEquals(
                """
                point, 24 bytes, aligned to 8

                offset   size  field                   meaning
                     0      8  x                       1: long
                     8      4  y                       2: int
                    12      1  tag                     0: byte
                    13      5  name[5]                 3: string[5]
                    18      6  (padding)
                """.replaceAll("\\s+\\n", "\n").strip(),
                Schema.parse("point(tag:byte, x:long, y:int, name:string[5])")
                        .table()
                        .replaceAll("\\s+\\n", "\n")
                        .strip());
    }

    @Test
    void textFormReadsBackAsTheSameSchema() {
        assertEquals("account(balance:long, owner:string[16])", ACCOUNT.toString());
        assertEquals(ACCOUNT, Schema.parse(ACCOUNT.toString()));
        for (long seed = 0; seed < 500; seed++) {
            Schema schema = new RandomSchemas(seed).schema(Schema.MAX_ATTRIBUTES);
            Schema again = Schema.parse(schema.toString());

            assertEquals(schema, again, "seed " + seed);
            assertEquals(schema.attributes(), again.attributes(), "seed " + seed);
            assertEquals(schema.fingerprint(), again.fingerprint(), "seed " + seed);
            assertEquals(schema.length(), again.length(), "seed " + seed);
        }
    }

    /** With another fingerprint this program could not open any stored table. */
    @Test
    void fingerprintIsTheStoredOne() {
        assertEquals(0x0c7712d588a9d99cL, ACCOUNT.fingerprint());
        assertEquals(1, ACCOUNT.formatVersion());
    }

    @Test
    void everyChangeChangesTheFingerprint() {
        Map<Long, String> seen = new HashMap<>();
        for (String text : new String[] {
            "account(balance:long, owner:string[16])",
            "accounts(balance:long, owner:string[16])",
            "Account(balance:long, owner:string[16])",
            "account(balance:double, owner:string[16])",
            "account(balance:long, owner:bytes[16])",
            "account(balance:long, owner:string[15])",
            "account(balanc:long, eowner:string[16])",
            "account(owner:string[16], balance:long)",
            "account(owner:long, balance:string[16])",
            "account(balance:long)",
            "account(balance:long, owner:string[16], flag:boolean)",
            "account(balance:long, owner:string[1], r6:byte)",
        }) {
            String twin = seen.put(Schema.parse(text).fingerprint(), text);
            assertEquals(null, twin, "same fingerprint as " + text);
        }
    }

    @Test
    void randomSchemasHaveDifferentFingerprints() {
        Map<Long, Schema> seen = new HashMap<>();
        for (long seed = 0; seed < 5000; seed++) {
            Schema schema = new RandomSchemas(seed).schema(5);
            Schema twin = seen.put(schema.fingerprint(), schema);
            if (twin != null) assertEquals(twin, schema);
        }
        assertTrue(seen.size() > 4000, "the generator repeats itself");
    }

    @Test
    void storedSchemaIsCheckedAgainstItsFingerprintAndFormat() {
        String text = ACCOUNT.toString();

        assertEquals(ACCOUNT, Schema.restore(1, ACCOUNT.fingerprint(), text));
        refused(() -> Schema.restore(2, ACCOUNT.fingerprint(), text), "format 2", "format 1");
        refused(() -> Schema.restore(1, ACCOUNT.fingerprint() + 1, text), "fingerprint", text);
        refused(() -> Schema.restore(1, ACCOUNT.fingerprint(), null), "null");
    }

    @Test
    void anotherSchemaIsRefusedWithTheFirstDifference() {
        ACCOUNT.requireSame(Schema.parse("account ( balance : long,owner:string [ 16 ] )"));

        refused(() -> ACCOUNT.requireSame(Schema.parse("savings(balance:long, owner:string[16])")), "'savings'");
        refused(
                () -> ACCOUNT.requireSame(Schema.parse("account(balance:long, owner:string[20])")),
                "attribute 1 is owner:string[20], not owner:string[16]");
        refused(() -> ACCOUNT.requireSame(Schema.parse("account(balance:long)")), "1 attributes, not 2");
    }

    @Test
    void builderRefusesWhatIsNoSchema() {
        refused(() -> Schema.builder(null), "name of a table", "null");
        refused(() -> Schema.builder(""), "name of a table");
        refused(() -> Schema.builder("1st"), "'1st'");
        refused(() -> Schema.builder("-x"), "'-x'");
        refused(() -> Schema.builder("straße"), "'straße'", "ASCII");
        refused(() -> Schema.builder("x".repeat(65)), "at most 64");
        refused(() -> Schema.builder("t").build(), "'t'", "no attributes");
        refused(() -> Schema.builder("t").attribute("a b", AttributeType.INT), "name of an attribute", "'a b'");
        refused(() -> Schema.builder("t").attribute("a", null), "'a'", "'t'", "type");
        refused(
                () -> Schema.builder("t").attribute("a", AttributeType.INT).attribute("a", AttributeType.LONG),
                "'a'",
                "twice");
        refused(() -> AttributeType.string(0), "string", "from 1 to 4096", "not 0");
        refused(() -> AttributeType.bytes(4097), "bytes", "not 4097");
        refused(() -> new AttributeType(AttributeType.Kind.LONG, 4), "long", "8", "not 4");
        refused(() -> new AttributeType(null, 4), "kind");
    }

    @Test
    void limitsAreReachedAndNotPassed() {
        Schema.Builder wide = Schema.builder("wide");
        for (int i = 0; i < Schema.MAX_ATTRIBUTES; i++) wide.attribute("a" + i, AttributeType.LONG);
        Schema.Builder large = Schema.builder("large").attribute("a", AttributeType.bytes(4096));

        assertEquals(512, wide.build().length());
        assertEquals(4096, large.build().length());
        refused(() -> wide.attribute("more", AttributeType.BYTE).build(), "'wide'", "65 attributes", "64");
        refused(() -> large.attribute("more", AttributeType.BYTE).build(), "'large'", "4097 bytes", "4096");
    }

    @Test
    void unknownAttributesAreRefusedWithTheKnownOnes() {
        refused(() -> ACCOUNT.attribute("blance"), "'blance'", "account(balance:long, owner:string[16])");
        refused(() -> ACCOUNT.attribute((String) null), "null");
        refused(() -> ACCOUNT.attribute(2), "2", "0 to 1");
        refused(() -> ACCOUNT.attribute(-1), "-1");
    }

    /** Equal values have to be equal bytes, so that replicas and checksums agree: padding counts. */
    @Test
    void clearMakesEveryByteOfTheValueZeroAndNoOther() {
        Schema schema = Schema.parse("t(a:long, b:byte)");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(32, 8).fill((byte) 7);
            schema.clear(memory, 8);

            for (int at = 0; at < 32; at++)
                assertEquals(at >= 8 && at < 24 ? 0 : 7, memory.get(ValueLayout.JAVA_BYTE, at), "byte " + at);
        }
    }

    /** Hash codes determine the order of hash maps. The hash of an enum constant would differ from run to run. */
    @Test
    void hashCodesAreTheSameInEveryRun() {
        assertEquals("long".hashCode(), AttributeType.LONG.hashCode());
        assertEquals(ACCOUNT.toString().hashCode(), ACCOUNT.hashCode());
        assertNotEquals(AttributeType.string(8), AttributeType.bytes(8));
    }
}
