package tidepool.protocol;

/**
 * The room that an object for transactions has, in classes that are four times as large as the one before. Nearly all
 * transactions fit the {@link #SMALL} class. An attempt that does not fit ends as {@link
 * tidepool.txn.AbortReason#NEEDS_ROOM}, and the next one gets an object of a larger class.
 *
 * @param accesses the maximum number of accesses; the largest of TPC-C reads 621 records
 * @param objects the maximum number of objects that it locks, bucket heads included
 * @param bytes of local memory, in which everything lands and is made
 */
public record TxnRoom(int accesses, int objects, long bytes) {
    public static final TxnRoom SMALL = new TxnRoom(640, 256, 1 << 20);

    /** The largest room. A log heap, or the memory of the process, ends earlier. */
    public static final TxnRoom LARGEST = new TxnRoom(640 << 10, 256 << 12, 1 << 30);

    private static final int FACTOR = 4;

    /**
     * Returns a larger room, for an attempt that needed more than this one.
     *
     * @param accessesNeeded how many accesses, as far as is known
     * @param objectsNeeded how many objects
     * @param bytesNeeded how many bytes
     */
    public TxnRoom largerFor(long accessesNeeded, long objectsNeeded, long bytesNeeded) {
        return new TxnRoom(
                (int) grown(accesses, accessesNeeded, LARGEST.accesses),
                (int) grown(objects, objectsNeeded, LARGEST.objects),
                grown(bytes, bytesNeeded, LARGEST.bytes));
    }

    /** Whether a room has everything that another one has. */
    public boolean covers(TxnRoom other) {
        return accesses >= other.accesses && objects >= other.objects && bytes >= other.bytes;
    }

    /** A dimension that is nearly used up grows too: otherwise it would be the next one that ends an attempt. */
    private static long grown(long room, long needed, long largest) {
        long larger = needed > room / 2 ? room * FACTOR : room;
        while (larger < needed) larger *= FACTOR;
        return Math.min(larger, largest);
    }
}
