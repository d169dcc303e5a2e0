package tidepool.store;

import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import tidepool.base.Checks;
import tidepool.base.Words;

/**
 * The layout of a node of an ordered index: the value of a row of a hidden table. All keys of an index have one width,
 * w bytes, a multiple of eight. They are compared as unsigned bytes.
 *
 * <pre>
 *    0        8        16    16+w   16+2w                                   976
 *    +--------+--------+------+------+-----+-----+-----+--------------------+
 *    |  what  |  next  |  low | high | key | key | key |  zeros             |    a leaf: keys
 *    +--------+--------+------+------+-----+-----+-----+--------------------+
 *    |  what  |  next  |  low | high | key, child | key, child |  zeros     |    an inner node: w + 8 bytes each
 *    +--------+--------+------+------+------------+------------+------------+
 *
 *    what:  63    33   32   31       16 15    8 7     0
 *           +--------+------+-----------+-------+-------+
 *           | zeros  | LAST |  entries  | level | index |
 *           +--------+------+-----------+-------+-------+
 * </pre>
 *
 * A node covers the keys from its low, inclusive, to its high, exclusive; the last node of a level has no high. Next is
 * the number of the right neighbour, 0 for the last node. Level 0 is that of leaves. The first key of an inner node is
 * its low: every key that the node covers has a child.
 *
 * <p>A row of zeros is no node.
 *
 * <pre>
 *    field             written by                                   read by
 *    what: entries     transactions that insert, delete, split      scans, and transactions that insert or delete;
 *                      and merge                                    tasks of upkeep; `pool verify`, `inspect --index`
 *    what: level,      splits; merges; a root that is lifted        as entries; clients cache inner nodes
 *    LAST; next, high
 *    what: index, low  the transaction that makes the node; low     as entries
 *                      never changes
 *    key               as entries; of inner nodes: tasks of upkeep  as entries
 *    child             tasks of upkeep; a root that is lifted       searches that go down
 * </pre>
 */
public final class IndexNodeLayout {
    /** The bytes of a node. With them, a row takes 16 cache lines. */
    public static final int BYTES = 976;

    /** The maximum width of a key: a node must hold at least four entries. */
    public static final int MAX_WIDTH = 128;

    /** The words before the low of a node. */
    public static final StructLayout HEADER = MemoryLayout.structLayout(
                    U64.withName("what"), // index, level, entries, LAST
                    U64.withName("next")) // number of the right neighbour
            .withName("index-node");

    private static final long WHAT = HEADER.byteOffset(PathElement.groupElement("what"));
    private static final long NEXT = HEADER.byteOffset(PathElement.groupElement("next"));
    private static final long LOW = HEADER.byteSize();
    private static final int LEVEL_SHIFT = 8;
    private static final int ENTRIES_SHIFT = 16;
    private static final long LAST = 1L << 32;
    private static final int INDEX_SHIFT = 56;
    private static final VarHandle BIG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    static {
        Checks.invariant(innerCapacity(MAX_WIDTH) >= 4, "a node holds four entries");
        Checks.invariant(BYTES % Words.BYTES == 0, "whole words");
    }

    private IndexNodeLayout() {}

    // ---- numbers of nodes

    /** Returns the number of the root of an index, which stays where it is. */
    public static long root(int index) {
        return (long) index << INDEX_SHIFT;
    }

    /** Returns the number of another node of an index, made of any number. */
    public static long node(int index, long any) {
        long low = any & (1L << INDEX_SHIFT) - 1;
        return root(index) | (low == 0 ? 1 : low);
    }

    /** Returns the index to which a node belongs by its number. */
    public static int indexOf(long node) {
        return (int) (node >>> INDEX_SHIFT);
    }

    // ---- the shape of a node

    /** Returns how many keys a leaf has room for. */
    public static int leafCapacity(int width) {
        return (int) (BYTES - LOW - 2L * width) / width;
    }

    /** Returns how many children an inner node has room for. */
    public static int innerCapacity(int width) {
        return (int) (BYTES - LOW - 2L * width) / (width + Words.BYTES);
    }

    /** Returns how many entries a node of a level has room for. */
    public static int capacity(int level, int width) {
        return level == 0 ? leafCapacity(width) : innerCapacity(width);
    }

    private static int stride(int level, int width) {
        return level == 0 ? width : width + Words.BYTES;
    }

