package tidepool.store;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Checksum64;
import tidepool.base.Id128;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Session;
import tidepool.store.StoreException.Reason;

/** The formatter of a pool: lays the pool out once, and verifies that it is the one that was asked for. */
final class CatalogFormat {
    private static final long PAUSE_NANOS = 100_000;
    private static final int MAX_PAUSES = 100_000;

    private final Fabric fabric;
    private final Roster roster;
    private final CatalogCopies copies;
    private final CatalogWords words;
    private final CatalogLocks locks;
    private long version;

    /** @param roster null for a pool whose nodes never change */
    CatalogFormat(Fabric fabric, Roster roster, CatalogCopies copies, CatalogLocks locks) {
        this.fabric = fabric;
        this.roster = roster;
        this.copies = copies;
        this.words = copies.first();
        this.locks = locks;
    }

    /** Formats the pool if it is not formatted yet. Waits for another session that is formatting it. */
    void formatOnce(PoolOptions options, FlushPolicy flush) {
        formatOnce(options, flush, () -> {});
    }

    /**
     * Formats the pool with content if it is not formatted yet. Waits for another session that is formatting it.
     * Returns true if this call formatted it.
     *
     * @param content writes the content when there is room for it and no session may use it yet
     */
    boolean formatOnce(PoolOptions options, FlushPolicy flush, Runnable content) {
        for (int i = 0; i < MAX_PAUSES; i++) {
            long state = words.get(CatalogLayout.STATE);
            if (state == CatalogLayout.READY) return false;
            if (state == 0) refuseIfEmptied();
            boolean mine = state == 0
                    ? words.swap(CatalogLayout.STATE, 0, locks.me()) == 0
                    : locks.tryTakeFrom(CatalogLayout.STATE, state);
            if (mine) {
                formatOrUndo(options, flush, content);
                return true;
            }
            Waiting.pause(PAUSE_NANOS);
        }
        throw new StoreException(Reason.BUSY, "somebody has been formatting this pool for too long");
    }

    /**
     * Refuses a first node that holds nothing while other nodes do: it has lost its data, and the pool is not a new
     * one. The state is read again after those of the others, because a formatter may have begun and ended meanwhile.
     */
    private void refuseIfEmptied() {
        boolean known = roster != null && roster.epoch() > 1;
        for (int node = 1; node < fabric.nodes(); node++)
            known |= copies.at(node).get(CatalogLayout.STATE) == CatalogLayout.READY;
        if (known && words.get(CatalogLayout.STATE) == 0) throw emptied(0);
    }

    /**
     * A roster will drop the emptied node; until then the pool is unavailable. Without a roster the pool is corrupt.
     */
    private RuntimeException emptied(int node) {
        String what = "memory node " + node + " holds nothing of this pool, and others do: it has lost what it held, or"
                + " is another one";
        return roster == null ? new StoreException(Reason.CORRUPT, what) : FabricException.unavailable(what);
    }

    /**
     * Refuses a durable pool on nodes that keep nothing. Otherwise they would answer FLUSH, and a loss of power would
     * lose transactions that were reported as durable.
     */
    private void refuseForgetful(FlushPolicy flush) {
        if (!flush.isDurable()) return;
        for (int node = 0; node < fabric.nodes(); node++)
            if (!fabric.control(node).keepsFlushed())
                throw new StoreException(
                        Reason.MISMATCH,
                        "the pool is to be made with " + flush.text() + ", and memory node " + node
                                + " keeps nothing: start it with --durability flush or strict, or leave "
                                + flush.text() + " out");
    }

    /** Formats the pool. If there is no room for it, frees all regions that were made for it. */
    private void formatOrUndo(PoolOptions options, FlushPolicy flush, Runnable content) {
        List<Made> made = new ArrayList<>();
        try {
            layOut(options, flush, made);
            content.run();
        } catch (RuntimeException e) {
            undo(made, e);
            throw e;
        }
        publish();
    }

    /** A region that this formatter has made. */
    private record Made(int node, Id128 capability) {}

    /**
     * Frees only regions of this formatter. If its session was taken for dead meanwhile, another formatter is at work
     * with regions of its own. After a failure here the next formatter frees the remaining regions.
     */
    private void undo(List<Made> made, RuntimeException cause) {
        try {
            for (Made region : made.reversed()) fabric.control(region.node()).freeRegion(region.capability());
            locks.release(CatalogLayout.STATE);
            words.flush();
        } catch (FabricException e) {
            cause.addSuppressed(e);
        }
    }

