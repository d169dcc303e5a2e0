package tidepool.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Checks;
import tidepool.base.Id128;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.store.StoreException.Reason;

/**
 * The growth of all partitions to a larger size, step by step, by a session that does nothing else:
 * {@link #prepare} it, {@link #announce} it, shut out and recover every other session, {@link #copy},
 * {@link #switchOver} and {@link #raise}. Closing it releases the catalog lock. If the growth did not come to its end,
 * closing it also frees the regions that it made. {@code docs/decisions/0037-pool-growth.md} has the crash table.
 *
 * <pre>
 *    prepare       new region of each copy       | zeros                              |
 *    copy          from the old region           | bytes of tables | zeros            |
 *    switchOver    the word of the copy          old region  ->  new region; the old one is freed
 *    raise         PARTITION_BYTES               sessions take areas up to here
 * </pre>
 */
public final class PoolGrowth implements AutoCloseable {
    private static final long PIECE_BYTES = 64 * 1024;

    /** Copies that are copied at one time. */
    private static final int AT_ONCE = 16;

    /** A pointer has 36 bits for a number of words. */
    private static final long MAX_BYTES = 1L << 39;

    /** Called while bytes are copied, with how many are done, and how many there are. */
    @FunctionalInterface
    public interface Progress {
        void copied(long done, long all);
    }

    /** A copy of a partition that is too small. */
    private record Copy(int node, int partition, long word, Id128 old, Id128 larger, long number) {
        Copy with(Id128 made, long madeNumber) {
            return new Copy(node, partition, word, old, made, madeNumber);
        }
    }

    private final Catalog catalog;
    private final Fabric fabric;
    private final Session session;
    private final CatalogCopies copies;
    private final CatalogChanges changes;
    private final long before;
    private final long after;
    private final List<Copy> small = new ArrayList<>();

    private PoolGrowth(Catalog catalog, Session session, CatalogCopies copies, CatalogChanges changes, long bytes) {
        this.catalog = catalog;
        this.fabric = session.fabric();
        this.session = session;
        this.copies = copies;
        this.changes = changes;
        this.after = bytes + 63 & -64;
        this.before = copies.first().get(CatalogLayout.PARTITION_BYTES);
    }

    /** Begins a growth. Waits for the catalog lock. */
    static PoolGrowth begin(
            Catalog catalog, Session session, CatalogCopies copies, CatalogChanges changes, long bytes) {
        Checks.argument(
                bytes >= 0 && bytes <= MAX_BYTES, "memory takes at most " + MAX_BYTES + " per partition, not " + bytes);
        changes.lock();
        return new PoolGrowth(catalog, session, copies, changes, bytes);
    }

    /**
     * Gives one node the regions of the pool's size that came back with smaller ones, and with what they hold. Returns
     * whether it had smaller ones. Only when no other session uses the pool.
     */
    static boolean enlarge(Catalog catalog, Session session, CatalogCopies copies, CatalogChanges changes, int node) {
        PoolGrowth growth = new PoolGrowth(catalog, session, copies, changes, changes.partitionBytes());
        growth.findSmall(node);
        if (growth.small.isEmpty()) return false;
        growth.small.replaceAll(growth::made);
        growth.copy((_, _) -> {});
        growth.switchOver();
        catalog.forgetRegions();
        return true;
    }

    /** Returns the bytes of each copy of a partition before the growth. */
    public long before() {
        return before;
    }

    /** Returns the bytes of each copy of a partition after the growth. */
    public long after() {
        return after;
    }

    /** Returns the bytes of all regions that were made. */
    public long preparedBytes() {
        return small.size() * after;
    }

    /**
     * Makes larger regions, which takes as long as zeroing them. Transactions go on. Returns false if the pool has that
     * size. Refuses a smaller one, and a size for which a node has no room.
     */
    public boolean prepare() {
        if (after < before)
            throw new StoreException(
                    Reason.MISMATCH,
                    "the pool has memory=" + before + " and does not shrink: memory=" + after + " was asked for");
        for (int node = 0; node < fabric.nodes(); node++) findSmall(node);
        if (after == before && small.isEmpty()) return false;
        changes.prepareGrowth();
        catalog.freeUnnamed();
        small.replaceAll(this::made);
        return true;
    }

