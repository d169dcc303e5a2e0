package tidepool.evidence.faults;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.PoolView;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TableLayout;

/** Finds the object of a row in a simulated pool in which no transaction is under way. */
final class RowPlace {
    private RowPlace() {}

    /** Returns the pointer to the row of a key. */
    static long of(PoolView view, TableLayout table, long key) {
        long bucket = table.home(key);
        while (bucket != Pointer.NOWHERE) {
            MemorySegment memory = view.replica(bucket, 0);
            for (int slot = 0; slot < table.slots(); slot++) {
                long place = bucket + (table.slotOffset(slot) >>> 3);
                if (ObjectLayout.holds(memory, Pointer.offset(place) + ObjectLayout.BODY, key)) return place;
            }
            bucket = Words.plain(memory, Pointer.offset(bucket) + ObjectLayout.CONTENT);
        }
        throw new ClusterFailure("key " + key + " is not there");
    }
}
