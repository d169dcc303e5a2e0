package tidepool.store;

import tidepool.base.Checksum64;
import tidepool.base.Id128;
import tidepool.base.Waiting;
import tidepool.fabric.Fabric;
import tidepool.fabric.NodeControl;
import tidepool.store.StoreException.Reason;

/** Lays a pool out, once, and makes sure that it is the one that was asked for. */
final class CatalogFormat {
    private static final long PAUSE_NANOS = 100_000;
    private static final int MOST_PAUSES = 100_000;

    private final Fabric fabric;
    private final CatalogWords words;
    private final CatalogLocks locks;

    CatalogFormat(Fabric fabric, CatalogWords words, CatalogLocks locks) {
        this.fabric = fabric;
        this.words = words;
        this.locks = locks;
    }

    /** Formats the pool if nobody has yet. Waits for somebody who is about it. */
    void formatOnce(PoolOptions options, Flush flush) {
        for (int i = 0; i < MOST_PAUSES; i++) {
            long state = words.get(CatalogLayout.STATE);
            if (state == CatalogLayout.READY) return;
            boolean mine = state == 0
                    ? words.swap(CatalogLayout.STATE, 0, locks.me()) == 0
                    : locks.tryTakeFrom(CatalogLayout.STATE, state);
            if (mine) {
                format(options, flush);
                return;
            }
            Waiting.pause(PAUSE_NANOS);
        }
        throw new StoreException(Reason.BUSY, "somebody has been formatting this pool for too long");
    }

    private void format(PoolOptions options, Flush flush) {
        long powerLosses = powerLosses(fabric);
        int partitions = options.partitions() == 0 ? fabric.nodes() : options.partitions();
        Placement placement = new Placement(fabric.nodes(), partitions, options.replicas());
        if (fabric.nodes() > 64 || fabric.nodes() * partitions > 4096)
            throw new StoreException(Reason.FULL, "at most 64 memory nodes, and 4096 partitions times nodes");
        for (int node = 0; node < fabric.nodes(); node++) {
            NodeControl control = fabric.control(node);
            // A formatter that died left regions that nothing refers to.
            Id128[] left = control.regions();
            for (int i = node == Catalog.NODE ? 1 : 0; i < left.length; i++)
                if (left[i] != null) control.freeRegion(left[i]);
            long logBytes = options.coordinators() * LogLayout.areaBytes(options.logSlotBytes());
            words.put(CatalogLayout.logRegion(node), create(control, logBytes));
            for (int p = 0; p < partitions; p++)
                if (placement.holds(node, p))
                    words.put(
                            CatalogLayout.partitionRegion(node, p, partitions),
                            create(control, options.partitionBytes()));
        }
        words.put(CatalogLayout.PROTOCOL, protocolWord(options.protocol()));
        words.put(CatalogLayout.PARTITIONS, partitions);
        words.put(CatalogLayout.REPLICAS, options.replicas());
        words.put(CatalogLayout.PARTITION_BYTES, options.partitionBytes());
        words.put(CatalogLayout.COORDINATOR_COUNT, options.coordinators());
        words.put(CatalogLayout.LOG_SLOT_BYTES, options.logSlotBytes());
        words.put(CatalogLayout.FLUSH, flush.ordinal());
        words.put(CatalogLayout.NEXT_OFFSET, 64); // no object lies at offset 0: a pointer of 0 is nowhere
        words.put(CatalogLayout.POWER_LOSSES, powerLosses);
        words.put(CatalogLayout.VERSION_AT, CatalogLayout.VERSION);
        words.put(CatalogLayout.CHECKSUM, geometryChecksum());
        words.put(CatalogLayout.MAGIC_AT, CatalogLayout.MAGIC);
        // Also of a pool without durability, so that it can be told after a loss of power what it was.
        words.flush();
        words.swap(CatalogLayout.STATE, locks.me(), CatalogLayout.READY);
        words.flush();
    }

    static long create(NodeControl control, long bytes) {
        Id128 capability = control.createRegion(bytes);
        Id128[] all = control.regions();
        for (int i = all.length - 1; i >= 0; i--) if (capability.equals(all[i])) return i;
        throw new StoreException(Reason.CORRUPT, "a region that was just made is not there");
    }

    /** How often the nodes of a pool have lost their power, added up: it only grows. */
    static long powerLosses(Fabric fabric) {
        long sum = 0;
        for (int node = 0; node < fabric.nodes(); node++)
            sum += fabric.control(node).powerLosses();
        return sum;
    }

    /** Refuses a pool that is damaged or not what was asked for. Returns how it is flushed. */
    Flush verify(PoolOptions options, Flush asked) {
        if (words.get(CatalogLayout.MAGIC_AT) != CatalogLayout.MAGIC)
            throw new StoreException(Reason.CORRUPT, "region 0 of node 0 is not a catalog");
        if (words.get(CatalogLayout.VERSION_AT) != CatalogLayout.VERSION)
            throw new StoreException(
                    Reason.MISMATCH,
                    "the catalog has format version " + words.get(CatalogLayout.VERSION_AT) + ", this program reads "
                            + CatalogLayout.VERSION);
        if (words.get(CatalogLayout.CHECKSUM) != geometryChecksum())
            throw new StoreException(Reason.CORRUPT, "the geometry in the catalog is damaged");
        if (words.get(CatalogLayout.PROTOCOL) != protocolWord(options.protocol()))
            throw new StoreException(
                    Reason.MISMATCH,
                    "this pool holds records of protocol " + protocolText(words.get(CatalogLayout.PROTOCOL))
                            + ", not of " + options.protocol());
        long flush = words.get(CatalogLayout.FLUSH);
        if (flush < 0 || flush >= Flush.values().length)
            throw new StoreException(Reason.CORRUPT, "the catalog says flush=" + flush + ", which means nothing");
        Flush made = Flush.values()[(int) flush];
        if (asked != null && asked != made)
            throw new StoreException(
                    Reason.MISMATCH,
                    "this pool was made with " + made.text() + ", and everybody who uses it has to flush alike: not "
                            + asked.text());
        return made;
    }

    private long geometryChecksum() {
        long h = Checksum64.start(CatalogLayout.MAGIC);
        h = Checksum64.mix(h, words.get(CatalogLayout.PROTOCOL));
        h = Checksum64.mix(h, words.get(CatalogLayout.PARTITIONS));
        h = Checksum64.mix(h, words.get(CatalogLayout.REPLICAS));
        h = Checksum64.mix(h, words.get(CatalogLayout.PARTITION_BYTES));
        h = Checksum64.mix(h, words.get(CatalogLayout.COORDINATOR_COUNT));
        h = Checksum64.mix(h, words.get(CatalogLayout.LOG_SLOT_BYTES));
        h = Checksum64.mix(h, words.get(CatalogLayout.FLUSH));
        return Checksum64.finish(h);
    }

    /** Up to eight ASCII letters of a name in one word. */
    private static long protocolWord(String name) {
        long word = 0;
        for (int i = 0; i < Math.min(8, name.length()); i++) word |= (long) (name.charAt(i) & 0x7f) << 8 * i;
        return word;
    }

    private static String protocolText(long word) {
        StringBuilder text = new StringBuilder();
        for (; word != 0; word >>>= 8) text.append((char) (word & 0x7f));
        return text.toString();
    }
}
