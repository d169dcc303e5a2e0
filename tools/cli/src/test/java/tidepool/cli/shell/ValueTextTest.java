package tidepool.cli.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.schema.AttributeType;
import tidepool.schema.Schema;

/** Nulls, times, decimals, enums and lists as text: what is printed can be typed, and what does not fit is refused. */
class ValueTextTest {
    private final Schema schema = Schema.parse("t(a:byte?, b:short?, c:int?, d:long?, e:float?, f:double?, g:boolean?,"
            + " h:char?, i:instant, j:duration?, k:date, l:uuid, m:decimal[5]?, n:enum<NEW, PAID>, o:varstring[4],"
            + " p:varbytes[3]?, q:string[4]?, r:bytes[2]?, s:present, t:list<int>[3], u:list<string[4]?>[2]?,"
            + " v:list<record<sku:varstring[4], count:long?, at:list<instant>[1]>?>[2], w:codec<x/1>[4])");
    private final MemorySegment memory = Arena.ofAuto().allocate(schema.length(), Long.BYTES);

    /** Otherwise users could not copy a record by hand. */
    @Test
    void whatIsPrintedIsReadBack() {
        for (String value : List.of("a=-128", "b=32767", "c=null", "d=-9223372036854775808", "e=1.5", "f=-Infinity"))
            assertKept(value);
        for (String value :
                List.of("g=true", "h='\\''", "i=1969-12-31T23:59:59.999999999Z", "j=PT-1.5S", "k=2026-02-28"))
            assertKept(value);
        for (String value :
                List.of("l=00000000-0000-0001-0000-000000000002", "m=-1.50", "m=1E+7", "n=PAID", "o='\\u0000'"))
            assertKept(value);
        for (String value : List.of("p=0x", "p=0xff00", "p=null", "q='a'", "q=null", "r=0x0102", "s=true", "w=0x01"))
            assertKept(value);
        for (String value : List.of("t=[]", "t=[1, -2, 3]", "u=null", "u=['a, ]', null]", "u=['}']")) assertKept(value);
        assertKept("v=[null, {sku='a=b', count=null, at=[2026-01-31T12:00:00Z]}]");
    }

    @Test
    void fieldsOfARecordThatAreNotGivenAreZero() {
        assertEquals("[{sku='', count=7, at=[]}]", written("v", "[{count=7}]"));
        assertEquals("[{sku='', count=null, at=[]}]", written("v", "[{}]"));
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertRefused("field 'a' is byte?: a whole number from -128 to 127, not '128'", "a", "128");
        assertRefused("field 'i' is instant: an instant such as 2026-01-31T12:00:00Z, not 'now'", "i", "now");
        assertRefused("field 'j' is duration?: a duration such as PT1H30M, not '5s'", "j", "5s");
        assertRefused("field 'k' is date: a date such as 2026-01-31, not '2026-02-30'", "k", "2026-02-30");
        assertRefused(
                "field 'l' is uuid: 32 hexadecimal digits in groups of 8-4-4-4-12, not '1-1-1-1-1'", "l", "1-1-1-1-1");
        assertRefused("field 'm' is decimal[5]?: a number, not 'x'", "m", "x");
        assertRefused("field 'm' holds at most 5 digits, not the 6 of '123456'", "m", "123456");
        assertRefused("field 'n' is enum<NEW, PAID>, without 'SENT'", "n", "SENT");
        assertRefused("field 'n' is enum<NEW, PAID>, which is never null", "n", "null");
        assertRefused("field 'o' holds at most 4 bytes of UTF-8, not 5", "o", "12345");
        assertRefused(
                "field 'p' is varbytes[3]?: bytes in hexadecimal, 0x and two digits for each, not '0x1'", "p", "0x1");
        assertRefused("field 'p' holds at most 3 bytes, not 4", "p", "0x00000000");
        assertRefused("field 't' is a list, as in [1, 2], not '1'", "t", "1");
        assertRefused("field 't' holds at most 3 elements, not 4", "t", "[1, 2, 3, 4]");
        assertRefused("field 't[1]' is int: a whole number from -2147483648 to 2147483647, not 'x'", "t", "[1, x]");
        assertRefused("t[1] is no single value: [1, 2 3]", "t", "[1, 2 3]");
        assertRefused("t[1] is no single value: [1, ]", "t", "[1, ]");
        assertRefused("v[0] is a record in braces, {name=value, ...}, not '5'", "v", "[5]");
        assertRefused("v[0] has no field 'sk'; it has sku, count, at", "v", "[{sk=1}]");
        assertRefused("the bracket is not closed: [1, 2", "t", "[1, 2");
    }

    /** The form of create is what describe prints. */
    @Test
    void typesArePrintedAsTheyAreTyped() {
        assertEquals("text(4)?", FieldText.type(AttributeType.string(4).orNull()));
        assertEquals("bytes(4)", FieldText.type(AttributeType.bytes(4)));
        assertEquals(
                "list<string[4]?>[2]?", FieldText.type(schema.attribute("u").type()));
    }

    private void assertKept(String assignment) {
        String field = assignment.substring(0, 1);
        assertEquals(assignment, field + "=" + written(field, assignment.substring(2)));
    }

    private String written(String field, String word) {
        LexToken token = Lexer.tokens(word).getFirst();
        FieldText.write(schema.field(field), token, memory, 0);
        return FieldText.print(schema.field(field), memory, 0);
    }

    private void assertRefused(String sentence, String field, String word) {
        assertEquals(
                sentence,
                assertThrows(StatementException.class, () -> written(field, word))
                        .getMessage());
    }
}
