package tidepool.history;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Records the transactions of a workload in the format that the checker reads.
 *
 * <p>Call {@link #invoke} before the first verb of a transaction and {@link #ok}, {@link #fail} or {@link #info} after
 * the last: then the indices prove the order in real time. Call {@code fail} only if the transaction certainly did not
 * and will not take effect, otherwise {@code info}; after {@code info} its process must not be used again.
 *
 * <p>Threads may share a recorder, and processes may share the counter of their recorders; {@link History#read(List)}
 * merges their files. Each line is handed to the operating system before the method returns, so the invocations of a
 * killed process are in its file. Otherwise its writes would look like garbage to the transactions that read them.
 */
public final class HistoryRecorder implements Closeable {
    private final OutputStream out;
    private final LongSupplier indices;
    private final LongSupplier nanos;

    private final Map<Integer, Open> open = new HashMap<>();
    private final Set<Long> busy = new HashSet<>();
    private final Set<Long> lost = new HashSet<>();
    private int tickets;
    private long oks;

    /** @param ops null if the invocation contains everything */
    private record Open(long process, List<MicroOp> ops) {}

    /**
     * Records into a stream, which the recorder flushes after each line and closes at the end.
     *
     * @param indices gives every event of all recorders of a run its own, growing number
     * @param nanos the clock of the run; only for human readers of the file
     */
    public HistoryRecorder(OutputStream out, LongSupplier indices, LongSupplier nanos) {
        this.out = out;
        this.indices = indices;
        this.nanos = nanos;
    }

    /** Records into a new file. */
    public static HistoryRecorder into(Path file, LongSupplier indices, LongSupplier nanos) throws IOException {
        return new HistoryRecorder(Files.newOutputStream(file), indices, nanos);
    }

    /**
     * Says at the head of the file that transactions may read ranges. Called before anything is recorded; without it
     * the file has the first version of the format, which has none.
     */
    public synchronized HistoryRecorder withRanges() {
        if (tickets > 0) throw new IllegalStateException("the recorder has recorded transactions already");
        write(HistoryLines.format());
        return this;
    }

    /** Records that a transaction is about to begin. Returns the ticket with which its end is recorded. */
    public int invoke(long process, List<MicroOp> ops) {
        return invoke(process, null, ops);
    }

    /** Returns the index of an event that will be recorded. */
    public long tick() {
        return indices.getAsLong();
    }

    /**
     * Records a transaction that is about to commit, with everything that it has read and is going to write. It began
     * when the index was {@link #tick drawn}, before its first verb. A process that is killed before this call has
     * changed nothing. If a process is killed after it, the file contains everything that can be known. The end of the
     * transaction needs no operations any more.
     */
    public int invoke(long process, long begun, List<MicroOp> seen) {
        return invoke(process, (Long) begun, seen);
    }

    private int invoke(long process, Long begun, List<MicroOp> ops) {
        Open transaction = new Open(process, begun == null ? List.copyOf(ops) : null);
        synchronized (this) {
            if (lost.contains(process)) {
                throw new IllegalStateException("process " + process + " left a transaction whose outcome is unknown");
            }
            if (!busy.add(process)) throw new IllegalStateException("process " + process + " has not completed yet");
        }
        // Outside of the lock, because the counter may be in the pool, one round trip away.
        long index = begun != null ? begun : indices.getAsLong();
        byte[] line = HistoryLines.event(index, nanos.getAsLong(), process, "invoke", ops);
        synchronized (this) {
            write(line);
            open.put(++tickets, transaction);
            return tickets;
        }
    }

    /** Records that a transaction took effect, with the results of its reads. */
    public void ok(int ticket, List<MicroOp> ops) {
        complete(ticket, "ok", ops);
    }

    /** Records that a transaction took effect whose invocation contains the results of its reads. */
    public void ok(int ticket) {
        complete(ticket, "ok", null);
    }

    /** Records that a transaction certainly did not take effect, and never will. */
    public void fail(int ticket) {
        complete(ticket, "fail", null);
    }

    /** Records that it is unknown whether a transaction took effect, or will. Its process must not be used again. */
    public void info(int ticket) {
        complete(ticket, "info", null);
    }

    /** Returns the number of transactions that were recorded as having taken effect. */
    public synchronized long oks() {
        return oks;
    }

    private void complete(int ticket, String type, List<MicroOp> results) {
        // The index is drawn first: the completion is not later than this moment.
        long index = indices.getAsLong();
        Open transaction;
        synchronized (this) {
            transaction = open.remove(ticket);
        }
        if (transaction == null) throw new IllegalStateException("ticket " + ticket + " was completed or never given");
        List<MicroOp> ops = results == null ? transaction.ops() : results;
        long time = nanos.getAsLong();
        byte[] line = ops == null
                ? HistoryLines.event(index, time, transaction.process(), type)
                : HistoryLines.event(index, time, transaction.process(), type, ops);
        synchronized (this) {
            write(line);
            busy.remove(transaction.process());
            if (type.equals("ok")) oks++;
            if (type.equals("info")) lost.add(transaction.process());
        }
    }

    private void write(byte[] line) {
        try {
            out.write(line);
            out.flush();
        } catch (IOException failed) {
            throw new UncheckedIOException("the history could not be recorded", failed);
        }
    }

    /** Closes the file. Transactions that have not completed stay as they are: their outcome is unknown. */
    @Override
    public synchronized void close() throws IOException {
        out.close();
    }
}
