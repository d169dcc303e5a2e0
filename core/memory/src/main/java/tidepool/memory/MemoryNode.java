package tidepool.memory;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import tidepool.base.Checksum64;
import tidepool.base.Id128;
import tidepool.base.Ids;
import tidepool.base.Words;
import tidepool.memory.MemoryNodeException.Reason;

/**
 * A memory node: regions of bytes, sessions that may access them, and extents allocated in them. It never runs code of
 * the application and knows bytes only.
 *
 * <p><b>Concurrency.</b> All shared state lies in the memory of the store, so several processes may each have an
 * instance over the same mapped files. Regions and extents change only under the control lock, which names the session
 * that holds it. The lock of a dead session is taken over, and its unfinished changes are repaired first.
 */
public final class MemoryNode {
    private final int number;
    private final RegionStore store;
    private final MemorySegment meta;
    private final Ids ids;
    private final ControlLock control;
    private final SessionTable sessions;
    private final Handlers handlers;

    /** The regions opened here so far. Any thread may open one, and all threads get the same object. */
    private final AtomicReferenceArray<NodeRegion> regions = new AtomicReferenceArray<>(NodeLayout.REGIONS);

    /**
     * @param controlSession the session in whose name this instance takes the control lock
     */
    public MemoryNode(
            int number, RegionStore store, Ids ids, SessionLiveness liveness, int controlSession, Handlers handlers) {
        this.number = number;
        this.store = store;
        this.meta = store.meta();
        this.ids = ids;
        this.control = new ControlLock(meta, controlSession, liveness);
        this.sessions = new SessionTable(meta);
        this.handlers = handlers;
        verify();
    }

    /** Writes the header of a new node into zeroed memory. */
    public static void format(MemorySegment meta, int number) {
        meta.set(Words.U32, NodeLayout.VERSION_AT, NodeLayout.VERSION);
        meta.set(Words.U32, NodeLayout.NODE, number);
        Words.plain(meta, NodeLayout.EPOCH, 1);
        Words.plain(meta, NodeLayout.NEXT_SESSION, 1);
        Words.plain(meta, NodeLayout.MAGIC_AT, NodeLayout.MAGIC);
        Words.release(meta, NodeLayout.CHECKSUM, checksum(meta));
    }

    public int number() {
        return number;
    }

    public MemorySegment meta() {
        return meta;
    }

    public SessionTable sessions() {
        return sessions;
    }

    public Handlers handlers() {
        return handlers;
    }

    /** Returns the epoch. Links made under an older one are refused. */
    public long epoch() {
        return Words.acquire(meta, NodeLayout.EPOCH);
    }

    /** Raises the epoch; never lowers it. */
    public void raiseEpoch(long epoch) {
        for (long now = epoch(); now < epoch; now = epoch())
            if (Words.compareAndSwap(meta, NodeLayout.EPOCH, now, epoch) == now) return;
    }

    /** Returns the next session number of the pool. Only node 0 is asked. */
    public int nextSession() {
        long next = Words.fetchAndAdd(meta, NodeLayout.NEXT_SESSION, 1);
        if (next > NodeLayout.GIVEN_NUMBERS)
            throw new MemoryNodeException(Reason.FULL, "all 2^23 session numbers of this pool are used");
        return (int) next;
    }

    /** Returns the number of session numbers that were given out or seen. */
    public long usedNumbers() {
        return Math.min(Words.acquire(meta, NodeLayout.NEXT_SESSION) - 1, NodeLayout.GIVEN_NUMBERS);
    }

    // ---- regions

    /** Creates a region in which verbs reach at least {@code dataBytes} zeroed bytes. */
    public Id128 createRegion(long dataBytes) {
        if (dataBytes <= 0 || dataBytes > 1L << 46)
            throw new MemoryNodeException(Reason.ARGUMENT, "a region has 1 byte to 64 TiB: bytes=" + dataBytes);
        control.acquire(this::repair);
        try {
            int next = freeEntry();
            long entry = NodeLayout.region(next);
            long before = Words.acquire(meta, entry + NodeLayout.REGION_STATE);
            long uses = NodeLayout.earlierUses(before) + (NodeLayout.isFreed(before) ? 1 : 0);
            long live = NodeLayout.regionState(uses, NodeLayout.REGION_LIVE);
            long bytes = NodeRegion.bytesFor(dataBytes);
            Id128 capability = ids.next();
            MemorySegment whole = store.create(next, bytes);
            NodeRegion.format(whole, next, dataBytes);
            Words.release(meta, entry + NodeLayout.REGION_CAPABILITY_HIGH, capability.high());
            Words.release(meta, entry + NodeLayout.REGION_CAPABILITY_LOW, capability.low());
            Words.release(meta, entry + NodeLayout.REGION_BYTES, bytes);
            regions.set(next, NodeRegion.open(meta, whole, next, live));
            // ---- a region in a reused entry exists from the next step on ----
            Words.release(meta, entry + NodeLayout.REGION_STATE, live);
            // ---- any other region exists from the next step on; a crash before leaves an entry and memory that are
            // not counted ----
            if (next == regionCount()) Words.release(meta, NodeLayout.REGION_COUNT, next + 1);
            return capability;
        } finally {
            control.release();
        }
    }

