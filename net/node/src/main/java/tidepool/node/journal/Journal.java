package tidepool.node.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import tidepool.base.Id128;
import tidepool.base.Ids;
import tidepool.node.journal.JournalThread.Work;
import tidepool.wire.Shortfall;

/**
 * The journal of a running node. The thread that executes verbs owns it. The owner records what has changed and
 * continues. Another thread writes and forces the recorded changes.
 *
 * <p><b>Tickets.</b> {@link #ticket} stands for everything recorded so far. It is kept when {@link #kept} has reached
 * it: the operating system has the changes with {@link Durability#FLUSH}, the disk has them with
 * {@link Durability#STRICT}.
 */
public final class Journal implements AutoCloseable {
    /** A block of this size is handed over even if no FLUSH waits for it. */
    private static final long SPILL_BYTES = 1 << 20;

    private static final int PAGE = 4096;
    private static final MemorySegment ZEROS =
            MemorySegment.ofArray(new byte[PAGE]).asReadOnly();

    /** Limit of the bytes that wait to be written. Beyond it verbs wait, or are refused if the disk is full. */
    private static final long MAX_WAITING_BYTES = 32 << 20;

    private final JournalDisk disk;
    private final JournalOptions options;
    private final Id128 node;
    private final List<Life> lives;
    private final String shortage;
    private final boolean believed;
    private final SegmentWriter writer;
    private final Runnable progress;
    private JournalThread thread;
    private EntryBuffer active = new EntryBuffer();
    private long handedOver;
    private long asked; // tickets up to here become kept without another request
    private long wanted;
    private long writtenAtCheckpoint;
    private long lastCheckpointBytes;
    private long checkpoints;
    private Checkpointer checkpointer;
    private Thread checkpointThread;
    private long writtenAtBegin;
    private long tryAgainAt;
    private boolean endIsAsked;
    private Throwable checkpointFailure;
    private boolean ended;

    /**
     * Recovers an existing journal into {@code target}, or begins a journal, and begins a new life of the node. Throws
     * a {@link JournalException} if the journal must not be served.
     *
     * @param progress called by another thread when more is kept, when the disk becomes full or stops being full, and
     *     when the journal has failed
     */
    public static Journal open(
            JournalDisk disk, JournalOptions options, EntryVisitor target, Ids ids, Runnable progress) {
        try {
            return new Journal(disk, options, new JournalStart(disk, options, target, ids), progress);
        } catch (IOException e) {
            throw new JournalException(
                    JournalException.Reason.FAILED, "the journal cannot be opened (" + e + "): " + disk.path(""), e);
        }
    }

    private Journal(JournalDisk disk, JournalOptions options, JournalStart start, Runnable progress) {
        this.disk = disk;
        this.options = options;
        this.progress = progress;
        this.node = start.node();
        this.lives = start.lives();
        this.shortage = start.shortage();
        this.believed = start.isBelieved();
        this.writer = start.writer();
        this.writtenAtCheckpoint = -start.journalBytes();
    }

    /** Starts the journal thread. Before this call no block is handed over. */
    public void start(String name) {
        thread = new JournalThread(writer, options.durability() == Durability.STRICT, progress, name);
        thread.start();
    }

    // ---- changes; only the owner's thread

    /** Records the new value of a word of a region, or of the pool's own memory ({@link JournalEntry#META}). */
    public void word(int pool, int region, long offset, long value) {
        active.word(pool, region, offset, value);
    }

    /** Records new bytes. Offsets count from the beginning of the whole region. */
    public void bytes(int pool, int region, long offset, MemorySegment from, long at, long length) {
        active.bytes(pool, region, offset, from, at, length);
    }

    /** Records a new pool and its own memory. */
    public void pool(int pool, String name, Id128 id, int number, int nodes, MemorySegment meta) {
        active.pool(pool, name, id, number, nodes);
        for (long at = 0; at < meta.byteSize(); at += PAGE)
            if (meta.asSlice(at, PAGE).mismatch(ZEROS) >= 0) active.bytes(pool, JournalEntry.META, at, meta, at, PAGE);
    }

    /** Records that the node has another place in an existing pool. */
    public void placed(int pool, String name, Id128 id, int number, int nodes) {
        active.pool(pool, name, id, number, nodes);
    }

    /** Records the changes that another thread has collected. */
    public void append(ChangeSet changes) {
        active.append(changes.entries());
    }

    // ---- tickets

    /** Returns the ticket that stands for everything recorded so far. */
    public long ticket() {
        return active.isEmpty() ? handedOver : handedOver + 1;
    }

    /** Declares that an answer waits for this ticket. */
    public void want(long ticket) {
        wanted = Math.max(wanted, ticket);
    }

    public long kept() {
        return thread.kept();
    }

    /** Returns whether the disk is full. As long as it is, nothing more becomes kept. */
    public boolean isFull() {
        return thread.isFull();
    }

    /**
     * Returns whether more changes can be recorded: false if the disk is full and the waiting bytes are at their limit.
     */
    public boolean hasJournalSpace() {
        return !thread.isFull() || active.bytes() + thread.queuedBytes() < MAX_WAITING_BYTES;
    }

