package tidepool.tcp.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import tidepool.base.Id128;
import tidepool.base.Ids;
import tidepool.tcp.journal.JournalThread.Work;

/**
 * The journal of a node that runs. One thread owns it, the one that carries out verbs; it says what has changed and goes
 * on, and what it said is written and forced beside it.
 *
 * <p><b>Tickets.</b> {@link #ticket} names everything said so far; it is kept when {@link #kept} has reached it: with
 * {@link Durability#FLUSH} the operating system has it then, with {@link Durability#STRICT} the disk.
 */
public final class Journal implements AutoCloseable {
    /** What is handed over though nobody waits for it. */
    private static final long SPILL_BYTES = 1 << 20;

    private static final int PAGE = 4096;
    private static final MemorySegment ZEROS =
            MemorySegment.ofArray(new byte[PAGE]).asReadOnly();

    /** What may wait to be written; then verbs wait, or are refused where the disk is full. */
    private static final long MOST_WAITING_BYTES = 32 << 20;

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
    private long asked; // what was handed over up to here is kept without another word
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
     * Recovers what is there into {@code target}, or begins a journal, and begins a new life of the node. Refuses what
     * should not be served with a {@link JournalException}.
     *
     * @param progress is run, by another thread, when the owner should look: more is kept, the disk is full, all failed
     */
    public static Journal open(JournalDisk disk, JournalOptions options, Replay target, Ids ids, Runnable progress) {
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

    /** Begins to write. Until then nothing is handed over. */
    public void start(String name) {
        thread = new JournalThread(writer, options.durability() == Durability.STRICT, progress, name);
        thread.start();
    }

    // ---- what has changed; the owner's thread alone

    /** A word of a region, or of the pool's own memory ({@link Entry#META}), is this now. */
    public void word(int pool, int region, long offset, long value) {
        active.word(pool, region, offset, value);
    }

    /** Bytes are these now. Offsets count from the beginning of the whole region. */
    public void bytes(int pool, int region, long offset, MemorySegment from, long at, long length) {
        active.bytes(pool, region, offset, from, at, length);
    }

    /** A pool has come, whose own memory is this. */
    public void pool(int pool, String name, Id128 id, int number, int nodes, MemorySegment meta) {
        active.pool(pool, name, id, number, nodes);
        for (long at = 0; at < meta.byteSize(); at += PAGE)
            if (meta.asSlice(at, PAGE).mismatch(ZEROS) >= 0) active.bytes(pool, Entry.META, at, meta, at, PAGE);
    }

    /** The node has another place in a pool that is there. */
    public void placed(int pool, String name, Id128 id, int number, int nodes) {
        active.pool(pool, name, id, number, nodes);
    }

    /** Entries that somebody else has collected. */
    public void append(Changes changes) {
        active.append(changes.entries());
    }

    // ---- tickets

    /** Everything said so far. */
    public long ticket() {
        return active.isEmpty() ? handedOver : handedOver + 1;
    }

    /** Somebody waits for it. */
    public void want(long ticket) {
        wanted = Math.max(wanted, ticket);
    }

    public long kept() {
        return thread.kept();
    }

    /** The disk is full: nothing more is kept until it is not. */
    public boolean isFull() {
        return thread.isFull();
    }

    /** Whether more can be taken in; false when the disk is full and so is the memory that waits for it. */
    public boolean takesMore() {
        return !thread.isFull() || active.bytes() + thread.queuedBytes() < MOST_WAITING_BYTES;
    }

    /** Why nothing will ever be kept any more; null while all is well. */
    public Throwable failure() {
        return checkpointFailure != null ? checkpointFailure : thread.failure();
    }

    // ---- turns

    /**
     * Hands over what somebody waits for, as soon as the thread beside has nothing else to do.
     *
     * @param quiet whether all that is in memory was said: no control call is under way
     * @param pools the memory of all pools, asked for if a checkpoint begins
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
        else active = thread.add(new Work(active, ++handedOver, force, done), MOST_WAITING_BYTES);
        // What is written while nobody waits is not forced, and not kept: who waits later needs a force of its own.
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

    /** One for which there was no room is tried again later; until then the journal grows. */
    private void looked(Throwable why) {
        if (why == null) {
            writtenAtCheckpoint = writtenAtBegin;
            lastCheckpointBytes = checkpointer.bytes();
            checkpoints++;
        } else if (why instanceof DiskFull) {
            tryAgainAt = thread.written() + SPILL_BYTES;
        } else {
            checkpointFailure = why;
        }
        checkpointer = null;
        endIsAsked = false;
    }

    // ---- for people

    public Durability durability() {
        return options.durability();
    }

    /** How often the node has come back without what was not kept. */
    public long powerLosses() {
        return lives.getLast().powerLosses();
    }

    /** The number of the present life. */
    public long life() {
        return lives.getLast().number();
    }

    /** The last lives of the node that its journal knows; the present one is the last. */
    public List<Life> lives() {
        return lives;
    }

    /** The last start that found the journal shorter than what was acknowledged. */
    public Shortfall shortfall() {
        return lives.getLast().shortfall();
    }

    /** What was wrong with the end of the journal at this start; null if nothing was. */
    public String shortage() {
        return shortage;
    }

    /** Whether an administrator has said since the last start that what the journal has is all there is. */
    public boolean isBelieved() {
        return believed;
    }

    public Id128 node() {
        return node;
    }

    public long forces() {
        return thread.forces();
    }

    /** The last block that was acknowledged. */
    public long acknowledged() {
        return thread.acknowledged();
    }

    public long writtenBytes() {
        return thread.written();
    }

    public long checkpoints() {
        return checkpoints;
    }

    // ---- the end

    /** Writes everything and says that nothing is missing. */
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
            // What was forced is there.
        }
    }

    /** Ends without a word: what was handed over is written if that can be, and nothing says that it is all. */
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
            // What was forced is there.
        }
    }

    private void awaitCheckpoint() {
        if (checkpointer == null) return;
        checkpointer.durable().completeExceptionally(new IllegalStateException("the node ends"));
        JournalThread.join(checkpointThread);
    }
}
