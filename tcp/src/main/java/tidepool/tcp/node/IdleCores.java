package tidepool.tcp.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Whether the machine has a core to spare for somebody who spins: not while more threads want to run than there are
 * cores. Asks the kernel ({@code /proc/loadavg}) now and then, and believes something new when it has heard it three
 * times: some thread or other wants to run for a moment all the time. Where there is nobody to ask, no core is to spare.
 */
final class IdleCores implements AutoCloseable {
    private static final long ASK_AGAIN_NANOS = 2_000_000L;
    private static final long ASK_ONCE_MORE_NANOS = 100_000L;
    private static final long ASK_SOON_NANOS = 200_000L;

    /** So often the opposite of what is believed is not believed. */
    private static final int MOST_DOUBTS = 2;

    private final int cores = Runtime.getRuntime().availableProcessors();
    private final ByteBuffer text = ByteBuffer.allocateDirect(128);
    private final FileChannel loadavg;
    private long askAtNanos = Long.MIN_VALUE;
    private long busyNanos = ASK_SOON_NANOS;
    private boolean spare;
    private int doubts;

    IdleCores() {
        FileChannel channel = null;
        try {
            channel = FileChannel.open(Path.of("/proc/loadavg"), StandardOpenOption.READ);
        } catch (IOException e) {
            // Not Linux.
        }
        loadavg = channel;
    }

    boolean isOneSpare(long nowNanos) {
        if (nowNanos < askAtNanos) return spare;
        boolean believed = heard(cores > 1 && running() <= cores);
        askAtNanos = nowNanos + pauseNanos();
        return believed;
    }

    /** Most who want a core want it for a moment, so the next question comes soon; later and later if they stay. */
    long pauseNanos() {
        if (doubts > 0) return ASK_ONCE_MORE_NANOS;
        long nanos = spare ? ASK_AGAIN_NANOS : busyNanos;
        busyNanos = spare ? ASK_SOON_NANOS : Math.min(2 * busyNanos, ASK_AGAIN_NANOS);
        return nanos;
    }

    /** What the kernel says now; returns what is believed. */
    boolean heard(boolean now) {
        if (now == spare) {
            doubts = 0;
        } else if (++doubts > MOST_DOUBTS) {
            spare = now;
            doubts = 0;
        }
        return spare;
    }

    /** How many threads run or want to, ourselves among them: the number before the slash. */
    private int running() {
        if (loadavg == null) return Integer.MAX_VALUE;
        try {
            text.clear();
            int bytes = loadavg.read(text, 0);
            int number = 0;
            for (int i = 0; i < bytes; i++) {
                byte c = text.get(i);
                if (c == '/') return number;
                number = c >= '0' && c <= '9' ? 10 * number + c - '0' : 0;
            }
            return Integer.MAX_VALUE;
        } catch (IOException e) {
            return Integer.MAX_VALUE;
        }
    }

    @Override
    public void close() {
        try {
            if (loadavg != null) loadavg.close();
        } catch (IOException e) {
            // Nothing was written to it.
        }
    }
}
