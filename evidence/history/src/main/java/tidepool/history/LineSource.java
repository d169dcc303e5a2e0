package tidepool.history;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Cuts a stream into lines without copying them: after {@link #next} the line lies in {@link #bytes}. */
final class LineSource {
    private final InputStream in;
    private byte[] bytes = new byte[1 << 16];
    private int start;
    private int end;
    private int filled;
    private boolean exhausted;
    private boolean terminated;
    private int number;

    LineSource(InputStream in) {
        this.in = in;
    }

    /** Goes to the next line; returns false if there is none. */
    boolean next() throws IOException {
        start = number == 0 ? 0 : Math.min(filled, end + 1);
        int looked = start;
        while (true) {
            for (int i = looked; i < filled; i++) {
                if (bytes[i] == '\n') return found(i, true);
            }
            looked = filled;
            if (exhausted) return start < filled && found(filled, false);
            looked -= makeRoom();
            int count = in.read(bytes, filled, bytes.length - filled);
            if (count < 0) exhausted = true;
            else filled += count;
        }
    }

    private boolean found(int at, boolean newline) {
        end = at;
        terminated = newline;
        number++;
        return true;
    }

    /**
     * Moves the unfinished line to the front, or doubles the buffer if the line fills it. Returns how far the line
     * moved.
     */
    private int makeRoom() {
        if (filled < bytes.length) return 0;
        int moved = start;
        if (start == 0) bytes = Arrays.copyOf(bytes, bytes.length * 2);
        System.arraycopy(bytes, start, bytes, 0, filled - start);
        filled -= start;
        start = 0;
        return moved;
    }

    byte[] bytes() {
        return bytes;
    }

    int start() {
        return start;
    }

    int length() {
        return end - start;
    }

    /** Returns the line number, counted from 1. */
    int number() {
        return number;
    }

    /** Returns false if the stream ended in the middle of this line. */
    boolean isTerminated() {
        return terminated;
    }

    boolean isBlank() {
        for (int i = start; i < end; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') return false;
        }
        return true;
    }
}
