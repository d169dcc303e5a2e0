package tidepool.peers;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * One connection to Redis, in its protocol (RESP 2). Commands are collected, and sent together when the caller waits
 * for an answer that has not arrived yet, so that a pipeline costs few system calls. Writes and reads are blocking
 * calls. Allocates nothing. Used by one thread.
 *
 * <pre>
 *   command   *3 CRLF $7 CRLF EVALSHA CRLF …          an array of strings
 *   answer    :12 CRLF      $5 CRLF value CRLF      $-1 CRLF      +OK CRLF      -ERR what is wrong CRLF
 * </pre>
 */
final class RespConnection implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int LONGEST_HEAD = 32;
    private static final int MAX_DIGITS = 20;

    private final SocketChannel channel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);
    private final byte[] digits = new byte[MAX_DIGITS];

    RespConnection(SocketChannel channel) {
        this.channel = channel;
    }

    // ---- commands

    /** Begins a command of this number of words. */
    RespConnection command(int words) {
        return head('*', words);
    }

    /** Adds the next word of the command. */
    RespConnection word(byte[] bytes) {
        head('$', bytes.length);
        room(bytes.length + 2);
        out.put(bytes);
        return end();
    }

    RespConnection word(String ascii) {
        return word(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    /** Adds a number as the next word, in digits. */
    RespConnection word(long number) {
        head('$', toDigits(number));
        int length = toDigits(number); // again: the head has overwritten the digits
        room(length + 2);
        out.put(digits, MAX_DIGITS - length, length);
        return end();
    }

    /** Adds a letter followed by a number as the next word: the name of a key. */
    RespConnection word(char letter, long number) {
        head('$', toDigits(number) + 1);
        int length = toDigits(number);
        room(length + 3);
        out.put((byte) letter).put(digits, MAX_DIGITS - length, length);
        return end();
    }

    private RespConnection head(char kind, long number) {
        int length = toDigits(number);
        room(LONGEST_HEAD);
        out.put((byte) kind).put(digits, MAX_DIGITS - length, length);
        return end();
    }

    private RespConnection end() {
        out.put((byte) '\r').put((byte) '\n');
        return this;
    }

    /** Writes the digits of a number to the end of {@link #digits}. Returns their count. */
    private int toDigits(long number) {
        int at = MAX_DIGITS;
        long rest = Math.abs(number);
        do {
            digits[--at] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        if (number < 0) digits[--at] = '-';
        return MAX_DIGITS - at;
    }

    private void room(int bytes) {
        if (out.remaining() < bytes) flush();
        if (out.remaining() < bytes) throw new IllegalArgumentException("a word of " + bytes + " bytes is too long");
    }

    private void flush() {
        try {
            out.flip();
            while (out.hasRemaining()) channel.write(out);
            out.clear();
        } catch (IOException e) {
            throw lost(e);
        }
    }

    // ---- answers

    /** Waits for an answer that is a number. */
    long number() {
        expect(':');
        return rest();
    }

    /**
     * Waits for an answer that is a string, and writes it to the beginning of an array. Returns its length, -1 for
     * none.
     */
    int string(byte[] into) {
        expect('$');
        int length = (int) rest();
        if (length < 0) return length;
        if (length > into.length) throw new IllegalStateException("Redis answered with " + length + " bytes");
        atLeast(length + 2);
        in.get(into, 0, length);
        in.position(in.position() + 2);
        return length;
    }

    /** Waits for the head of an answer with several parts. Returns their number. */
    int parts() {
        expect('*');
        return (int) rest();
    }

    /** Waits for an answer that is a word or a line, such as OK. */
    String line() {
        expect('+');
        return restOfLine();
    }

    /** Waits for the answer OK, without making a string of it. */
    void ok() {
        expect('+');
        atLeast(4);
        if (in.get() != 'O' || in.get() != 'K') throw new IllegalStateException("Redis did not say OK");
        in.position(in.position() + 2);
    }

    private void expect(char kind) {
        atLeast(1);
        char found = (char) in.get();
        if (found == kind) return;
        throw new IllegalStateException(
                found == '-' ? "Redis refused: " + restOfLine() : "Redis answered with " + found + ", not " + kind);
    }

    private long rest() {
        atLeast(1);
        byte first = in.get();
        boolean negative = first == '-';
        long number = negative ? 0 : first - '0';
        while (true) {
            atLeast(1);
            byte next = in.get();
            if (next == '\r') break;
            number = 10 * number + next - '0';
        }
        atLeast(1);
        in.get();
        return negative ? -number : number;
    }

    private String restOfLine() {
        StringBuilder line = new StringBuilder();
        while (true) {
            atLeast(1);
            char next = (char) in.get();
            if (next == '\n') return line.toString().strip();
            line.append(next);
        }
    }

    /**
     * Reads until this number of bytes is available. Sends the collected commands first; otherwise no answer would
     * come.
     */
    private void atLeast(int bytes) {
        if (in.remaining() >= bytes) return;
        if (out.position() > 0) flush();
        try {
            in.compact();
            while (in.position() < bytes) {
                if (channel.read(in) < 0) throw new EOFException("it closed the connection");
            }
            in.flip();
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private static UncheckedIOException lost(IOException e) {
        return new UncheckedIOException("Redis cannot be reached any more: " + e.getMessage(), e);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw lost(e);
        }
    }
}
