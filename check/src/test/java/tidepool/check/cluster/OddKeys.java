package tidepool.check.cluster;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tidepool.store.LogLayout;
import tidepool.store.Pointer;
import tidepool.store.TableInfo;
import tidepool.store.TxnId;
import tidepool.store.schema.Keys;

/**
 * Keys that look like something else: like the place at which their own row lies, places of other rows, of heads and counts, words
 * of locks and versions, empty words. Inserted in this order into an empty table, those of {@link #own} lie where they say.
 */
final class OddKeys {
    private final TableInfo table;
    private final int partitions;
    private final int buckets;
    private final Set<Long> all = new LinkedHashSet<>();
    private final List<Long> own = new ArrayList<>();
    private long filler = 1_000_000;

    /**
     * @param table with one bucket in each partition
     * @param buckets of each chain that are filled so that many keys are their own places
     */
    OddKeys(TableInfo table, int partitions, int buckets) {
        this.buckets = buckets;
        this.table = table;
        this.partitions = partitions;
        for (int partition = 0; partition < partitions; partition++) fillChain(partition);
        List<Long> others = new ArrayList<>(List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L));
        for (int partition = 0; partition < partitions; partition++) {
            others.add(table.overflowCount(partition));
            others.add(table.owner(partition));
            others.add(table.bucket(partition, 0));
            others.add(TableInfo.stamp(table.bucket(partition, 0)));
            for (int i = 0; i < table.overflow(); i++) others.add(table.overflowBucket(partition, i));
            for (int slot = 0; slot < table.slots(); slot++) others.add(slot(table.bucket(partition, 0), slot));
        }
        for (long counter = 1; counter <= 2; counter++) {
            others.add(TxnId.of(1, counter));
            others.add(TxnId.R | TxnId.of(1, counter));
        }
        others.add(LogLayout.MAGIC);
        all.addAll(others.subList(0, Math.min(others.size(), room())));
    }

    /** All of them, in the order in which they are to be inserted. */
    List<Long> all() {
        return List.copyOf(all);
    }

    /** Keys that are the places of their own rows. */
    List<Long> own() {
        return own;
    }

    /** What is left of the overflow buckets for keys that lie wherever there is room; one bucket of each partition stays free. */
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
                + Pointer.text(own.getFirst()) + " hashed to " + Keys.hash(own.getFirst());
    }
}
