package tidepool.evidence.faults;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tidepool.schema.EightByteKeys;
import tidepool.store.LogLayout;
import tidepool.store.Pointer;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;

/**
 * Keys that look like something else: like the pointer to their own row, pointers to other rows, to heads and counts,
 * words of locks and versions, empty words. Inserted in this order into an empty table, those of {@link #own} lie at
 * the place that their key denotes.
 */
final class OddKeys {
    private static final long LIKE_HASH = 0xa5a5_0000_1234_5678L;
    private static final int LIKE_HASHES = 4;

    private final TableLayout table;
    private final int partitions;
    private final int buckets;
    private final Set<Long> all = new LinkedHashSet<>();
    private final List<Long> own = new ArrayList<>();
    private long filler = 1_000_000;

    /**
     * Chooses the keys.
     *
     * @param table with one bucket in each partition
     * @param buckets of each chain that are filled so that many keys are their own pointers
     */
    OddKeys(TableLayout table, int partitions, int buckets) {
        this.buckets = buckets;
        this.table = table;
        this.partitions = partitions;
        for (int partition = 0; partition < partitions; partition++) fillChain(partition);
        List<Long> others = words(table, partitions);
        all.addAll(others.subList(0, Math.min(others.size(), room())));
    }

    /**
     * Returns words that mean something elsewhere: pointers to a table's objects, locks and ids of transactions,
     * extremes; and keys whose hashes agree in the bits from which partitions, buckets and places in indexes are taken.
     */
    static List<Long> words(TableLayout table, int partitions) {
        Set<Long> words = new LinkedHashSet<>(List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L, LogLayout.MAGIC));
        for (long counter = 1; counter <= 2; counter++) {
            words.add(TxnId.of(1, counter));
            words.add(TxnId.R | TxnId.of(1, counter));
        }
        for (int partition = 0; partition < partitions; partition++) {
            long first = table.bucket(partition, 0);
            words.add(table.overflowCount(partition));
            words.add(table.owner(partition));
            words.add(first);
            words.add(TableLayout.stamp(first));
            for (int i = 0; i < table.overflow(); i++) words.add(table.overflowBucket(partition, i));
            for (int slot = 0; slot < table.slots(); slot++) words.add(first + (table.slotOffset(slot) >>> 3));
        }
        for (int which : new int[] {0, table.id()})
            for (long i = 0; i < LIKE_HASHES; i++) words.add(keyOf(LIKE_HASH | i << 32, which));
        return List.copyOf(words);
    }

    /** Returns the key with this hash. The hash is one to one: each of its three steps is inverted. */
    private static long keyOf(long hash, int which) {
        long h = unshift(hash, 27) * inverse(0x1c69b3f74ac4ae35L);
        h = unshift(h, 33) * inverse(0x3c79ac492ba7b653L);
        long key = unshift(h, 27) - 0x9e3779b97f4a7c15L * (2L * which + 1);
        if (EightByteKeys.hash(key, which) != hash) throw new AssertionError("not the hash of " + key);
        return key;
    }

    private static long unshift(long mixed, int by) {
        long h = mixed;
        for (int known = by; known < Long.SIZE; known += by) h = mixed ^ h >>> by;
        return h;
    }

    /** Returns the inverse of an odd number, by Newton's method: each step doubles the bits that are right. */
    private static long inverse(long odd) {
        long inverse = odd;
        for (int bits = 3; bits < Long.SIZE; bits *= 2) inverse *= 2 - odd * inverse;
        return inverse;
    }

    /** Returns all keys, in the order in which they are to be inserted. */
    List<Long> all() {
        return List.copyOf(all);
    }

    /** Returns the keys that are the pointers to their own rows. */
    List<Long> own() {
        return own;
    }

    /**
     * Returns the room in the remaining overflow buckets for keys that lie wherever there is room; one bucket of each
     * partition stays free.
     */
    private int room() {
        return partitions * (table.overflow() - buckets) * table.slots() / 2;
    }

    private void fillChain(int partition) {
        long home = table.bucket(partition, 0);
        for (int bucket = 0; bucket < buckets; bucket++)
            for (int slot = 0; slot < table.slots(); slot++) {
                // The chain takes the overflow buckets of its partition in their order: there is no other chain.
                long place = slot(bucket == 0 ? home : table.overflowBucket(partition, bucket - 1), slot);
                boolean fits = table.home(place) == home && all.add(place);
                if (fits) own.add(place);
                else all.add(ordinary(home));
            }
    }

    private long ordinary(long home) {
        while (table.home(++filler) != home || all.contains(filler)) filler++;
        return filler;
    }

    private long slot(long bucket, int slot) {
        return bucket + (table.slotOffset(slot) >>> 3);
    }

    @Override
    public String toString() {
        return own.size() + " of " + all.size() + " keys are their own places, the first "
                + Pointer.text(own.getFirst()) + " hashed to " + EightByteKeys.hash(own.getFirst());
    }
}
