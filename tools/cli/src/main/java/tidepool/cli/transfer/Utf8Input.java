package tidepool.cli.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** The characters of a UTF-8 file, with their places. A byte order mark at the beginning is not among them. */
final class Utf8Input {
    static final int END = -1;

    private static final int BUFFER = 1 << 16;
    private static final char BYTE_ORDER_MARK = '\ufeff';

    private final InputStream in;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER).flip();
    private final CharBuffer chars = CharBuffer.allocate(BUFFER).flip();
    private boolean isOver; // no bytes are left to be read
    private boolean isMalformed; // what follows the characters is not UTF-8
    private boolean begun;
    private long line = 1;
    private long column;
    private long read;

    Utf8Input(InputStream in) {
        this.in = in;
    }

    /** Returns the next character, and takes it; {@link #END} if there is none. Waits for the file. */
    int next() throws IOException {
        int c = peek();
        if (c == END) return END;
        chars.get();
        if (c == '\n') {
            line++;
            column = 0;
        } else {
            column++;
        }
        return c;
    }

    /** Returns the next character, and leaves it; {@link #END} if there is none. Waits for the file. */
    int peek() throws IOException {
        if (!chars.hasRemaining() && !fill()) return END;
        return chars.get(chars.position());
    }

    private boolean fill() throws IOException {
        while (true) {
            if (isMalformed) throw new BadInputException(line, column + 1, "this is not UTF-8");
            chars.clear();
            CoderResult result = decoder.decode(bytes, chars, isOver);
            isMalformed = result.isError();
            chars.flip();
            if (!begun && chars.hasRemaining()) {
                begun = true;
                if (chars.get(0) == BYTE_ORDER_MARK) chars.get();
            }
            if (chars.hasRemaining()) return true;
            if (isMalformed) continue;
            if (isOver) return false;
            bytes.compact();
            int more = in.read(bytes.array(), bytes.position(), bytes.remaining());
            if (more < 0) isOver = true;
            else bytes.position(bytes.position() + more);
            read += Math.max(0, more);
            bytes.flip();
        }
    }

    /** Returns the line of the character that was taken last. */
    long line() {
        return line;
    }

    /** Returns the place of the next character in its line. */
    long nextColumn() {
        return column + 1;
    }

    /** Returns how many bytes of the file were read. */
    long bytesRead() {
        return read;
    }
}
