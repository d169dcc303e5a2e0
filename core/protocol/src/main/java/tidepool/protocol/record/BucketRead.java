package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.store.ObjectLayout;
import tidepool.store.TableLayout;

/**
 * The READs of a bucket by those who look for keys in it. One READ takes the whole bucket, if its slots are small. Of
 * wide slots only what tells keys is read: the header, and the bytes of a wide key, which end the content. The pieces
 * land where they would lie in the whole bucket; what lies between them has not landed.
 *
 * <pre>
 *    head | slot 0                          | slot 1                          |
 *    -----+--------+----------------+-----+-+--------+----------------+-----+-+
 *         | header | value          | key | | header | value          | key | |
 *    |&lt;---- READ ->|                |&lt;----- READ --->|                |READ |
 * </pre>
 *
 * A bucket of two large parts takes 7,360 bytes as a whole, and 184 in pieces.
 */
final class BucketRead {
    private BucketRead() {}

    /** Adds the READs to a round. */
    static void add(Round round, Region region, long bucket, TableLayout table, MemorySegment memory, long landing) {
        if (!table.hasWideSlots()) {
            addWhole(round, region, bucket, table, memory, landing);
            return;
        }
        long from = 0;
        for (int slot = 0; slot < table.slots(); slot++) {
            long at = table.slotOffset(slot);
            long to = at + ObjectLayout.CONTENT;
            round.read(region, bucket + from, to - from, memory, landing + from);
            from = table.hasWideKey() ? at + ObjectLayout.BODY + table.keyOffset() : table.slotOffset(slot + 1);
        }
        if (table.hasWideKey()) round.read(region, bucket + from, table.keyBytes(), memory, landing + from);
    }

    /** Adds the READ of all of a bucket to a round. */
    static void addWhole(
            Round round, Region region, long bucket, TableLayout table, MemorySegment memory, long landing) {
        round.read(region, bucket, table.bucketBytes(), memory, landing);
    }
}