    /** Returns the index that a node belongs to; 0 for a row of zeros. */
    public static int index(MemorySegment memory, long at) {
        return (int) (Words.plain(memory, at + WHAT) & 0xff);
    }

    public static int level(MemorySegment memory, long at) {
        return (int) (Words.plain(memory, at + WHAT) >>> LEVEL_SHIFT & 0xff);
    }

    public static int entries(MemorySegment memory, long at) {
        return (int) (Words.plain(memory, at + WHAT) >>> ENTRIES_SHIFT & 0xffff);
    }

    /** Returns whether the node is the last of its level, and so has no high. */
    public static boolean isLast(MemorySegment memory, long at) {
        return (Words.plain(memory, at + WHAT) & LAST) != 0;
    }

    /** Returns the right neighbour; 0 if there is none. */
    public static long next(MemorySegment memory, long at) {
        return Words.plain(memory, at + NEXT);
    }

    /** Returns whether the numbers in a node are possible ones: a damaged row is refused before it is searched. */
    public static boolean isSound(MemorySegment memory, long at, int width) {
        int level = level(memory, at);
        return index(memory, at) != 0 && entries(memory, at) <= capacity(level, width);
    }

    /** Returns where the low of a node lies. */
    public static long low(long at) {
        return at + LOW;
    }

    /** Returns where the high of a node lies. */
    public static long high(long at, int width) {
        return at + LOW + width;
    }

    /** Returns where the key of an entry lies. */
    public static long key(long at, int level, int width, int entry) {
        return at + LOW + 2L * width + (long) entry * stride(level, width);
    }

    /** Returns the child of an entry of an inner node. */
    public static long child(MemorySegment memory, long at, int width, int entry) {
        return Words.plain(memory, key(at, 1, width, entry) + width);
    }

    // ---- comparisons

    /** Compares a key in memory with one in an array. */
    public static int compare(MemorySegment memory, long at, byte[] key, int from, int width) {
        for (int i = 0; i < width; i += Words.BYTES) {
            long one = Long.reverseBytes(Words.plain(memory, at + i));
            long other = (long) BIG.get(key, from + i);
            if (one != other) return Long.compareUnsigned(one, other);
        }
        return 0;
    }

    /** Compares two keys in arrays. */
    public static int compare(byte[] one, int at, byte[] other, int from, int width) {
        for (int i = 0; i < width; i += Words.BYTES) {
            long left = (long) BIG.get(one, at + i);
            long right = (long) BIG.get(other, from + i);
            if (left != right) return Long.compareUnsigned(left, right);
        }
        return 0;
    }

    /** Whether a node covers a key: low &lt;= key &lt; high. */
    public static boolean covers(MemorySegment memory, long at, byte[] key, int from, int width) {
        return compare(memory, low(at), key, from, width) <= 0 && !isBefore(memory, at, key, from, width);
    }

    /** Whether all keys that a node covers are smaller than a key. */
    public static boolean isBefore(MemorySegment memory, long at, byte[] key, int from, int width) {
        return !isLast(memory, at) && compare(memory, high(at, width), key, from, width) <= 0;
    }

