package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.store.CatalogLayout;
import tidepool.store.LogHeapLayout;
import tidepool.store.LogLayout;

/**
 * The blocks of the log heap that a coordinator holds for its present transaction, on every node.
 *
 * <pre>
 *   step      verbs (per node; -> is an order that the fabric keeps for free)       a crash right after the step leaves
 *   claim     READ owners; then CAS owner 0->{c, CLAIMED} of each block             blocks of no meaning  -> freed
 *   intents   WRITE zeros -> WRITE owner={c, INTENTS}; awaited before any intent    zeros                 -> freed
 *   log       WRITE first word=0 -> WRITE owner={c, LOG, slot, i} of each block
 *             -> WRITE log, a piece into each block                                 a torn log, or a log  -> resolved
 *   give back WRITE owner=0 of each block, when the release is answered             some blocks           -> freed
 * </pre>
 *
 * Old content of a block is never taken for that of its new owner: a block of intents was zeroed before, and a block
 * that begins a log has lost the word by which an old log could be recognized.
 */
public class LogHeap {
    private static final int INTENTS_OF_A_BLOCK = (int) (LogHeapLayout.BLOCK_BYTES / Words.BYTES);

    /** How often blocks are looked for again after other coordinators were faster. */
    private static final int MAX_TRIES = 64;

    /** In the place of the owner of a free block that no CAS asks for. */
    private static final long NOT_ASKED = -1;

    private final RecordCoordinator coordinator;
    private final PoolRegions pool;
    private final LogHeapLayout layout;
    private final Round round;
    private final MemorySegment owners;
    private final MemorySegment zeros;
    private final MemorySegment found;
    private final Blocks[] intents;
    private final Blocks[] logs;

    /** How many intents lie in the blocks of each node. */
    private final int[] written;

    private final boolean there;
    private boolean versionRaised;

    /** The numbers of blocks of one node. */
    private static final class Blocks {
        int[] numbers = new int[4];
        int count;

        void add(int number) {
            if (count == numbers.length) numbers = Arrays.copyOf(numbers, 2 * count);
            numbers[count++] = number;
        }
    }