    /** Returns an entry that was never used; if there is none, an entry whose region was freed. */
    private int freeEntry() {
        int count = regionCount();
        if (count < NodeLayout.REGIONS) return count;
        if (version() < NodeLayout.VERSION)
            throw new MemoryNodeException(
                    Reason.FULL,
                    "node " + number + " has used all its " + count + " region entries, and a node of format version "
                            + version() + " uses none again: back the pool up and restore it into a new one");
        for (int i = 0; i < count; i++) if (isFreed(i) && store.isReusable(i)) return i;
        throw new MemoryNodeException(Reason.FULL, "node " + number + " has all its " + count + " regions");
    }

    private boolean isFreed(int regionNumber) {
        return NodeLayout.isFreed(Words.acquire(meta, NodeLayout.region(regionNumber) + NodeLayout.REGION_STATE));
    }

    /** Returns the number of region entries that cannot take another region. */
    public int usedEntries() {
        int used = 0;
        int count = regionCount();
        for (int i = 0; i < count; i++)
            if (version() < NodeLayout.VERSION || !isFreed(i) || !store.isReusable(i)) used++;
        return used;
    }

    /** Returns the region that this capability opens, or null. */
    public NodeRegion openRegion(Id128 capability) {
        int found = find(capability);
        NodeRegion region = found < 0 ? null : region(found);
        // Since the search, another process may have freed the region and reused the entry.
        return region != null && has(found, capability) && region.isLive() ? region : null;
    }

    /**
     * Returns the number of the region, or -1. Compares in constant time, and all entries, so that guesses learn
     * nothing.
     */
    private int find(Id128 capability) {
        int count = regionCount();
        int found = -1;
        for (int i = 0; i < count; i++)
            if (has(i, capability)
                    && NodeLayout.isLive(Words.acquire(meta, NodeLayout.region(i) + NodeLayout.REGION_STATE)))
                found = i;
        return found;
    }

    private boolean has(int regionNumber, Id128 capability) {
        long entry = NodeLayout.region(regionNumber);
        return capability.matches(
                Words.acquire(meta, entry + NodeLayout.REGION_CAPABILITY_HIGH),
                Words.acquire(meta, entry + NodeLayout.REGION_CAPABILITY_LOW));
    }

    /** Returns the number of region entries that were used at least once. */
    public int regionCount() {
        return (int) Words.acquire(meta, NodeLayout.REGION_COUNT);
    }

    /** Returns a region by its number; null if there is none or it was freed. */
    public NodeRegion region(int regionNumber) {
        if (regionNumber < 0 || regionNumber >= regionCount()) return null;
        long state = Words.acquire(meta, NodeLayout.region(regionNumber) + NodeLayout.REGION_STATE);
        if (!NodeLayout.isLive(state)) return null;
        NodeRegion region = regions.get(regionNumber);
        return region != null && region.liveWord() == state ? region : openFirst(regionNumber, state);
    }

    /** Opens a region. Several threads may do so at once: the first to publish wins, and the others take its object. */
    private NodeRegion openFirst(int regionNumber, long state) {
        long entry = NodeLayout.region(regionNumber);
        NodeRegion opened;
        try {
            long bytes = Words.acquire(meta, entry + NodeLayout.REGION_BYTES);
            opened = NodeRegion.open(meta, store.open(regionNumber, bytes), regionNumber, state);
        } catch (RuntimeException e) {
            // Another process may have freed the region since its state was read. Then there is nothing to open.
            if (Words.acquire(meta, entry + NodeLayout.REGION_STATE) != state) return null;
            throw e;
        }
        // If the state did not change while the memory was opened, it is the memory of this region.
        while (opened.isLive()) {
            NodeRegion earlier = regions.get(regionNumber);
            if (earlier != null && earlier.liveWord() == state) return earlier;
            if (regions.compareAndSet(regionNumber, earlier, opened)) return opened;
        }
        return null;
    }

    /** Returns the capabilities of all regions, null for a freed one. For sessions that may control the node. */
    public Id128[] capabilities() {
        Id128[] all = new Id128[regionCount()];
        for (int i = 0; i < all.length; i++) all[i] = capability(NodeLayout.region(i));
        return all;
    }

    private Id128 capability(long entry) {
        while (true) {
            long state = Words.acquire(meta, entry + NodeLayout.REGION_STATE);
            if (!NodeLayout.isLive(state)) return null;
            long high = Words.acquire(meta, entry + NodeLayout.REGION_CAPABILITY_HIGH);
            long low = Words.acquire(meta, entry + NodeLayout.REGION_CAPABILITY_LOW);
            if (Words.acquire(meta, entry + NodeLayout.REGION_STATE) == state) return new Id128(high, low);
        }
    }