    /** Finds the copies of a node that have less than the new size. */
    private void findSmall(int node) {
        try (Lane lane = session.lane()) {
            Link link = lane.connect(node);
            Id128[] there = fabric.control(node).regions();
            long[] words = catalog.regions(node);
            for (int p = 0; p < catalog.placement().partitions(); p++) {
                int number = (int) words[1 + p];
                if (number == 0) continue;
                if (number >= there.length || there[number] == null)
                    throw FabricException.unavailable("memory node " + node + " has lost what it held of this pool");
                if (link.open(there[number]).bytes() < after)
                    small.add(new Copy(node, p, words[1 + p], there[number], null, 0));
            }
        }
    }

    private Copy made(Copy copy) {
        NodeControl control = fabric.control(copy.node);
        try {
            Id128 larger = control.createRegion(after);
            return copy.with(larger, CatalogFormat.number(control, larger));
        } catch (FabricException e) {
            if (e.reason() != FabricException.Reason.UNAVAILABLE) throw e;
            control.epoch(); // fails if the node does not answer; otherwise it has refused
            long count = small.stream().filter(each -> each.node == copy.node).count();
            throw new StoreException(
                    Reason.FULL,
                    "the pool cannot grow to memory=" + after + ", and nothing was changed: memory node "
                            + catalog.nameOf(copy.node) + " needs " + count * after + " bytes for " + count
                            + " larger copies, next to what it has; " + e.getMessage());
        }
    }

    /** Announces the growth. From here on no session that opens the pool uses it. */
    public void announce() {
        changes.announceGrowth();
    }

    /**
     * Copies what tables have of each copy into its new region. Only when no session that opened the pool before the
     * announcement can send a verb any more. Waits for the memory nodes.
     */
    public void copy(Progress progress) {
        long used = copies.first().get(CatalogLayout.NEXT_OFFSET);
        long all = used * small.size();
        for (int first = 0; first < small.size(); first += AT_ONCE) {
            List<Copy> some = small.subList(first, Math.min(small.size(), first + AT_ONCE));
            long done = used * first;
            copy(some, used, bytes -> progress.copied(done + bytes * some.size(), all));
        }
    }

    /** Called with the bytes of each copy that are done. */
    @FunctionalInterface
    private interface PieceListener {
        void copied(long bytes);
    }

    private void copy(List<Copy> some, long used, PieceListener told) {
        try (Lane lane = session.lane()) {
            MemorySegment landing = lane.landing(some.size() * PIECE_BYTES);
            Round round = lane.round(some.size());
            List<Region> from = new ArrayList<>();
            List<Region> to = new ArrayList<>();
            for (Copy copy : some) {
                Link link = lane.connect(copy.node);
                from.add(link.open(copy.old));
                to.add(link.open(copy.larger));
            }
            long end =
                    Math.min(used, from.stream().mapToLong(Region::bytes).max().orElseThrow());
            for (long at = 0; at < end; at += PIECE_BYTES) {
                for (int i = 0; i < from.size(); i++) {
                    long piece = piece(from.get(i), at, used);
                    if (piece > 0) round.read(from.get(i), at, piece, landing, i * PIECE_BYTES);
                }
                round.post().await();
                for (int i = 0; i < to.size(); i++) {
                    long piece = piece(from.get(i), at, used);
                    if (piece > 0) round.write(to.get(i), at, piece, landing, i * PIECE_BYTES);
                }
                round.post().await();
                told.copied(Math.min(used, at + PIECE_BYTES));
            }
            if (!catalog.flush().isDurable()) return;
            for (Region region : to) round.flush(region.link());
            round.post().await();
        }
    }

    /** Returns the bytes of the next piece; 0 or less if there are none: a doubted copy may have less than is used. */
    private static long piece(Region from, long at, long used) {
        return Math.min(PIECE_BYTES, Math.min(used, from.bytes()) - at);
    }

    /** Makes the new regions the copies, and frees the old ones. Only after {@link #copy}. */
    public void switchOver() {
        for (Copy copy : small)
            copies.at(copy.node)
                    .put(
                            CatalogLayout.partitionRegion(copy.partition),
                            copy.number | copy.word & CatalogLayout.UNFLUSHED);
        // Flushed before an old region is freed. Otherwise a loss of power could bring back a word that names it.
        if (catalog.flush().isDurable()) copies.flush();
        for (Copy copy : small) CatalogCopies.freeUnlessGone(fabric.control(copy.node), copy.old);
    }

    /** Makes the size of partitions the new one. Only after {@link #switchOver}. */
    public void raise() {
        changes.commitSize(after);
    }

    @Override
    public void close() {
        changes.withdraw();
        changes.unlock();
    }
}
