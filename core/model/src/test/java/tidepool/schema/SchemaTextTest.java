package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static tidepool.schema.Refusals.refused;

import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;

class SchemaTextTest {
    private static final String ALPHABET = "abt(),:[]<>?/.0123456789 -_\n\0é\ud800longstringbytesintX";

    @Test
    void everyTypeHasItsWord() {
        String text =
                "t(a:byte, b:short, c:int, d:long, e:float, f:double, g:boolean, h:char, i:bytes[3], j:string[4])";

        assertEquals(text, Schema.parse(text).toString());
    }

    /** Words that programs before version 0.1.0 do not know. A pool with one of them is refused there. */
    @Test
    void laterTypesHaveTheirWords() {
        String text = "t(a:long?, b:string[4]?, c:instant, d:duration?, e:date, f:uuid, g:decimal[9], h:varstring[4],"
                + " i:varbytes[5]?, j:enum<A, B>, k.x:present, k.x.y:int, l:list<long?>[3],"
                + " m:list<record<a:int, b.c:list<uuid>[2]>?>[2]?, n:codec<x-1/12>[7]?)";

        assertEquals(text, Schema.parse(text).toString());
        assertEquals(
                text,
                Schema.parse(text.replace(", ", " , ").replace("<", " < ").replace("?", " ?"))
                        .toString());
        assertEquals("enum<A, B>", AttributeType.parse("enum<B,A>").text());
    }

    @Test
    void errorsInLaterTypesSayWhatIsExpectedAndWhere() {
        refused(() -> AttributeType.parse(null), "null");
        refused(() -> AttributeType.parse("long x"), "nothing more", "at character 5");
        refused(() -> Schema.parse("t(a:present?)"), "mark of presence");
        refused(() -> Schema.parse("t(a:decimal)"), "'['", "'decimal'");
        refused(() -> Schema.parse("t(a:decimal[1001])"), "from 1 to 1000 digits", "not 1001");
        refused(() -> Schema.parse("t(a:varstring[4095])"), "from 1 to 4094 bytes", "not 4095");
        refused(() -> Schema.parse("t(a:varbytes[0])"), "length");
        refused(() -> Schema.parse("t(a:enum)"), "'<'", "'enum'");
        refused(() -> Schema.parse("t(a:enum<A, A>)"), "twice");
        refused(() -> Schema.parse("t(a:enum<A)"), "'>'", "constant");
        refused(() -> Schema.parse("t(a:list<int>)"), "'['", "'list'");
        refused(() -> Schema.parse("t(a:list<list<int>[2]>[2])"), "list of lists");
        refused(() -> Schema.parse("t(a:list<present>[2])"), "'?'");
        refused(() -> Schema.parse("t(a:list<long>[512])"), "'list<long>[512]'", "4098 bytes");
        refused(() -> Schema.parse("t(a:record<b:int>)"), "'a'", "attributes with dots");
        refused(() -> Schema.parse("t(a:list<record<b:int, b:int>>[2])"), "'b'", "twice");
        refused(() -> Schema.parse("t(a:codec<x>[2])"), "'/'");
        refused(() -> Schema.parse("t(a:codec<x/0>[2])"), "length");
        refused(() -> AttributeType.codec("x", 3), "money/1", "'x'");
        refused(() -> Schema.parse("t(a..b:int)"), "name of an attribute");
        refused(() -> Schema.parse("t(a" + ".b".repeat(200) + ":int)"), "at most 255");
        refused(() -> Schema.parse("t(" + "a:list<record<".repeat(9)), "nested deeper than 8");
        refused(() -> new AttributeType(AttributeType.Kind.ENUM, 1), "enum", "method with this name");
    }

    @Test
    void blanksDoNotMatter() {
        assertEquals(
                "t(a:bytes[3], b:int)",
                Schema.parse(" t ( a : bytes [ 3 ] ,\n  b:int ) ").toString());
    }

