package tidepool.peers;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * One connection to Redis, in its own language (RESP 2). Commands are collected and leave together when an answer is
 * waited for that has not come yet, so that a pipeline costs few system calls; then they are written and read by blocking
 * calls. Allocates nothing. For one thread.
 *
 * <pre>
 *   command   *3 CRLF $7 CRLF EVALSHA CRLF …          an array of strings
 *   answer    :12 CRLF      $5 CRLF value CRLF      $-1 CRLF      +OK CRLF      -ERR what is wrong CRLF
 * </pre>
 */
final class RespConnection implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int LONGEST_HEAD = 32;
    private static final int MOST_DIGITS = 20;

    private final SocketChannel channel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);
    private final byte[] digits = new byte[MOST_DIGITS];

    RespConnection(SocketChannel channel) {
        this.channel = channel;
    }

    // ---- commands

    /** Begins a command of so many words. */
    RespConnection command(int words) {
        return head('*', words);
    }

    /** The next word of the command. */
    RespConnection word(byte[] bytes) {
        head('$', bytes.length);
        room(bytes.length + 2);
        out.put(bytes);
        return end();
    }

    RespConnection word(String ascii) {
        return word(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    /** A number as the next word, in digits. */
    RespConnection word(long number) {
        head('$', toDigits(number));
        int length = toDigits(number); // again: the head had digits of its own
        room(length + 2);
        out.put(digits, MOST_DIGITS - length, length);
        return end();
    }

    /** A letter and a number behind it as the next word: the name of a key. */
    RespConnection word(char letter, long number) {
        head('$', toDigits(number) + 1);
        int length = toDigits(number);
        room(length + 3);
        out.put((byte) letter).put(digits, MOST_DIGITS - length, length);
        return end();
    }

    private RespConnection head(char kind, long number) {
        int length = toDigits(number);
        room(LONGEST_HEAD);
        out.put((byte) kind).put(digits, MOST_DIGITS - length, length);
        return end();
    }

    private RespConnection end() {
        out.put((byte) '\r').put((byte) '\n');
        return this;
    }

    /** Writes the digits of a number to the end of {@link #digits}; returns how many. */
    private int toDigits(long number) {
        int at = MOST_DIGITS;
        long rest = Math.abs(number);
        do {
            digits[--at] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        if (number < 0) digits[--at] = '-';
        return MOST_DIGITS - at;
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

    /** An answer that is a number. Waits. */
    long number() {
        expect(':');
        return rest();
    }

    /** An answer that is a string, written to the beginning of an array. Returns its length, -1 for none. Waits. */
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

    /** The head of an answer with several parts: how many. Waits. */
    int parts() {
        expect('*');
        return (int) rest();
    }

    /** An answer in a word or a line, OK for example. Waits. */
    String line() {
        expect('+');
        return restOfLine();
    }

    /** The answer OK, without making a string of it. Waits. */
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

    /** Reads until so many bytes are there. Sends what was collected first, or nobody would answer. */
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
