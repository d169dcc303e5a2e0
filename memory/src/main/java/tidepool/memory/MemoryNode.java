package tidepool.memory;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import tidepool.base.Checksum64;
import tidepool.base.Id128;
import tidepool.base.Ids;
import tidepool.base.Words;
import tidepool.memory.MemoryNodeException.Reason;

/**
 * A memory node: regions of bytes, sessions that may touch them, and extents handed out of them. It never runs the
 * application's code and knows bytes only.
 *
 * <p><b>Concurrency.</b> All shared state lies in the store's memory, so several processes may each have an instance over
 * the same mapped files. Regions and extents change only under the control lock, which names the session that holds it;
 * the lock of a dead session is taken over, and whatever it left half-done is repaired first.
 */
public final class MemoryNode {
    private final int number;
    private final RegionStore store;
    private final MemorySegment meta;
    private final Ids ids;
    private final ControlLock control;
    private final SessionTable sessions;
    private final Handlers handlers;

    /** The regions opened here so far; any thread may open one, and all get the same object. */
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

    /** The epoch that links must not be older than. */
    public long epoch() {
        return Words.acquire(meta, NodeLayout.EPOCH);
    }

    /** Moves the epoch forward, never back. */
    public void raiseEpoch(long epoch) {
        for (long now = epoch(); now < epoch; now = epoch())
            if (Words.compareAndSwap(meta, NodeLayout.EPOCH, now, epoch) == now) return;
    }

    /** The next session number of the pool; only node 0 is asked. */
    public int nextSession() {
        long next = Words.fetchAndAdd(meta, NodeLayout.NEXT_SESSION, 1);
        if (next > NodeLayout.GIVEN_NUMBERS)
            throw new MemoryNodeException(Reason.FULL, "all 2^23 session numbers of this pool are used");
        return (int) next;
    }

    /** How many session numbers were given out or seen. */
    public long usedNumbers() {
        return Math.min(Words.acquire(meta, NodeLayout.NEXT_SESSION) - 1, NodeLayout.GIVEN_NUMBERS);
    }

    // ---- regions

    /** Adds a region whose verbs reach at least {@code dataBytes} zeroed bytes. */
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
            // ---- a region in an entry that is used again exists from the next step on ----
            Words.release(meta, entry + NodeLayout.REGION_STATE, live);
            // ---- any other from here on; before, a crash leaves an entry and memory that no one counts ----
            if (next == regionCount()) Words.release(meta, NodeLayout.REGION_COUNT, next + 1);
            return capability;
        } finally {
            control.release();
        }
    }

    /** An entry that was never used; if there is none, one whose region was freed. */
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

    /** How many region entries cannot take another region. */
    public int usedEntries() {
        int used = 0;
        int count = regionCount();
        for (int i = 0; i < count; i++)
            if (version() < NodeLayout.VERSION || !isFreed(i) || !store.isReusable(i)) used++;
        return used;
    }

    /** The region this capability opens, or null. */
    public NodeRegion openRegion(Id128 capability) {
        int found = find(capability);
        NodeRegion region = found < 0 ? null : region(found);
        // Another process may have freed it and used the entry again since it was found.
        return region != null && has(found, capability) && region.isLive() ? region : null;
    }

    /** Compares in constant time, and all entries, so guesses learn nothing. Returns -1 if there is none. */
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

    /** How many region entries were used at least once. */
    public int regionCount() {
        return (int) Words.acquire(meta, NodeLayout.REGION_COUNT);
    }

    /** A region by its number; null if there is none or it was freed. */
    public NodeRegion region(int regionNumber) {
        if (regionNumber < 0 || regionNumber >= regionCount()) return null;
        long state = Words.acquire(meta, NodeLayout.region(regionNumber) + NodeLayout.REGION_STATE);
        if (!NodeLayout.isLive(state)) return null;
        NodeRegion region = regions.get(regionNumber);
        return region != null && region.liveWord() == state ? region : openFirst(regionNumber, state);
    }

    /** Several threads may come here at once: the first to publish wins, and the others take its object. */
    private NodeRegion openFirst(int regionNumber, long state) {
        long entry = NodeLayout.region(regionNumber);
        NodeRegion opened;
        try {
            long bytes = Words.acquire(meta, entry + NodeLayout.REGION_BYTES);
            opened = NodeRegion.open(meta, store.open(regionNumber, bytes), regionNumber, state);
        } catch (RuntimeException e) {
            // Another process may have freed it since we looked, and then there is nothing to open.
            if (Words.acquire(meta, entry + NodeLayout.REGION_STATE) != state) return null;
            throw e;
        }
        // Memory that was opened while the state stayed the same is that of this region.
        while (opened.isLive()) {
            NodeRegion earlier = regions.get(regionNumber);
            if (earlier != null && earlier.liveWord() == state) return earlier;
            if (regions.compareAndSet(regionNumber, earlier, opened)) return opened;
        }
        return null;
    }

    /** The capabilities of all regions, null where one was freed. For those who may control the node. */
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

    /** Takes a region away; verbs on it are refused from now on. */
    public void freeRegion(Id128 capability) {
        control.acquire(this::repair);
        try {
            // Its memory is not looked at: a region that is damaged can still be taken away.
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

    /** Takes {@code bytes} of zeroed memory out of a region for a session, or for the pool itself (session 0). */
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

    /** Gives an extent back. It must be one that {@link #allocate} gave out. */
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

    /**
     * Gives back every extent that a session held here; returns how many. It must have left or been revoked, since it
     * would go on writing to memory that is somebody else's by then.
     */
    public int freeExtentsOf(int session) {
        control.acquire(this::repair);
        try {
            if (sessions.find(session) >= 0 && !sessions.isOver(session))
                throw new MemoryNodeException(Reason.ARGUMENT, "session " + session + " is still attached");
            int freed = 0;
            for (int i = 0; i < regionCount(); i++) {
                NodeRegion region = region(i);
                if (region == null) continue;
                freed += region.extents().survey().extents();
                region.extents().freeAllOf(session);
                freed -= region.extents().survey().extents();
            }
            return freed;
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

    /** Runs when the control lock was taken over from a dead session: whatever it began is finished or undone. */
    private void repair() {
        int count = regionCount();
        for (int i = 0; i < count; i++) {
            NodeRegion region = region(i);
            if (region != null) region.extents().repair();
            else store.delete(i); // its state says freed; perhaps the memory was not yet given back
        }
        if (count == NodeLayout.REGIONS) return;
        // A region that is not counted does not exist, whatever its entry says: no one was told its capability.
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