    /** Returns why nothing more will ever be kept; null if the journal has not failed. */
    public Throwable failure() {
        return checkpointFailure != null ? checkpointFailure : thread.failure();
    }

    // ---- turns

    /**
     * Hands over the changes for which an answer waits, as soon as the journal thread is idle. Hands over a large block
     * at once. Begins and advances checkpoints.
     *
     * @param quiet whether every change in memory was recorded: no control call is under way
     * @param pools the memory of all pools; called only if a checkpoint begins
     */
    public void turn(boolean quiet, Supplier<List<PoolMemory>> pools) {
        if (active.bytes() >= SPILL_BYTES) handOver(false, null);
        else if (wanted > asked && thread.isIdle()) handOver(true, null);
        if (checkpointer != null) look(quiet);
        else if (quiet && isCheckpointDue()) begin(pools.get());
    }

    private boolean isCheckpointDue() {
        return !isFull()
                && thread.written() - writtenAtCheckpoint > Math.max(options.checkpointBytes(), lastCheckpointBytes)
                && thread.written() >= tryAgainAt;
    }

    private void handOver(boolean awaited, CompletableFuture<Long> done) {
        boolean strict = options.durability() == Durability.STRICT;
        boolean force = strict && (awaited || wanted > asked) || done != null && awaited;
        if (active.isEmpty()) thread.add(new Work(null, handedOver, force, done), Long.MAX_VALUE);
        else active = thread.add(new Work(active, ++handedOver, force, done), MAX_WAITING_BYTES);
        // If no answer is waiting, written blocks are not forced and not kept: a later wait needs a force of its own.
        if (force || !strict) asked = handedOver;
    }

    // ---- checkpoints

    private void begin(List<PoolMemory> pools) {
        CompletableFuture<Long> before = new CompletableFuture<>();
        handOver(false, before);
        writtenAtBegin = thread.written();
        checkpointer = new Checkpointer(disk, node, lives, pools, before, progress);
        checkpointThread =
                Thread.ofPlatform().daemon().name("tidepool-checkpoint").start(checkpointer);
    }

    private void look(boolean quiet) {
        if (checkpointer.isDone()) {
            looked(checkpointer.failure());
        } else if (quiet && checkpointer.isCopied() && !endIsAsked) {
            endIsAsked = true;
            handOver(true, checkpointer.durable());
        }
    }

    /**
     * Called when a checkpoint has ended. If the disk was full, it is tried again later; until then the journal grows.
     */
    private void looked(Throwable why) {
        if (why == null) {
            writtenAtCheckpoint = writtenAtBegin;
            lastCheckpointBytes = checkpointer.bytes();
            checkpoints++;
        } else if (why instanceof DiskFullException) {
            tryAgainAt = thread.written() + SPILL_BYTES;
        } else {
            checkpointFailure = why;
        }
        checkpointer = null;
        endIsAsked = false;
    }

    // ---- status

    /** Returns how often the node has restarted without the changes that were not kept. */
    public long powerLosses() {
        return lives.getLast().powerLosses();
    }

    /** Returns the number of the present life. */
    public long life() {
        return lives.getLast().number();
    }

    /** Returns the last lives of the node that its journal knows; the present one is the last. */
    public List<Life> lives() {
        return lives;
    }

    /** Returns the last start that found the journal shorter than what was acknowledged. */
    public Shortfall shortfall() {
        return lives.getLast().shortfall();
    }

    /** Returns the fault that this start found at the end of the journal; null if there was none. */
    public String shortage() {
        return shortage;
    }

    /** Returns whether an administrator has declared since the last start that the journal is complete. */
    public boolean isBelieved() {
        return believed;
    }

    public Id128 node() {
        return node;
    }

    public long forces() {
        return thread.forces();
    }

    /** Returns the last block that was acknowledged. */
    public long acknowledged() {
        return thread.acknowledged();
    }

    public long writtenBytes() {
        return thread.written();
    }

    public long checkpoints() {
        return checkpoints;
    }

    // ---- end of a life

    /** Writes all changes and records that the journal is complete. */
    @Override
    public void close() {
        if (ended) return;
        ended = true;
        if (thread != null) {
            if (failure() == null) {
                active.close();
                active = thread.add(new Work(active, ++handedOver, true, null), Long.MAX_VALUE);
            }
            thread.end();
            awaitCheckpoint();
        }
        try {
            if (thread != null && failure() == null) writer.closeEnd();
            writer.close();
        } catch (IOException e) {
            // Everything that was forced is on disk.
        }
    }

    /**
     * Ends without a closing record. Blocks that were handed over are written if possible; the life counts as a crash.
     */
    public void abandon() {
        if (ended) return;
        ended = true;
        if (thread != null) {
            thread.end();
            awaitCheckpoint();
        }
        try {
            writer.close();
        } catch (IOException e) {
            // Everything that was forced is on disk.
        }
    }

    private void awaitCheckpoint() {
        if (checkpointer == null) return;
        checkpointer.durable().completeExceptionally(new IllegalStateException("the node ends"));
        JournalThread.join(checkpointThread);
    }
}