    /** Frees a region. Verbs on it are refused from now on. */
    public void freeRegion(Id128 capability) {
        control.acquire(this::repair);
        try {
            // Its memory is not read, so that a damaged region can still be freed.
            int freed = find(capability);
            if (freed < 0) throw unknown();
            long stateAt = NodeLayout.region(freed) + NodeLayout.REGION_STATE;
            long uses = NodeLayout.earlierUses(Words.acquire(meta, stateAt));
            Words.release(meta, stateAt, NodeLayout.regionState(uses, NodeLayout.REGION_FREED));
            // ---- the region is gone from here on; giving its memory back can be repeated ----
            regions.set(freed, null);
            store.delete(freed);
        } finally {
            control.release();
        }
    }

    // ---- extents

    /** Allocates {@code bytes} of zeroed memory in a region for a session, or for the pool itself (session 0). */
    public Extent allocate(Id128 capability, long bytes, int session) {
        control.acquire(this::repair);
        try {
            NodeRegion region = existing(capability);
            if (session != ExtentMap.POOL && sessions.isOver(session))
                throw new MemoryNodeException(Reason.KEY, "session " + session + " was revoked");
            if (bytes <= 0)
                throw new MemoryNodeException(Reason.ARGUMENT, "an extent has at least 1 byte: bytes=" + bytes);
            Extent extent = region.extents().allocate(bytes, session);
            if (extent == null)
                throw new MemoryNodeException(
                        Reason.FULL,
                        "no " + bytes + " contiguous bytes are free: node=" + number + " region=" + region.number());
            return extent;
        } finally {
            control.release();
        }
    }

    /** Frees an extent, which must come from {@link #allocate}. */
    public void free(Id128 capability, Extent extent) {
        control.acquire(this::repair);
        try {
            NodeRegion region = existing(capability);
            if (!region.extents().free(extent))
                throw new MemoryNodeException(
                        Reason.ARGUMENT,
                        "not an allocated extent: node=" + number + " region=" + region.number() + " " + extent);
        } finally {
            control.release();
        }
    }

    public NodeStatistics statistics() {
        int live = 0;
        long total = 0;
        long data = 0;
        long allocated = 0;
        int extents = 0;
        for (int i = 0; i < regionCount(); i++) {
            NodeRegion region = region(i);
            if (region == null) continue;
            live++;
            total += region.whole().byteSize();
            data += region.dataBytes();
            ExtentMap.Survey survey = region.extents().survey();
            allocated += survey.allocatedBytes();
            extents += survey.extents();
        }
        return new NodeStatistics(
                live,
                total,
                data,
                allocated,
                data - allocated,
                extents,
                sessions.attached(),
                sessions.revoked(),
                epoch());
    }

    private NodeRegion existing(Id128 capability) {
        NodeRegion region = openRegion(capability);
        if (region == null) throw unknown();
        return region;
    }

    private MemoryNodeException unknown() {
        return new MemoryNodeException(Reason.KEY, "no region of node " + number + " has this capability");
    }

    /** Called when the control lock was taken over from a dead session. Finishes or undoes its unfinished changes. */
    private void repair() {
        int count = regionCount();
        for (int i = 0; i < count; i++) {
            NodeRegion region = region(i);
            if (region != null) region.extents().repair();
            else store.delete(i); // its state says freed; its memory may not have been given back yet
        }
        if (count == NodeLayout.REGIONS) return;
        // A region that is not counted does not exist, whatever its entry says: its capability was never returned.
        Words.release(meta, NodeLayout.region(count) + NodeLayout.REGION_STATE, NodeLayout.REGION_UNUSED);
        store.delete(count);
    }

    private int version() {
        return meta.get(Words.U32, NodeLayout.VERSION_AT);
    }

    private void verify() {
        if (meta.byteSize() < NodeLayout.BYTES)
            throw corrupt("the memory of node " + number + " is too short: bytes=" + meta.byteSize());
        if (Words.acquire(meta, NodeLayout.MAGIC_AT) != NodeLayout.MAGIC)
            throw corrupt("not a Tidepool memory node: node=" + number);
        int version = version();
        if (version < NodeLayout.OLDEST_VERSION || version > NodeLayout.VERSION)
            throw corrupt("node " + number + " has format version " + version + ", this program reads "
                    + NodeLayout.OLDEST_VERSION + " to " + NodeLayout.VERSION);
        if (Words.plain(meta, NodeLayout.CHECKSUM) != checksum(meta))
            throw corrupt("the header of node " + number + " is damaged");
        int itself = meta.get(Words.U32, NodeLayout.NODE);
        if (itself != number) throw corrupt("this is the memory of node " + itself + ", not of node " + number);
        long count = Words.acquire(meta, NodeLayout.REGION_COUNT);
        if (count < 0 || count > NodeLayout.REGIONS)
            throw corrupt("node " + number + " cannot have " + count + " regions");
    }

    private static MemoryNodeException corrupt(String message) {
        return new MemoryNodeException(Reason.CORRUPT, message);
    }

    private static long checksum(MemorySegment meta) {
        return Checksum64.of(meta, 0, NodeLayout.CONSTANT_PART, NodeLayout.MAGIC);
    }
}
