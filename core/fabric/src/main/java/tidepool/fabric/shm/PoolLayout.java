package tidepool.fabric.shm;

import static tidepool.base.Words.U32;
import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;

/**
 * The superblock of a pool on disk, the whole of the file {@code pool}. It is written before the pool is published and
 * never changes.
 *
 * <pre>
 *    0        8    12     16        24       32        40              56         64
 *    +--------+----+------+---------+--------+---------+---------------+----------+
 *    | magic  |ver |nodes | id high | id low | options | place |   0   | checksum |
 *    +--------+----+------+---------+--------+---------+---------------+----------+
 * </pre>
 *
 * The version comes before all fields that may change with it, and is checked before the checksum. So a pool of another
 * version is reported as such and not as damaged.
 */
public final class PoolLayout {
    /** "TIDEPOOL" in ASCII, little-endian. */
    public static final long MAGIC = 0x4C4F4F5045444954L;

    public static final int VERSION = 1;

    public static final int MAX_NODES = 64;

    public static final StructLayout SUPERBLOCK = MemoryLayout.structLayout(
                    U64.withName("magic"),
                    U32.withName("version"),
                    U32.withName("nodes"), // number of memory nodes, never changed
                    U64.withName("idHigh"), // a random id: tells a copied or restored pool from a new one
                    U64.withName("idLow"),
                    U64.withName("options"), // bits 0-1: durability; bit 2: handlers are off
                    U64.withName("place"), // 0 of a whole pool; else node number | nodes << 32 of the pool to which a
                    // served node belongs
                    U64.withName("reserved"), // 0
                    U64.withName("checksum")) // over everything above
            .withName("pool-superblock");

    public static final long MAGIC_AT = offset("magic");
    public static final long VERSION_AT = offset("version");
    public static final long NODES = offset("nodes");
    public static final long ID_HIGH = offset("idHigh");
    public static final long ID_LOW = offset("idLow");
    public static final long OPTIONS = offset("options");
    public static final long PLACE = offset("place");
    public static final long CHECKSUM = offset("checksum");

    /** Bytes of the whole file. */
    public static final long BYTES = SUPERBLOCK.byteSize();

    static {
        Checks.size(SUPERBLOCK, 64);
        Checks.invariant(CHECKSUM + U64.byteSize() == BYTES, "the checksum comes last and covers the rest");
    }

    private PoolLayout() {}

    private static long offset(String field) {
        return SUPERBLOCK.byteOffset(PathElement.groupElement(field));
    }
}
