package tidepool.cli.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.schema.Schema;

/** Fields as text: printed text is read back, and a value that does not fit is refused with the name of its field. */
class FieldTextTest {
    private final Schema schema = Schema.parse(
            "t(b:byte, s:short, i:int, l:long, f:float, d:double, t:boolean, c:char," + " x:bytes[2], n:string[8])");
    private final MemorySegment memory = Arena.ofAuto().allocate(schema.length(), Long.BYTES);

    /** Otherwise users could not copy a record by hand. */
    @Test
    void whatIsPrintedIsReadBack() {
        for (String value : List.of("b=-128", "s=32767", "i=-2147483648", "l=9223372036854775807", "f=1.5", "f=NaN"))
            assertKept(value);
        for (String value :
                List.of("d=-1.0E300", "d=-0.0", "d=-Infinity", "t=true", "c='\u00fc'", "c='\\''", "x=0x00ff"))
            assertKept(value);
        for (String value :
                List.of("n=''", "n='a b'", "n='\\\\ \\'\"'", "n='\\n\\t\\r'", "n='\\u001b[A'", "n='\\u202e'"))
            assertKept(value);
        assertKept("c='\\ud83d'"); // half a character is no text, but it is a char
    }

    @Test
    void numbersMayBeHexadecimal() {
        assertEquals("255", written("i", "0xff"));
        assertEquals("-1", written("l", "0xffffffffffffffff"));
        assertEquals("1000000", written("l", "1_000_000"));
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertRefused("field 'b' is byte: a whole number from -128 to 127, not '128'", "b", "128");
        assertRefused("field 'i' is int: a whole number from -2147483648 to 2147483647, not 'x'", "i", "x");
        assertRefused("field 'i' is int: a whole number from -2147483648 to 2147483647, not '1.5'", "i", "1.5");
        assertRefused("field 'd' is double: a number, not '1d'", "d", "1d");
        assertRefused("field 't' is boolean: true or false, not 'yes'", "t", "yes");
        assertRefused("field 'c' is char: one character, not 'ab'", "c", "ab");
        assertRefused(
                "field 'x' is bytes(2): exactly 2 bytes in hexadecimal, 0x and 4 digits, not '0xff'", "x", "0xff");
        assertRefused("field 'n' holds at most 8 bytes of UTF-8, not 9", "n", "123456789");
        assertRefused("field 'l' is long, which is never null", "l", "null");
        assertRefused("field 'n' is text(8), which is never null; the word is written 'null'", "n", "NULL");
        assertEquals("'null'", written("n", "'null'"));
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