    /** Waits for the answer of the first node, which knows how large the heap is. */
    protected LogHeap(RecordCoordinator coordinator) {
        this.coordinator = coordinator;
        this.pool = coordinator.pool();
        this.round = coordinator.lane().growingRound(pool.nodes());
        this.found = coordinator.lane().landing(Words.BYTES);
        int nodes = pool.nodes();
        intents = new Blocks[nodes];
        logs = new Blocks[nodes];
        written = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            intents[node] = new Blocks();
            logs[node] = new Blocks();
        }
        layout = layout();
        boolean all = layout.blocks() > 0;
        // A node that an older program has added to the pool has no heap.
        for (int node = 0; node < nodes; node++) all &= pool.log(node).bytes() >= layout.at() + layout.bytes();
        there = all;
        owners = coordinator.lane().landing(there ? nodes * layout.ownersBytes() : 0);
        zeros = coordinator.lane().landing(there ? LogHeapLayout.BLOCK_BYTES : 0);
    }

    private LogHeapLayout layout() {
        post(round.read(pool.catalog(0), CatalogLayout.LOG_HEAP_BLOCKS, Words.BYTES, found, 0));
        return new LogHeapLayout(coordinator.areasBytes(), (int) Words.plain(found, 0));
    }

    private static void post(Round built) {
        Step.LOG.on(built).post().await();
    }

    /** Whether the pool was made with a log heap, on every node. */
    final boolean isThere() {
        return there;
    }

    final boolean holdsBlocks() {
        for (int node = 0; node < logs.length; node++) if (intents[node].count + logs[node].count > 0) return true;
        return false;
    }

    final boolean hasLogs() {
        for (Blocks blocks : logs) if (blocks.count > 0) return true;
        return false;
    }

    final boolean hasLog(int node) {
        return logs[node].count > 0;
    }

    // ---- intents

    /** Returns where the next intent of a lock on a node goes. Waits for a block if the last one is full. */
    final long intent(RecordTxn txn, int node) {
        int i = written[node];
        if (i == intents[node].count * INTENTS_OF_A_BLOCK) {
            if (intents[node].count == layout.blocks())
                throw txn.attemptRoom.tooManyLocks(LogLayout.INTENTS + (long) i);
            claimIntents();
        }
        Checks.invariant(i < intents[node].count * INTENTS_OF_A_BLOCK, "an intent lies in a block of its coordinator");
        written[node] = i + 1; // only now: a refused claim leaves no intent to count
        return layout.block(intents[node].numbers[i / INTENTS_OF_A_BLOCK])
                + i % INTENTS_OF_A_BLOCK * (long) Words.BYTES;
    }

    /** Claims one more block on every node: the locks of a large transaction lie on most of them. */
    private void claimIntents() {
        int[] wanted = new int[intents.length];
        Arrays.fill(wanted, 1);
        claim(wanted, intents);
        for (int node = 0; node < intents.length; node++) {
            int position = intents[node].count - 1;
            int block = intents[node].numbers[position];
            round.write(pool.log(node), layout.block(block), LogHeapLayout.BLOCK_BYTES, zeros, 0);
            own(round, node, block, LogHeapLayout.INTENTS, 0, position);
        }
        post(round);
    }

    private void own(Round to, int node, int block, int kind, int slot, int position) {
        to.write(pool.log(node), layout.owner(block), LogHeapLayout.owner(coordinator.number(), kind, slot, position));
    }

    // ---- logs

    /** Claims blocks for the logs that do not fit their slots. */
    final void reserve(RecordTxn txn) {
        int[] wanted = new int[logs.length];
        boolean any = false;
        for (int node = 0; node < wanted.length; node++) {
            long bytes = txn.logBytes(node);
            if (bytes <= coordinator.logSlotBytes()) continue;
            wanted[node] = LogHeapLayout.blocksFor(bytes);
            if (wanted[node] + intents[node].count > layout.blocks())
                throw txn.attemptRoom.tooLargeForHeap(
                        bytes, capacity() - intents[node].count * LogHeapLayout.BLOCK_BYTES);
            any = true;
        }
        if (any) claim(wanted, logs);
    }

    /** Returns the bytes of the heap on each node. */
    final long capacity() {
        return layout.blocks() * LogHeapLayout.BLOCK_BYTES;
    }

    /** Returns where the log of a node begins in its log region. */
    final long logAt(int node) {
        return layout.block(logs[node].numbers[0]);
    }

    /** Adds the WRITEs of a log. All of them precede what follows on the link. */
    protected void addLog(Round to, int node, int slot, long bytes, long log, RecordVerbs verbs) {
        Blocks blocks = logs[node];
        to.write(pool.log(node), logAt(node), 0);
        for (int i = 0; i < blocks.count; i++) own(to, node, blocks.numbers[i], LogHeapLayout.LOG, slot, i);
        long done = 0;
        for (int i = 0; done < bytes; i++, done += LogHeapLayout.BLOCK_BYTES)
            verbs.log(
                    to,
                    node,
                    layout.block(blocks.numbers[i]),
                    Math.min(LogHeapLayout.BLOCK_BYTES, bytes - done),
                    log + done);
    }

    // ---- blocks

    /** Gives all blocks back. Nothing in them is needed any more. */
    protected void giveBack() {
        for (int node = 0; node < logs.length; node++) {
            free(node, intents[node]);
            free(node, logs[node]);
            written[node] = 0;
        }
        post(round);
        round.trim();
    }

    private void free(int node, Blocks blocks) {
        for (int i = 0; i < blocks.count; i++) round.write(pool.log(node), layout.owner(blocks.numbers[i]), 0);
        blocks.count = 0;
    }

    /**
     * Claims blocks on every node. If other coordinators hold too many, the attempt ends: a coordinator that waited
     * here would hold blocks and locks for which others wait.
     */
    private void claim(int[] wanted, Blocks[] into) {
        raiseVersion();
        int[] left = wanted.clone();
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            boolean any = false;
            for (int node = 0; node < left.length; node++) {
                if (left[node] == 0) continue;
                any = true;
                round.read(pool.log(node), layout.at(), layout.ownersBytes(), owners, ownersOf(node));
            }
            if (!any) return;
            post(round);
            for (int node = 0; node < left.length; node++) if (left[node] > 0 && !swap(node, left[node])) throw busy();
            post(round);
            for (int node = 0; node < left.length; node++) if (left[node] > 0) left[node] -= taken(node, into[node]);
        }
        throw busy();
    }

    private AttemptEnd busy() {
        round.discard();
        return AttemptEnd.LOG_HEAP_BUSY;
    }

    private long ownersOf(int node) {
        return node * layout.ownersBytes();
    }

    /** Where the blocks of a search begin. Coordinators begin at different ones, so that they meet rarely. */
    private int first() {
        return (int) (coordinator.number() * 0x9E37_79B9L % layout.blocks());
    }

    /**
     * Adds a CAS for each of {@code many} free blocks. The word found replaces the owner seen. Returns false if the
     * node has too few.
     */
    private boolean swap(int node, int many) {
        long mine = LogHeapLayout.owner(coordinator.number(), LogHeapLayout.CLAIMED, 0, 0);
        int left = many;
        for (int i = 0; i < layout.blocks(); i++) {
            int block = (first() + i) % layout.blocks();
            long at = ownersOf(node) + block * (long) Words.BYTES;
            if (Words.plain(owners, at) != 0) continue;
            if (left == 0) {
                Words.plain(owners, at, NOT_ASKED);
                continue;
            }
            round.compareAndSwap(pool.log(node), layout.owner(block), 0, mine, owners, at);
            left--;
        }
        return left == 0;
    }

    /** Notes the blocks whose CAS has found 0; those not asked for had an owner before. */
    private int taken(int node, Blocks into) {
        int many = 0;
        for (int block = 0; block < layout.blocks(); block++) {
            long at = ownersOf(node) + block * (long) Words.BYTES;
            if (Words.plain(owners, at) != 0) continue;
            into.add(block);
            many++;
        }
        return many;
    }

    /** From here on older programs, which look for no logs in a heap, refuse this pool. */
    private void raiseVersion() {
        if (versionRaised) return;
        Region first = pool.catalog(0);
        post(round.read(first, CatalogLayout.VERSION_AT, Words.BYTES, found, 0));
        long version = Words.plain(found, 0);
        if (version < CatalogLayout.VERSION_OF_CHANGES) {
            for (int node = pool.nodes() - 1; node >= 0; node--)
                post(round.compareAndSwap(
                        pool.catalog(node),
                        CatalogLayout.VERSION_AT,
                        version,
                        CatalogLayout.VERSION_OF_CHANGES,
                        found,
                        0));
            pool.persist(round);
        }
        versionRaised = true;
    }
}
