package tidepool.tcp.journal;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The thread that writes blocks and forces them: all that wait are written, then forced once. What came meanwhile waits
 * for the next time, so there is one force for many, and as many as the disk can do.
 *
 * <p>A full disk is waited for; any other failure, a failed force above all, is the end: what the operating system has
 * dropped then it does not tell a second time.
 */
final class JournalThread {
    /** How long nothing is to be done before the record of the end is forced. */
    private static final long PROVE_NANOS = 1_000_000L;

    private static final long FULL_PAUSE_NANOS = 20_000_000L;
    private static final long USUAL_BYTES = 4 << 20;

    /**
     * Something to be written.
     *
     * @param block null if nothing is
     * @param ticket what is kept when it is; with {@link Durability#STRICT} if it is forced, too
     * @param force whether somebody waits for the disk
     * @param done completed with the last block so far, when it is written, and forced if that was asked for; or null
     */
    record Work(EntryBuffer block, long ticket, boolean force, CompletableFuture<Long> done) {}

    private final SegmentWriter writer;
    private final boolean strict;
    private final Runnable progress;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Work> queue = new ArrayDeque<>(); // guarded by lock
    private final Deque<EntryBuffer> spares = new ArrayDeque<>(); // guarded by lock
    private final Thread thread;
    private long queuedBytes; // guarded by lock
    private boolean ending; // guarded by lock
    private boolean over; // guarded by lock: what comes now is not written
    private boolean unproven; // forced, and the record of it is with the operating system alone
    private long added; // works handed over; the owner's
    private long finished; // those of them that are written; the thread's
    private volatile long done; // the same, for the owner
    private volatile long kept;
    private volatile boolean full;
    private volatile Throwable failure;
    private volatile long forces;
    private volatile long written;
    private volatile long acknowledged;