    /** Returns the first entry whose key is not smaller than a key; the number of entries if there is none. */
    public static int search(MemorySegment memory, long at, byte[] key, int from, int width) {
        int level = level(memory, at);
        int low = 0;
        int high = entries(memory, at);
        while (low < high) {
            int middle = low + high >>> 1;
            if (compare(memory, key(at, level, width, middle), key, from, width) < 0) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /** Whether an entry has this key. */
    public static boolean has(MemorySegment memory, long at, int entry, byte[] key, int from, int width) {
        return entry < entries(memory, at)
                && compare(memory, key(at, level(memory, at), width, entry), key, from, width) == 0;
    }

    // ---- changes

    private static void what(MemorySegment memory, long at, int index, int level, int entries, boolean isLast) {
        long word = index | (long) level << LEVEL_SHIFT | (long) entries << ENTRIES_SHIFT | (isLast ? LAST : 0);
        Words.plain(memory, at + WHAT, word);
    }

    private static void entries(MemorySegment memory, long at, int count) {
        what(memory, at, index(memory, at), level(memory, at), count, isLast(memory, at));
    }

    /** Makes an empty leaf that covers all keys of an index. */
    public static void makeRoot(MemorySegment memory, long at, int index) {
        for (int i = 0; i < BYTES; i += Words.BYTES) Words.plain(memory, at + i, 0);
        what(memory, at, index, 0, 0, true);
    }

    /** Inserts an entry; the node has room. The child is ignored in a leaf. */
    public static void insert(MemorySegment memory, long at, int entry, byte[] key, int from, int width, long child) {
        int level = level(memory, at);
        int count = entries(memory, at);
        Checks.invariant(count < capacity(level, width) && entry <= count, "room in an index node", count);
        long place = key(at, level, width, entry);
        long end = key(at, level, width, count);
        MemorySegment.copy(memory, place, memory, place + stride(level, width), end - place);
        copyKey(key, from, memory, place, width);
        if (level > 0) Words.plain(memory, place + width, child);
        entries(memory, at, count + 1);
    }

    /** Removes an entry. */
    public static void remove(MemorySegment memory, long at, int entry, int width) {
        int level = level(memory, at);
        int count = entries(memory, at);
        Checks.invariant(entry < count, "an entry of an index node", entry);
        long place = key(at, level, width, entry);
        long end = key(at, level, width, count);
        int stride = stride(level, width);
        MemorySegment.copy(memory, place + stride, memory, place, end - place - stride);
        clear(memory, end - stride, end);
        entries(memory, at, count - 1);
    }

    /**
     * Moves the entries from {@code first} on to a new right neighbour, which begins at {@code low}, a key that is not
     * greater than any of them.
     */
    public static void split(
            MemorySegment memory, long left, long right, long rightNode, int first, byte[] low, int from, int width) {
        int level = level(memory, left);
        int count = entries(memory, left);
        boolean isLast = isLast(memory, left);
        clear(memory, right, right + BYTES);
        what(memory, right, index(memory, left), level, count - first, isLast);
        Words.plain(memory, right + NEXT, next(memory, left));
        copyKey(low, from, memory, low(right), width);
        MemorySegment.copy(memory, high(left, width), memory, high(right, width), width);
        move(memory, left, first, count, right, 0, width);
        what(memory, left, index(memory, left), level, first, false);
        Words.plain(memory, left + NEXT, rightNode);
        copyKey(low, from, memory, high(left, width), width);
    }

    /** Moves all of a root into a new node, which becomes the only child of the root. */
    public static void lift(MemorySegment memory, long root, long child, long childNode, int width) {
        MemorySegment.copy(memory, root, memory, child, BYTES);
        int level = level(memory, root);
        clear(memory, key(root, 1, width, 0), root + BYTES);
        what(memory, root, index(memory, root), level + 1, 1, true);
        MemorySegment.copy(memory, low(root), memory, key(root, 1, width, 0), width);
        Words.plain(memory, key(root, 1, width, 0) + width, childNode);
    }

    /** Appends all entries of the right neighbour, and takes its high and its next. */
    public static void merge(MemorySegment memory, long left, long right, int width) {
        int level = level(memory, left);
        int count = entries(memory, left);
        int more = entries(memory, right);
        Checks.invariant(count + more <= capacity(level, width), "room in an index node", count + more);
        long place = key(left, level, width, count);
        long from = key(right, level, width, 0);
        MemorySegment.copy(memory, from, memory, place, (long) more * stride(level, width));
        MemorySegment.copy(memory, high(right, width), memory, high(left, width), width);
        Words.plain(memory, left + NEXT, next(memory, right));
        what(memory, left, index(memory, left), level, count + more, isLast(memory, right));
    }

    private static void move(MemorySegment memory, long from, int first, int end, long to, int at, int width) {
        int level = level(memory, from);
        long source = key(from, level, width, first);
        long bytes = (long) (end - first) * stride(level, width);
        MemorySegment.copy(memory, source, memory, key(to, level, width, at), bytes);
        clear(memory, source, source + bytes);
    }

    private static void clear(MemorySegment memory, long from, long to) {
        for (long i = from; i < to; i += Words.BYTES) Words.plain(memory, i, 0);
    }

    private static void copyKey(byte[] key, int from, MemorySegment memory, long to, int width) {
        for (int i = 0; i < width; i += Words.BYTES)
            Words.plain(memory, to + i, Long.reverseBytes((long) BIG.get(key, from + i)));
    }

    /** Copies a key from memory to an array. */
    public static void copyKey(MemorySegment memory, long at, byte[] to, int from, int width) {
        for (int i = 0; i < width; i += Words.BYTES)
            BIG.set(to, from + i, Long.reverseBytes(Words.plain(memory, at + i)));
    }
}
