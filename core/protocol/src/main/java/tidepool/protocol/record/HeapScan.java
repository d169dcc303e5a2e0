package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.store.LogHeapLayout;
import tidepool.store.LogLayout;
import tidepool.store.Pointer;

/**
 * What coordinators have left in the log heap of every node, found by the owners of its blocks. Nothing is linked, so
 * nothing can be lost with a link.
 */
public class HeapScan {
    private final PoolRegions pool;
    private final Lane lane;
    private final LogHeapLayout layout;
    private final Round round;

    /** The owners of the blocks of each node. */
    private final long[][] owners;

    /** Only the nodes whose log region has a heap; an older program may have added one without. */
    private final boolean[] has;

    private MemorySegment landing;
    private boolean any;

    public HeapScan(PoolRegions pool, Lane lane, LogHeapLayout layout) {
        this.pool = pool;
        this.lane = lane;
        this.layout = layout;
        this.round = lane.growingRound(pool.nodes());
        this.owners = new long[pool.nodes()][layout.blocks()];
        this.has = new boolean[pool.nodes()];
        for (int node = 0; node < has.length; node++)
            has[node] = layout.blocks() > 0 && pool.log(node).bytes() >= layout.at() + layout.bytes();
    }

    /** Reads the owners of all blocks. Waits for the answers of the nodes. */
    public final void read() {
        if (layout.blocks() == 0) return;
        if (landing == null) landing = lane.landing(pool.nodes() * layout.ownersBytes());
        boolean asked = false;
        for (int node = 0; node < has.length; node++) {
            if (!has[node]) continue;
            round.read(pool.log(node), layout.at(), layout.ownersBytes(), landing, node * layout.ownersBytes());
            asked = true;
        }
        if (asked) round.post().await();
        any = false;
        for (int node = 0; node < has.length; node++)
            for (int i = 0; i < layout.blocks(); i++) {
                owners[node][i] =
                        has[node] ? Words.plain(landing, node * layout.ownersBytes() + i * (long) Words.BYTES) : 0;
                any |= owners[node][i] != 0;
            }
    }

    /** Returns the number of blocks of a node that have an owner. */
    public final int owned(int node) {
        int count = 0;
        for (long owner : owners[node]) if (owner != 0) count++;
        return count;
    }

    // ---- logs

    /** The log of a coordinator's slot on a node: the blocks in which it lies, in their order. */
    static final class Place {
        final int node;
        private final long[] at;

        private Place(int node, long[] at) {
            this.node = node;
            this.at = at;
        }

        /** Returns where the log begins in the log region. */
        long at() {
            return at[0];
        }

        private long maxBytes() {
            return at.length * LogHeapLayout.BLOCK_BYTES;
        }
    }

    /** Returns where a slot's log lies in the heap of a node; null if no log is there. */
    final Place log(int coordinator, int slot, int node) {
        if (!any) return null;
        long[] at = new long[0];
        for (int i = 0; i < layout.blocks(); i++) {
            long owner = owners[node][i];
            if (!isOf(owner, coordinator, LogHeapLayout.LOG) || LogHeapLayout.slot(owner) != slot) continue;
            int position = LogHeapLayout.position(owner);
            if (position >= at.length) at = Arrays.copyOf(at, position + 1);
            at[position] = layout.block(i);
        }
        for (long block : at) if (block == 0) return null; // its owners were about to be written
        return at.length == 0 ? null : new Place(node, at);
    }

    /** Reads the header of a log that lies in the heap. Waits for the node. */
    final MemorySegment header(Place place) {
        MemorySegment header = lane.landing(LogLayout.ENTRIES);
        round.read(pool.log(place.node), place.at(), LogLayout.ENTRIES, header, 0)
                .post()
                .await();
        return header;
    }

    /** Reads a log; null if it is not whole. Waits for the node. */
    final MemorySegment read(Place place) {
        long bytes = ImageLog.bytes(header(place), 0, place.maxBytes());
        if (bytes == 0) return null;
        MemorySegment log = lane.landing(bytes);
        long done = 0;
        for (int i = 0; done < bytes; i++, done += LogHeapLayout.BLOCK_BYTES)
            round.read(pool.log(place.node), place.at[i], Math.min(LogHeapLayout.BLOCK_BYTES, bytes - done), log, done);
        round.post().await();
        return ImageLog.isWhole(log, 0, bytes) ? log : null;
    }

    // ---- intents

    /** Calls for each word of the intents of a coordinator on a node that is not 0. Waits for the node. */
    protected void intents(int coordinator, int node, LongConsumer intent) {
        intents(node, owner -> isOf(owner, coordinator, LogHeapLayout.INTENTS), intent);
    }

    /** Calls for each intent of all coordinators on a node. */
    protected void intents(int node, LongConsumer intent) {
        intents(node, owner -> LogHeapLayout.kind(owner) == LogHeapLayout.INTENTS, intent);
    }

    private void intents(int node, LongPredicate wanted, LongConsumer intent) {
        if (!any) return;
        MemorySegment block = null;
        for (int i = 0; i < layout.blocks(); i++) {
            if (!wanted.test(owners[node][i])) continue;
            if (block == null) block = lane.landing(LogHeapLayout.BLOCK_BYTES);
            round.read(pool.log(node), layout.block(i), LogHeapLayout.BLOCK_BYTES, block, 0)
                    .post()
                    .await();
            for (long at = 0; at < LogHeapLayout.BLOCK_BYTES; at += Words.BYTES)
                if (Words.plain(block, at) != Pointer.NOWHERE) intent.accept(Words.plain(block, at));
        }
    }

    private static boolean isOf(long owner, int coordinator, int kind) {
        return LogHeapLayout.coordinator(owner) == coordinator && LogHeapLayout.kind(owner) == kind;
    }

    // ---- giving back

    /** Marks the logs of a coordinator in the heap as over, on all nodes. Waits for the nodes. */
    final void end(int coordinator) {
        if (!any) return;
        boolean asked = false;
        for (int node = 0; node < owners.length; node++)
            for (int i = 0; i < layout.blocks(); i++) {
                long owner = owners[node][i];
                if (!isOf(owner, coordinator, LogHeapLayout.LOG) || LogHeapLayout.position(owner) != 0) continue;
                round.write(pool.log(node), layout.block(i), LogLayout.OVER);
                asked = true;
            }
        if (asked) round.post().await();
    }

    /** Gives back the blocks of a coordinator. Waits for the nodes. */
    protected void release(int coordinator) {
        List<Long> places = new ArrayList<>();
        for (int node = 0; any && node < owners.length; node++) {
            places.clear();
            for (int i = 0; i < layout.blocks(); i++) {
                if (LogHeapLayout.coordinator(owners[node][i]) != coordinator) continue;
                owners[node][i] = 0;
                places.add(layout.owner(i));
            }
            for (long at : places) round.write(pool.log(node), at, 0);
            if (!places.isEmpty()) round.post().await();
        }
    }

    /** Gives back all blocks: no session is in the pool. Waits for the nodes. */
    final void releaseAll() {
        for (int node = 0; any && node < owners.length; node++) {
            boolean asked = false;
            for (int i = 0; i < layout.blocks(); i++) {
                if (owners[node][i] == 0) continue;
                owners[node][i] = 0;
                round.write(pool.log(node), layout.owner(i), 0);
                asked = true;
            }
            if (asked) round.post().await();
        }
    }
}