    /** Discards a pool that could not be laid out, so that its place is as empty as before. */
    static void discardUnmade(Fabric fabric, Session session, RuntimeException cause) {
        try {
            Lane lane = session.lane();
            for (int node = 0; node < fabric.nodes(); node++) {
                Id128[] regions = fabric.control(node).regions();
                for (int i = 1; i < regions.length; i++) if (regions[i] != null) return;
                if (regions.length == 0) continue;
                CatalogWords own = new CatalogWords(lane, lane.connect(node).open(regions[0]));
                if (own.get(CatalogLayout.STATE) != 0) return;
            }
            fabric.discard();
        } catch (FabricException e) {
            cause.addSuppressed(e); // a pool that cannot be read is kept
        }
    }

    private void layOut(PoolOptions options, FlushPolicy flush, List<Made> made) {
        refuseForgetful(flush);
        words.flush(); // the start is persistent before any other node is READY
        int partitions = options.partitions() == 0 ? fabric.nodes() : options.partitions();
        if (roster != null) partitions = roster.partitions().size();
        Placement placement = roster != null
                ? new Placement(roster, options.replicas())
                : new Placement(fabric.nodes(), partitions, options.replicas());
        if (fabric.nodes() > 64) throw new StoreException(Reason.FULL, "at most 64 memory nodes");
        for (int node = 0; node < fabric.nodes(); node++) {
            // A formatter that died left regions that nothing refers to.
            Id128[] left = fabric.control(node).regions();
            for (int i = 1; i < left.length; i++)
                if (left[i] != null) CatalogCopies.freeUnlessGone(fabric.control(node), left[i]);
            CatalogWords own = copies.at(node);
            long areas = options.coordinators() * LogLayout.areaBytes(options.logSlotBytes());
            long logBytes = areas + new LogHeapLayout(areas, LogHeapLayout.blocks(options.logHeapBytes())).bytes();
            own.put(CatalogLayout.LOG_REGION, create(node, logBytes, made));
            for (int p = 0; p < partitions; p++)
                own.put(
                        CatalogLayout.partitionRegion(p),
                        placement.holds(node, p)
                                ? create(node, options.partitionBytes(), made)
                                        | (flush.isAt(node, placement, p) ? 0 : CatalogLayout.UNFLUSHED)
                                : 0);
            own.put(CatalogLayout.POWER_LOSSES, fabric.control(node).powerLosses());
        }
        copies.put(CatalogLayout.PROTOCOL, protocolWord(options.protocol()));
        copies.put(CatalogLayout.PARTITIONS, partitions);
        copies.put(CatalogLayout.REPLICAS, options.replicas());
        copies.put(CatalogLayout.PARTITION_BYTES, options.partitionBytes());
        copies.put(CatalogLayout.COORDINATOR_COUNT, options.coordinators());
        copies.put(CatalogLayout.LOG_SLOT_BYTES, options.logSlotBytes());
        copies.put(CatalogLayout.LOG_HEAP_BLOCKS, LogHeapLayout.blocks(options.logHeapBytes()));
        copies.put(CatalogLayout.FLUSH, flush.ordinal());
        copies.put(CatalogLayout.NEXT_OFFSET, CatalogSpace.FIRST);
        copies.put(CatalogLayout.VERSION_AT, CatalogLayout.VERSION);
        copies.put(CatalogLayout.CHECKSUM, geometryChecksum(words));
        copies.put(CatalogLayout.MAGIC_AT, CatalogLayout.MAGIC);
        copies.put(CatalogLayout.EPOCH, roster != null ? roster.epoch() : 1);
    }

    private void publish() {
        // Flushed in a pool without durability too. After a loss of power the catalog can then tell what the pool was.
        copies.flush();
        for (int node = 1; node < fabric.nodes(); node++) copies.at(node).put(CatalogLayout.STATE, CatalogLayout.READY);
        copies.flush();
        words.swap(CatalogLayout.STATE, locks.me(), CatalogLayout.READY);
        words.flush();
    }

    private long create(int node, long bytes, List<Made> made) {
        NodeControl control = fabric.control(node);
        Id128 capability = control.createRegion(bytes);
        made.add(new Made(node, capability));
        return number(control, capability);
    }

    static long create(NodeControl control, long bytes) {
        return number(control, control.createRegion(bytes));
    }

    /** Returns the number of a region that was just made. */
    static long number(NodeControl control, Id128 capability) {
        Id128[] all = control.regions();
        for (int i = all.length - 1; i >= 0; i--) if (capability.equals(all[i])) return i;
        throw new StoreException(Reason.CORRUPT, "a region that was just made is not there");
    }

    /** Returns the format version of the pool, as it was verified. */
    long version() {
        return version;
    }

    /** Refuses a pool that is damaged or not the one that was asked for. Returns its flush policy. */
    FlushPolicy verify(PoolOptions options, FlushPolicy asked) {
        for (int node = 1; node < fabric.nodes(); node++)
            if (copies.at(node).get(CatalogLayout.STATE) != CatalogLayout.READY) throw emptied(node);
        return verifyFirst(options, asked);
    }

