package tidepool.memory;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.memory.MemoryNodeException.Reason;

/** A region of this node: its bytes, and the access check of every verb. */
public final class NodeRegion {
    /** The largest number of granules of an extent map, so that a scan of it stays cheap. */
    private static final long MAX_GRANULES = 65_536;

    private static final long MIN_GRANULE = 4096;

    private final int number;
    private final MemorySegment meta;
    private final long stateAt;
    private final long liveWord;
    private final MemorySegment whole;
    private final MemorySegment data;
    private final long dataBytes;
    private final ExtentMap extents;

    private NodeRegion(int number, MemorySegment meta, MemorySegment whole, long liveWord) {
        this.number = number;
        this.meta = meta;
        this.stateAt = NodeLayout.region(number) + NodeLayout.REGION_STATE;
        this.liveWord = liveWord;
        this.whole = whole;
        long dataAt = Words.plain(whole, RegionLayout.DATA);
        this.dataBytes = whole.byteSize() - dataAt;
        this.data = whole.asSlice(dataAt);
        this.extents = new ExtentMap(whole);
    }

    /** Returns the bytes of memory that a region needs so that verbs can reach at least {@code dataBytes}. */
    static long bytesFor(long dataBytes) {
        long granule = granuleFor(dataBytes);
        long granules = granules(dataBytes, granule);
        return dataOffset(granules) + granules * granule;
    }

    /** Writes the header of a new region; the memory is zeroed already. */
    static void format(MemorySegment whole, int number, long dataBytes) {
        long granule = granuleFor(dataBytes);
        long granules = granules(dataBytes, granule);
        Words.plain(whole, RegionLayout.MAGIC_AT, RegionLayout.MAGIC);
        whole.set(Words.U32, RegionLayout.VERSION_AT, RegionLayout.VERSION);
        whole.set(Words.U32, RegionLayout.NUMBER, number);
        Words.plain(whole, RegionLayout.BYTES, whole.byteSize());
        Words.plain(whole, RegionLayout.GRANULE, granule);
        Words.plain(whole, RegionLayout.GRANULES, granules);
        Words.plain(whole, RegionLayout.DATA, dataOffset(granules));
        Words.release(whole, RegionLayout.CHECKSUM, checksum(whole));
    }

    /**
     * Opens the memory of a region after checking that it is a whole region of this version.
     *
     * @param liveWord the state of its entry while it is live; a later region of this entry has another one
     */
    static NodeRegion open(MemorySegment meta, MemorySegment whole, int number, long liveWord) {
        String where = "region " + number;
        if (whole.byteSize() < RegionLayout.EXTENT_MAP)
            throw corrupt(where + " is too short: bytes=" + whole.byteSize());
        if (Words.acquire(whole, RegionLayout.MAGIC_AT) != RegionLayout.MAGIC)
            throw corrupt(where + " is not a Tidepool region");
        int version = whole.get(Words.U32, RegionLayout.VERSION_AT);
        if (version != RegionLayout.VERSION)
            throw corrupt(where + " has format version " + version + ", this program reads " + RegionLayout.VERSION);
        if (Words.plain(whole, RegionLayout.CHECKSUM) != checksum(whole))
            throw corrupt(where + " has a damaged header");
        int itself = whole.get(Words.U32, RegionLayout.NUMBER);
        if (itself != number) throw corrupt(where + " is really region " + itself);
        long bytes = Words.plain(whole, RegionLayout.BYTES);
        if (bytes != whole.byteSize())
            throw corrupt(where + " was cut or extended: bytes=" + whole.byteSize() + " instead of " + bytes);
        if (!isConsistent(whole)) throw corrupt(where + " has a header that contradicts itself");
        return new NodeRegion(number, meta, whole, liveWord);
    }

    public int number() {
        return number;
    }

    /** Returns the bytes that verbs can reach. */
    public MemorySegment data() {
        return data;
    }

    /** Returns the number of bytes that verbs can reach. */
    public long dataBytes() {
        return dataBytes;
    }

    /** Returns header, map and data: for inspection and for persistence. */
    public MemorySegment whole() {
        return whole;
    }

    ExtentMap extents() {
        return extents;
    }

    /** Returns whether this region is live. A later region in this entry is another region. */
    public boolean isLive() {
        return Words.acquire(meta, stateAt) == liveWord;
    }

    long liveWord() {
        return liveWord;
    }

    /** Checks whether a verb may access this range. Returns {@link AccessCode#GRANTED} or the reason of refusal. */
    public int access(long offset, long length) {
        return isLive() ? range(offset, length) : AccessCode.KEY;
    }

    /** Checks the range of a verb in a region that is known to be live. Returns a code of {@link AccessCode}. */
    public int range(long offset, long length) {
        if (((offset | length) & (Words.BYTES - 1)) != 0) return AccessCode.ALIGNMENT;
        // Written so that no sum can overflow.
        if (offset < 0 || length <= 0 || length > dataBytes || offset > dataBytes - length) return AccessCode.BOUNDS;
        return AccessCode.GRANTED;
    }

    /** Checks the fields against each other. A checksum proves that the header is unchanged, not that it was right. */
    private static boolean isConsistent(MemorySegment whole) {
        long granule = Words.plain(whole, RegionLayout.GRANULE);
        long granules = Words.plain(whole, RegionLayout.GRANULES);
        return granule >= MIN_GRANULE
                && Long.bitCount(granule) == 1
                && granules > 0
                && granules <= MAX_GRANULES
                && granule <= whole.byteSize() // otherwise the product below could overflow
                && Words.plain(whole, RegionLayout.DATA) == dataOffset(granules)
                && whole.byteSize() - dataOffset(granules) == granules * granule;
    }

    private static long granuleFor(long dataBytes) {
        long granule = MIN_GRANULE;
        while (granules(dataBytes, granule) > MAX_GRANULES) granule <<= 1;
        return granule;
    }

    private static long granules(long dataBytes, long granule) {
        return (dataBytes + granule - 1) / granule;
    }

    private static long dataOffset(long granules) {
        long end = RegionLayout.EXTENT_MAP + granules * Words.BYTES;
        return (end + MIN_GRANULE - 1) & -MIN_GRANULE;
    }

    private static long checksum(MemorySegment whole) {
        return Checksum64.of(whole, 0, RegionLayout.CHECKSUM, RegionLayout.MAGIC);
    }

    private static MemoryNodeException corrupt(String message) {
        return new MemoryNodeException(Reason.CORRUPT, message);
    }
}