    /** @param progress is run when more is kept, the disk is full or is not any more, or everything has failed */
    JournalThread(SegmentWriter writer, boolean strict, Runnable progress, String name) {
        this.writer = writer;
        this.strict = strict;
        this.progress = progress;
        thread = Thread.ofPlatform().daemon().name("tidepool-journal-" + name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    // ---- from the owner

    /** Hands a block over; returns an empty one for the next. Waits if too much is waiting already. */
    EntryBuffer add(Work work, long mostQueued) {
        lock.lock();
        try {
            while (queuedBytes > mostQueued && !full && failure == null) changed.awaitUninterruptibly();
            if (over) { // nobody takes it any more, and who waits for it must not wait for ever
                if (work.done != null)
                    work.done.completeExceptionally(
                            failure != null ? failure : new IllegalStateException("the journal has ended"));
                return work.block == null ? null : new EntryBuffer();
            }
            queue.add(work);
            added++;
            if (work.block != null) queuedBytes += work.block.bytes();
            changed.signalAll();
            if (work.block == null) return null;
            EntryBuffer spare = spares.poll();
            return spare == null ? new EntryBuffer() : spare;
        } finally {
            lock.unlock();
        }
    }

    /** Whether it has nothing to do; for the owner, who asks at every turn and must not meet the thread at a lock. */
    boolean isIdle() {
        return added == done;
    }

    long queuedBytes() {
        lock.lock();
        try {
            return queuedBytes;
        } finally {
            lock.unlock();
        }
    }

    /** The last ticket that is kept. */
    long kept() {
        return kept;
    }

    boolean isFull() {
        return full;
    }

    /** Why nothing more will ever be kept; null while all is well. */
    Throwable failure() {
        return failure;
    }

    long forces() {
        return forces;
    }

    long written() {
        return written;
    }

    /** The last block that somebody may have been told of. */
    long acknowledged() {
        return acknowledged;
    }

    /** Writes what is waiting, unless the disk stays full, and ends. */
    void end() {
        lock.lock();
        try {
            ending = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        join(thread);
    }

    /** Waits for its end, whatever happens meanwhile. */
    static void join(Thread other) {
        boolean interrupted = false;
        while (other.isAlive()) {
            try {
                other.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    // ---- the thread

    private void run() {
        Deque<Work> batch = new ArrayDeque<>();
        try {
            while (take(batch)) {
                if (batch.isEmpty()) {
                    prove();
                    continue;
                }
                write(batch);
            }
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
            fail(batch, e);
        } finally {
            progress.run();
        }
    }

    /** Waits for work; without any, comes back empty-handed when the end is to be proven. False at the end. */
    private boolean take(Deque<Work> batch) {
        lock.lock();
        try {
            if (unproven && isQuiet()) return true;
            while (queue.isEmpty() && !ending) changed.awaitUninterruptibly();
            if (queue.isEmpty()) {
                over = true;
                return false;
            }
            batch.addAll(queue);
            queue.clear();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Whether nothing has come for so long. */
    private boolean isQuiet() {
        try {
            for (long left = PROVE_NANOS; queue.isEmpty() && !ending; ) {
                if (left <= 0) return true;
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            return queue.isEmpty() && !ending; // nobody interrupts us; a record that is forced early does no harm
        }
        return false;
    }

    private void write(Deque<Work> batch) throws IOException {
        boolean force = false;
        int blocks = 0;
        for (Work work : batch) {
            force |= work.force;
            if (work.block != null) blocks++;
        }
        boolean atOnce = force && blocks == 1;
        for (Work work : batch) {
            if (work.block != null) append(work.block, atOnce);
            // Whoever asks for the next block gets it before that is written; for the disk one waits below.
            if (work.done != null && !work.force) work.done.complete(writer.sequence());
        }
        if (force && !atOnce) writer.force();
        forces = writer.forces();
        written = writer.written();
        if (force || !strict) acknowledged = writer.sequence();
        if (force || !strict) kept = Math.max(kept, batch.getLast().ticket);
        for (Work work : batch) if (work.done != null && work.force) work.done.complete(writer.sequence());
        // ---- whatever somebody waited for is kept from here on ----
        unproven = force && strict;
        finished += batch.size();
        give(batch);
        done = finished; // before the owner is told: it may hand over the next block at once
        progress.run();
    }

    /**
     * Forces the record of the last block, which tells a damaged block from a torn one. No FLUSH waits for it; while there
     * is work the record is forced now and then.
     */
    private void prove() throws IOException {
        unproven = false;
        try {
            writer.proveEnd();
        } catch (DiskFull e) {
            // The record of before claims less, and is true.
        }
    }

    private void append(EntryBuffer block, boolean force) throws IOException {
        while (true) {
            try {
                if (force) writer.appendForced(block);
                else writer.append(block);
                if (full) setFull(false);
                return;
            } catch (DiskFull e) {
                if (!full) setFull(true);
                pause(e);
            }
        }
    }

    private void setFull(boolean now) {
        full = now;
        progress.run();
    }

    private void pause(DiskFull e) throws DiskFull {
        lock.lock();
        try {
            changed.signalAll(); // who waits for room must not wait any longer
            if (ending) throw e;
            for (long left = FULL_PAUSE_NANOS; left > 0 && !ending; ) left = changed.awaitNanos(left);
        } catch (InterruptedException again) {
            Thread.currentThread().interrupt();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** What was written can be filled again. */
    private void give(Deque<Work> batch) {
        lock.lock();
        try {
            for (Work work : batch) {
                if (work.block == null) continue;
                queuedBytes -= work.block.bytes();
                work.block.clear(USUAL_BYTES);
                if (spares.size() < 2) spares.add(work.block);
            }
            batch.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void fail(Deque<Work> batch, Throwable why) {
        lock.lock();
        try {
            over = true;
            batch.addAll(queue);
            queue.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        for (Work work : batch) if (work.done != null) work.done.completeExceptionally(why);
    }
}
