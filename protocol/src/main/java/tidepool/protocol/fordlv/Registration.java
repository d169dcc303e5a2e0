package tidepool.protocol.fordlv;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.store.Pointer;
import tidepool.store.TableInfo;

/**
 * The words in the pool that say who alone may write in a partition of a table: 0, or the number of a session. Taken by
 * CAS from 0, given back by CAS from one's own number; a dead session's by whoever has revoked and repaired it.
 */
final class Registration {
    private final PoolRegions pool;
    private final Round round;
    private final MemorySegment found;

    Registration(Lane lane, PoolRegions pool) {
        this.pool = pool;
        this.round = lane.round(1);
        this.found = lane.landing(Words.BYTES);
    }

    /** Makes a session the owner if nobody is. Returns who is now. Waits. */
    int claim(TableInfo table, int partition, int session) {
        long before = swap(table, partition, 0, session);
        return before == 0 ? session : (int) before;
    }

    /** Gives a partition back, if it was the session's. */
    void giveBack(TableInfo table, int partition, int session) {
        swap(table, partition, session, 0);
    }

    private long swap(TableInfo table, int partition, long expected, long desired) {
        long place = table.owner(partition);
        round.compareAndSwap(pool.primary(place), Pointer.offset(place), expected, desired, found, 0)
                .post()
                .await();
        return Words.plain(found, 0);
    }
}
