package tidepool.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.base.Words;
import tidepool.fabric.VerbKind;
import tidepool.testkit.SourceTree;

/** The one statement of verb sizes agrees with the verbs of fabrics and with the byte table in the documents. */
class VerbFormatTest {
    private static final int CODES = 256;

    /** Codes are numbers on the wire, so a verb kind that is added in the middle must not move the others. */
    @ParameterizedTest
    @EnumSource(VerbKind.class)
    void everyKindHasTheCodeOfItsName(VerbKind kind) throws ReflectiveOperationException {
        int code = VerbFormat.class.getField(kind.name()).getInt(null);
        assertEquals(kind.ordinal() + 1, code);
        assertEquals(code, VerbFormat.codeOf(kind.ordinal()));
        assertEquals(kind, VerbKind.of(VerbFormat.ordinalOf(code)));
        assertTrue(VerbFormat.requestBytes(code) > 0);
    }

    /** A node refuses a frame by this. */
    @Test
    void otherCodesHaveNoLength() {
        int verbs = 0;
        for (int code = 0; code < CODES; code++) {
            boolean isVerb = code >= 1 && code <= VerbKind.count();
            assertEquals(isVerb, VerbFormat.requestBytes(code) > 0, "code " + code);
            if (isVerb) verbs++;
            else assertEquals(0, VerbFormat.answerBytes(code) + VerbFormat.bodyLengthAt(code), "code " + code);
        }
        assertEquals(9, verbs);
    }

    /** The atomic kinds answer with the word that they found; a CALL answers with the length of its reply. */
    @ParameterizedTest
    @EnumSource(VerbKind.class)
    void resultsHaveTheirLength(VerbKind kind) {
        int words =
                switch (kind) {
                    case CAS, FAA, MASKED_CAS, MASKED_FAA, CALL -> 1;
                    case READ, WRITE, FLUSH, CHAIN -> 0;
                };
        assertEquals(words * Words.BYTES, VerbFormat.answerBytes(VerbFormat.codeOf(kind.ordinal())));
    }

    /** Only WRITE and CALL have a body. Its length lies in different words, and its padding counts. */
    @ParameterizedTest
    @EnumSource(VerbKind.class)
    void aVerbIsItsFixedWordsAndItsPaddedBody(VerbKind kind) {
        int code = VerbFormat.codeOf(kind.ordinal());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment frame = arena.allocate(64, Words.BYTES);
            Words.plain(frame, 16, 5); // the word after the head
            Words.plain(frame, 24, 13); // the next word
            long body =
                    switch (kind) {
                        case WRITE -> 16;
                        case CALL -> 8;
                        default -> 0;
                    };
            assertEquals(VerbFormat.requestBytes(code) + body, VerbFormat.bytes(code, frame, 8));
        }
    }

    @Test
    void aHeadHasCodeAndHandle() {
        long handle = (1L << 48) - 1;
        long head = VerbFormat.head(VerbFormat.CHAIN, handle);
        assertEquals(0xffff_ffff_ffff_0009L, head);
        assertEquals(VerbFormat.CHAIN, VerbFormat.code(head));
        assertEquals(handle, VerbFormat.handle(head));
        assertTrue(VerbFormat.isHead(head));
        assertFalse(VerbFormat.isHead(head | 0x100));
        assertFalse(VerbFormat.isHead(head | 0x8000));
    }

    /** A changed size or place is visible in review as a changed table. */
    @Test
    void verbsAreAsDocumented() throws IOException {
        StringBuilder table = new StringBuilder("""
                A verb of a ROUND on the wire: bytes of its fixed words, of its result, and where the length of a body\
                 lies.
                READ's result is followed by its data, CALL's by the reply; bodies, data and replies are padded to\
                 multiples of 8.

                code  verb         request  result  length of the body at
                """);
        for (VerbKind kind : VerbKind.values()) table.append(line(kind));
        table.append('\n');
        row(table, VerbFormat.READ, "READ", VerbFormat.OFFSET, "offset", VerbFormat.LENGTH, "length");
        row(table, VerbFormat.WRITE, "WRITE", VerbFormat.OFFSET, "offset", VerbFormat.LENGTH, "length");
        row(
                table,
                VerbFormat.CAS,
                "CAS",
                VerbFormat.OFFSET,
                "offset",
                VerbFormat.OPERAND,
                "expected",
                VerbFormat.DESIRED,
                "desired");
        row(table, VerbFormat.FAA, "FAA", VerbFormat.OFFSET, "offset", VerbFormat.OPERAND, "delta");
        row(
                table,
                VerbFormat.MASKED_CAS,
                "MASKED_CAS",
                VerbFormat.OFFSET,
                "offset",
                VerbFormat.OPERAND,
                "expected",
                VerbFormat.COMPARE_MASK,
                "compare mask",
                VerbFormat.MASKED_DESIRED,
                "desired",
                VerbFormat.SWAP_MASK,
                "swap mask");
        row(
                table,
                VerbFormat.MASKED_FAA,
                "MASKED_FAA",
                VerbFormat.OFFSET,
                "offset",
                VerbFormat.OPERAND,
                "delta",
                VerbFormat.FIELD_TOPS,
                "field tops");
        row(table, VerbFormat.FLUSH, "FLUSH", VerbFormat.OFFSET, "zero");
        row(
                table,
                VerbFormat.CALL,
                "CALL",
                VerbFormat.REQUEST_LENGTH,
                "bytes of the request",
                VerbFormat.REPLY_ROOM,
                "bytes of room for the reply");
        row(table, VerbFormat.CHAIN, "CHAIN", VerbFormat.OFFSET, "offset");
        table.append(
                "\nhead        code (bits 0-7), zero (8-15), handle of the region or number of the handler (16-63)\n");
        Path now = Files.createDirectories(Path.of("target", "layouts")).resolve("wire.txt");
        Files.writeString(now, table);
        assertEquals(
                Files.readString(SourceTree.path("docs/internals/layouts/wire.txt")),
                table.toString(),
                "docs/internals/layouts/wire.txt is not the format any more; the table as it is now is in net/wire/"
                        + now);
    }

    private static String line(VerbKind kind) {
        int code = VerbFormat.codeOf(kind.ordinal());
        int lengthAt = VerbFormat.bodyLengthAt(code);
        String text = String.format(
                Locale.ROOT,
                "%4d  %-12s%8d%8d  %s",
                code,
                kind,
                VerbFormat.requestBytes(code),
                VerbFormat.answerBytes(code),
                lengthAt == VerbFormat.NO_BODY ? "" : lengthAt);
        return text.stripTrailing() + "\n";
    }

    /** Adds the words of a verb. They have to fill its fixed bytes, in order and without a gap. */
    private static void row(StringBuilder table, int code, String name, Object... words) {
        table.append(String.format(Locale.ROOT, "%-12s0 head", name));
        int end = Words.BYTES;
        for (int i = 0; i < words.length; i += 2) {
            assertEquals(end, words[i], name + " " + words[i + 1]);
            table.append(", ").append(words[i]).append(' ').append(words[i + 1]);
            end += Words.BYTES;
        }
        assertEquals(VerbFormat.requestBytes(code), end, name);
        if (VerbFormat.bodyLengthAt(code) != VerbFormat.NO_BODY)
            table.append(", ").append(end).append(" body");
        table.append('\n');
    }
}
