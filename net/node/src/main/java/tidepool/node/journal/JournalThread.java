package tidepool.node.journal;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The thread that writes blocks and forces them. It writes all waiting blocks and then forces them once. Blocks that
 * come meanwhile wait for the next force. So one force serves many blocks, and forces follow each other as fast as the
 * disk allows.
 *
 * <p>If the disk is full, the thread waits for space. Any other failure, above all a failed force, ends the journal:
 * the operating system may have dropped the data, and a second force would not report it again.
 */
final class JournalThread {
    /** Time without work after which the end record is forced. */
    private static final long PROVE_NANOS = 1_000_000L;

    private static final long FULL_PAUSE_NANOS = 20_000_000L;
    private static final long USUAL_BYTES = 4 << 20;

    /**
     * A request to the thread.
     *
     * @param block the block to write; null if there is none
     * @param ticket the ticket that is kept when the block is written, or with {@link Durability#STRICT} forced
     * @param force whether the block must reach the disk now
     * @param done completed with the last block so far when the block is written, and forced if {@code force} is set;
     *     or null
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
    private boolean over; // guarded by lock: new requests are not written
    private boolean unproven; // the blocks are forced, and only the operating system has the end record
    private long added; // requests handed over; only the owner uses it
    private long finished; // requests written; only the journal thread uses it
    private volatile long done; // a copy of finished for the owner
    private volatile long kept;
    private volatile boolean full;
    private volatile Throwable failure;
    private volatile long forces;
    private volatile long written;
    private volatile long acknowledged;

    /**
     * @param progress called when more is kept, the disk becomes full or stops being full, or the journal has failed
     */
    JournalThread(SegmentWriter writer, boolean strict, Runnable progress, String name) {
        this.writer = writer;
        this.strict = strict;
        this.progress = progress;
        thread = Thread.ofPlatform().daemon().name("tidepool-journal-" + name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    // ---- calls of the owner

    /**
     * Hands a request over. Returns an empty buffer for the next block, or null if the request has no block. Waits for
     * the thread while more than {@code maxQueued} bytes are queued.
     */
    EntryBuffer add(Work work, long maxQueued) {
        lock.lock();
        try {
            while (queuedBytes > maxQueued && !full && failure == null) changed.awaitUninterruptibly();
            if (over) { // the thread has ended; otherwise a waiter for this request would wait for ever
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

    /**
     * Returns whether the thread is idle. Takes no lock: the owner asks at every turn and must not wait for the thread.
     */
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

    /** Returns the last ticket that is kept. */
    long kept() {
        return kept;
    }

    boolean isFull() {
        return full;
    }

    /** Returns why nothing more will ever be kept; null if the journal has not failed. */
    Throwable failure() {
        return failure;
    }

    long forces() {
        return forces;
    }

    long written() {
        return written;
    }

    /** Returns the last block whose changes may have been acknowledged to a client. */
    long acknowledged() {
        return acknowledged;
    }

    /** Writes the queued blocks, unless the disk stays full, and waits for the end of the thread. */
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

    /** Waits for the end of a thread. An interrupt does not shorten the wait and is set again afterwards. */
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

    /**
     * Waits for requests. Returns true with an empty batch if the end record should be forced, and false at the end of
     * the thread.
     */
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

    /** Returns whether no request has come for {@code PROVE_NANOS}. */
    private boolean isQuiet() {
        try {
            for (long left = PROVE_NANOS; queue.isEmpty() && !ending; ) {
                if (left <= 0) return true;
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            return queue.isEmpty() && !ending; // no code interrupts this thread; forcing a record early is harmless
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
            // A checkpoint that begins gets the last block before any later block is written. Forced requests wait
            // below.
            if (work.done != null && !work.force) work.done.complete(writer.sequence());
        }
        if (force && !atOnce) writer.force();
        forces = writer.forces();
        written = writer.written();
        if (force || !strict) acknowledged = writer.sequence();
        if (force || !strict) kept = Math.max(kept, batch.getLast().ticket);
        for (Work work : batch) if (work.done != null && work.force) work.done.complete(writer.sequence());
        // ---- every awaited change is kept from here on ----
        unproven = force && strict;
        finished += batch.size();
        give(batch);
        done = finished; // before the owner is told: it may hand over the next block at once
        progress.run();
    }

    /**
     * Forces the record of the last block. The record distinguishes a damaged block from a torn one. No FLUSH waits for
     * it. While there is work, {@link EndFile} forces one record of many.
     */
    private void prove() throws IOException {
        unproven = false;
        try {
            writer.proveEnd();
        } catch (DiskFullException e) {
            // The earlier record claims less and is still true.
        }
    }

    private void append(EntryBuffer block, boolean force) throws IOException {
        while (true) {
            try {
                if (force) writer.appendForced(block);
                else writer.append(block);
                if (full) setFull(false);
                return;
            } catch (DiskFullException e) {
                if (!full) setFull(true);
                pause(e);
            }
        }
    }

    private void setFull(boolean now) {
        full = now;
        progress.run();
    }

    private void pause(DiskFullException e) throws DiskFullException {
        lock.lock();
        try {
            changed.signalAll(); // otherwise an owner that waits in add would wait until the disk has space
            if (ending) throw e;
            for (long left = FULL_PAUSE_NANOS; left > 0 && !ending; ) left = changed.awaitNanos(left);
        } catch (InterruptedException again) {
            Thread.currentThread().interrupt();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** Empties the written blocks for reuse. */
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
