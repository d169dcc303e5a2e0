package tidepool.memory;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.memory.MemoryNodeException.Reason;

/** A region of this node: its bytes, and the check that stands before every verb. */
public final class NodeRegion {
    /** Extent maps are at most this long, so that scanning one stays cheap. */
    private static final long MOST_GRANULES = 65_536;

    private static final long LEAST_GRANULE = 4096;

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

    /** Bytes of memory a region needs so that verbs can reach at least {@code dataBytes}. */
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
     * Opens the memory of a region after checking that it is one, whole and of this version.
     *
     * @param liveWord the state of its entry as long as it lives; a later region of the same entry has another one
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

    /** The bytes that verbs can reach. */
    public MemorySegment data() {
        return data;
    }

    /** How many bytes verbs can reach. */
    public long dataBytes() {
        return dataBytes;
    }

    /** Header, map and data: for inspection and for making things persistent. */
    public MemorySegment whole() {
        return whole;
    }

    ExtentMap extents() {
        return extents;
    }

    /** Whether this very region lives. Another region in the same entry is another one. */
    public boolean isLive() {
        return Words.acquire(meta, stateAt) == liveWord;
    }

    long liveWord() {
        return liveWord;
    }

    /** Whether a verb may touch this range: {@link Access#GRANTED} or the reason why not. */
    public int access(long offset, long length) {
        return isLive() ? range(offset, length) : Access.KEY;
    }

    /** The same for a region that is known to be live. */
    public int range(long offset, long length) {
        if (((offset | length) & (Words.BYTES - 1)) != 0) return Access.ALIGNMENT;
        // Written so that no sum can overflow.
        if (offset < 0 || length <= 0 || length > dataBytes || offset > dataBytes - length) return Access.BOUNDS;
        return Access.GRANTED;
    }

    /** A checksum proves that the header is as it was written, not that whoever wrote it was right. */
    private static boolean isConsistent(MemorySegment whole) {
        long granule = Words.plain(whole, RegionLayout.GRANULE);
        long granules = Words.plain(whole, RegionLayout.GRANULES);
        return granule >= LEAST_GRANULE
                && Long.bitCount(granule) == 1
                && granules > 0
                && granules <= MOST_GRANULES
                && granule <= whole.byteSize() // or the product below could overflow
                && Words.plain(whole, RegionLayout.DATA) == dataOffset(granules)
                && whole.byteSize() - dataOffset(granules) == granules * granule;
    }

    private static long granuleFor(long dataBytes) {
        long granule = LEAST_GRANULE;
        while (granules(dataBytes, granule) > MOST_GRANULES) granule <<= 1;
        return granule;
    }

    private static long granules(long dataBytes, long granule) {
        return (dataBytes + granule - 1) / granule;
    }

    private static long dataOffset(long granules) {
        long end = RegionLayout.EXTENT_MAP + granules * Words.BYTES;
        return (end + LEAST_GRANULE - 1) & -LEAST_GRANULE;
    }

    private static long checksum(MemorySegment whole) {
        return Checksum64.of(whole, 0, RegionLayout.CHECKSUM, RegionLayout.MAGIC);
    }

    private static MemoryNodeException corrupt(String message) {
        return new MemoryNodeException(Reason.CORRUPT, message);
    }
}