    @Test
    void errorsSayWhatIsExpectedAndWhere() {
        refused(() -> Schema.parse(null), "null");
        refused(() -> Schema.parse(""), "name of a table", "at the end");
        refused(() -> Schema.parse("account"), "'('", "at the end");
        refused(() -> Schema.parse("account()"), "name of an attribute", "at character 8");
        refused(() -> Schema.parse("account(balance long)"), "':'", "at character 16", "'account(balance long)'");
        refused(() -> Schema.parse("account(balance:lang)"), "a type is expected", "string[n]", "at character 16");
        refused(() -> Schema.parse("account(balance:long"), "')'", "at the end");
        refused(() -> Schema.parse("account(balance:long,)"), "name of an attribute", "at character 21");
        refused(() -> Schema.parse("account(balance:long))"), "nothing more", "at character 21");
        refused(() -> Schema.parse("account(balance:long[8])"), "','", "at character 20");
        refused(() -> Schema.parse("account(owner:string)"), "'['", "length", "'string'");
        refused(() -> Schema.parse("account(owner:string[])"), "length", "at character 21");
        refused(() -> Schema.parse("account(owner:string[016])"), "length", "at character 21");
        refused(() -> Schema.parse("account(owner:string[-1])"), "length", "at character 21");
        refused(() -> Schema.parse("account(owner:string[4097])"), "4097");
        refused(() -> Schema.parse("account(owner:string[9999999999])"), "a length from 1 to 4096 is expected");
        refused(
                () -> Schema.parse("account(owner:string[99999999999999999999])"),
                "a length from 1 to 4096 is expected");
        refused(() -> Schema.parse("account(owner:string[16)"), "']'");
        refused(() -> Schema.parse("account(a:int, a:int)"), "'a'", "twice");
        refused(() -> Schema.parse("account(a:bytes[4096], b:int)"), "4100 bytes");
        refused(() -> Schema.parse("1account(a:int)"), "name of a table", "'1account'");
        refused(() -> Schema.parse("account(a:long\t)"), "')'");
    }

    /** Long garbage from a damaged catalog must not flood the log. */
    @Test
    void longTextIsCutInMessages() {
        refused(() -> Schema.parse("x(".repeat(5000)), "…");
        try {
            Schema.parse("x".repeat(100_000));
            fail("accepted");
        } catch (IllegalArgumentException e) {
            assertTrue(e.getMessage().length() < 500, e.getMessage());
        }
    }

    /** Any text of a damaged catalog is a schema that prints and parses again, or gives an error message. */
    @Test
    void damagedTextGivesASchemaOrASentence() {
        int accepted = 0;
        for (long seed = 0; seed < 30_000; seed++) {
            Randomness random = new Randomness(seed);
            String text = damaged(random, new RandomSchemas(seed).schema(4).toString());
            try {
                Schema schema = Schema.parse(text);
                accepted++;
                assertEquals(schema, Schema.parse(schema.toString()), "seed " + seed);
            } catch (IllegalArgumentException e) {
                // NumberFormatException is a subclass, but has no message of ours.
                assertEquals(IllegalArgumentException.class, e.getClass(), "seed " + seed + ": " + text);
                assertTrue(e.getMessage().length() > 20 && e.getMessage().contains(" "), "seed " + seed);
            } catch (RuntimeException e) {
                fail("seed " + seed + ": " + text, e);
            }
        }
        assertTrue(accepted > 1000 && accepted < 29_000, "both ends were tried: accepted=" + accepted);
    }

    private static String damaged(Randomness random, String text) {
        StringBuilder damaged = new StringBuilder(text);
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
            int at = random.nextInt(damaged.length() + 1);
            char other = ALPHABET.charAt(random.nextInt(ALPHABET.length()));
            switch (random.nextInt(5)) {
                case 0 -> damaged.insert(at, other);
                case 1 -> damaged.delete(at, Math.min(damaged.length(), at + 1 + random.nextInt(3)));
                case 2 -> damaged.setLength(random.chance(1, 8) ? at : damaged.length());
                case 3 -> damaged.insert(at, damaged.substring(random.nextInt(at + 1), at));
                default -> {
                    if (at < damaged.length()) damaged.setCharAt(at, other);
                }
            }
        }
        return damaged.toString();
    }
}
