package tidepool.fabric.shm;

import static tidepool.base.Words.U32;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.fabric.direct.FlushMode;

/**
 * The description of a pool. Durability and handlers belong to the pool, so that a FLUSH has one meaning for all its
 * processes.
 *
 * @param place 0 of a whole pool; {@code number | nodes << 32} for one node of a pool, which a server serves
 */
record Superblock(int nodes, Id128 id, FlushMode flushMode, boolean handlers, long place) {
    private static final long DURABILITY_BITS = 3;
    private static final long HANDLERS_OFF = 4;

    void write(MemorySegment target) {
        target.set(U32, PoolLayout.VERSION_AT, PoolLayout.VERSION);
        target.set(U32, PoolLayout.NODES, nodes);
        Words.plain(target, PoolLayout.MAGIC_AT, PoolLayout.MAGIC);
        Words.plain(target, PoolLayout.ID_HIGH, id.high());
        Words.plain(target, PoolLayout.ID_LOW, id.low());
        Words.plain(target, PoolLayout.OPTIONS, flushMode.ordinal() | (handlers ? 0 : HANDLERS_OFF));
        Words.plain(target, PoolLayout.PLACE, place);
        Words.plain(target, PoolLayout.CHECKSUM, checksum(target));
    }

    /** Reads a superblock; throws with a sentence that says what is wrong with it. */
    static Superblock read(MemorySegment source, String path) {
        if (Words.plain(source, PoolLayout.MAGIC_AT) != PoolLayout.MAGIC)
            throw FabricException.unavailable("not a Tidepool pool: the superblock has another magic: " + path);
        int version = source.get(U32, PoolLayout.VERSION_AT);
        if (version != PoolLayout.VERSION)
            throw FabricException.unavailable("the pool was made by "
                    + (version > PoolLayout.VERSION ? "a newer" : "an older") + " Tidepool: its format version is "
                    + version + ", this program reads " + PoolLayout.VERSION + ": " + path);
        if (Words.plain(source, PoolLayout.CHECKSUM) != checksum(source))
            throw FabricException.unavailable("the pool's superblock is damaged: its checksum is wrong: " + path);
        int nodes = source.get(U32, PoolLayout.NODES);
        long options = Words.plain(source, PoolLayout.OPTIONS);
        long durability = options & DURABILITY_BITS;
        if (nodes < 1
                || nodes > PoolLayout.MAX_NODES
                || durability >= FlushMode.values().length
                || (options & ~(DURABILITY_BITS | HANDLERS_OFF)) != 0)
            throw FabricException.unavailable(
                    "the pool's superblock makes no sense: nodes=" + nodes + " options=" + options + ": " + path);
        Id128 id = new Id128(Words.plain(source, PoolLayout.ID_HIGH), Words.plain(source, PoolLayout.ID_LOW));
        long place = Words.plain(source, PoolLayout.PLACE);
        if (place != 0
                && (place >>> 32 < 1
                        || place >>> 32 > PoolLayout.MAX_NODES
                        || (int) place < 0
                        || (int) place >= place >>> 32))
            throw FabricException.unavailable(
                    "the pool's superblock makes no sense: place=" + Long.toHexString(place) + ": " + path);
        return new Superblock(nodes, id, FlushMode.values()[(int) durability], (options & HANDLERS_OFF) == 0, place);
    }

    /** Returns whether this is one node of a pool. Then only its server may access it. */
    boolean isServed() {
        return place != 0;
    }

    private static long checksum(MemorySegment block) {
        return Checksum64.of(block, 0, PoolLayout.CHECKSUM, PoolLayout.MAGIC);
    }
}