    /**
     * Verifies the pool by the catalog of the first node alone, because other nodes may be new. Returns its flush
     * policy.
     */
    FlushPolicy verifyFirst(PoolOptions options, FlushPolicy asked) {
        words.read(0, CatalogLayout.HEADER.byteSize());
        if (landed(CatalogLayout.MAGIC_AT) != CatalogLayout.MAGIC)
            throw new StoreException(Reason.CORRUPT, "region 0 of the first memory node is not a catalog");
        version = landed(CatalogLayout.VERSION_AT);
        refuseOtherVersion(version, protocolText(landed(CatalogLayout.PROTOCOL)));
        if (landed(CatalogLayout.CHECKSUM) != landedChecksum(words, landed(CatalogLayout.PARTITION_BYTES)))
            requireReplacedSize();
        if (landed(CatalogLayout.PROTOCOL) != protocolWord(options.protocol()))
            throw new StoreException(
                    Reason.MISMATCH,
                    "this pool holds records of protocol " + protocolText(landed(CatalogLayout.PROTOCOL)) + ", not of "
                            + options.protocol());
        long flush = landed(CatalogLayout.FLUSH);
        if (flush < 0 || flush >= FlushPolicy.values().length)
            throw new StoreException(Reason.CORRUPT, "the catalog says flush=" + flush + ", which means nothing");
        FlushPolicy made = FlushPolicy.values()[(int) flush];
        if (asked != null && asked != made)
            throw new StoreException(
                    Reason.MISMATCH,
                    "this pool was made with " + made.text() + ", and everybody who uses it has to flush alike: not "
                            + asked.text());
        return made;
    }

    private static void refuseOtherVersion(long made, String protocol) {
        if (CatalogLayout.isRead(made, protocol)) return;
        long read = CatalogLayout.VERSION_OF_LONGER;
        throw new StoreException(
                Reason.MISMATCH,
                "this pool was made by " + (made > read ? "a newer" : "an older")
                        + " Tidepool: its catalog has format version " + made + ", this program reads " + read
                        + "; make the pool anew, or use the program that made it");
    }

    /**
     * Refuses a checksum that is wrong, unless it is right with the size of partitions which a larger one is replacing:
     * the two words change one after the other. It is also right if that has just come to its end.
     */
    private void requireReplacedSize() {
        long before = version < CatalogLayout.VERSION_12 ? 0 : CatalogChanges.replacedPartitionBytes(words);
        words.read(0, CatalogLayout.HEADER.byteSize());
        long found = landed(CatalogLayout.CHECKSUM);
        if (found != landedChecksum(words, before)
                && found != landedChecksum(words, landed(CatalogLayout.PARTITION_BYTES)))
            throw new StoreException(Reason.CORRUPT, "the geometry in the catalog is damaged");
    }

    /** Returns the checksum over the geometry as it is now. */
    static long geometryChecksum(CatalogWords words) {
        words.read(0, CatalogLayout.HEADER.byteSize());
        return landedChecksum(words, Words.plain(words.landing, CatalogLayout.PARTITION_BYTES));
    }

    private long landed(long offset) {
        return Words.plain(words.landing, offset);
    }

    private static long landedChecksum(CatalogWords words, long partitionBytes) {
        long h = Checksum64.start(CatalogLayout.MAGIC);
        h = Checksum64.mix(h, Words.plain(words.landing, CatalogLayout.PROTOCOL));
        h = Checksum64.mix(h, Words.plain(words.landing, CatalogLayout.PARTITIONS));
        h = Checksum64.mix(h, Words.plain(words.landing, CatalogLayout.REPLICAS));
        h = Checksum64.mix(h, partitionBytes);
        h = Checksum64.mix(h, Words.plain(words.landing, CatalogLayout.COORDINATOR_COUNT));
        h = Checksum64.mix(h, Words.plain(words.landing, CatalogLayout.LOG_SLOT_BYTES));
        h = Checksum64.mix(h, Words.plain(words.landing, CatalogLayout.FLUSH));
        return Checksum64.finish(h);
    }

    /** Packs up to eight ASCII letters of a name into one word. */
    private static long protocolWord(String name) {
        long word = 0;
        for (int i = 0; i < Math.min(8, name.length()); i++) word |= (long) (name.charAt(i) & 0x7f) << 8 * i;
        return word;
    }

    static String protocolText(long word) {
        StringBuilder text = new StringBuilder();
        for (; word != 0; word >>>= 8) text.append((char) (word & 0x7f));
        return text.toString();
    }
}
