package tidepool.memory;

import static tidepool.base.Words.U32;
import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;

/**
 * The layout of a region in memory or in a file: a header page, the map of its extents, then the bytes that verbs can
 * reach. Offset 0 of a verb is the first byte of the last part, so no verb can reach the header or the map.
 *
 * <pre>
 *    0        8    12     16       24        32         40         48        56        4096      4096 + 8·granules
 *    +--------+----+------+--------+---------+----------+----------+---------+--   --+--------------+-----------+
 *    | magic  |ver |number| bytes  | granule | granules | data     | checksum| zero  | extent map   |  data …   |
 *    +--------+----+------+--------+---------+----------+----------+---------+--   --+--------------+-----------+
 * </pre>
 *
 * The extent map has one word for each granule of data; see {@link ExtentMap}.
 *
 * <pre>
 *    field                  written by                             read by
 *    magic                  the creator of the region              every process that opens the region: is it one
 *    version, number        the creator                            as magic: is it one of this format and place
 *    bytes, granule         the creator                            as magic; the extent map, to find its words
 *    granules, data         the creator                            as magic; the extent map; every verb, from data on
 *    checksum               the creator, as the last field         as magic: has the creator finished
 *    extent map             the memory node, when an extent is     the memory node; each process that maps the file
 *                           made or deleted
 *    data                   verbs, and handlers of CALL            verbs, and handlers of CALL
 * </pre>
 */
public final class RegionLayout {
    /** "TIDEREGN" in ASCII, little-endian. */
    public static final long MAGIC = 0x4E47455245444954L;

    public static final int VERSION = 1;

    public static final StructLayout HEADER = MemoryLayout.structLayout(
                    U64.withName("magic"),
                    U32.withName("version"),
                    U32.withName("number"),
                    U64.withName("bytes"), // of the whole region, header and map included
                    U64.withName("granule"), // the smallest extent, a power of two
                    U64.withName("granules"), // the number of granules
                    U64.withName("data"), // the offset of the data
                    U64.withName("checksum")) // over all fields above, none of which ever changes
            .withName("region-header");

    public static final long MAGIC_AT = offset("magic");
    public static final long VERSION_AT = offset("version");
    public static final long NUMBER = offset("number");
    public static final long BYTES = offset("bytes");
    public static final long GRANULE = offset("granule");
    public static final long GRANULES = offset("granules");
    public static final long DATA = offset("data");
    public static final long CHECKSUM = offset("checksum");

    /** The offset of the extent map: after one page of header. */
    public static final long EXTENT_MAP = 4096;

    static {
        Checks.size(HEADER, 56);
    }

    private RegionLayout() {}

    private static long offset(String field) {
        return HEADER.byteOffset(PathElement.groupElement(field));
    }
}
