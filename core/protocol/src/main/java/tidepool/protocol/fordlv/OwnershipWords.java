package tidepool.protocol.fordlv;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.store.Pointer;
import tidepool.store.TableLayout;

/**
 * The words in the pool that name the only session that may write in a partition of a table: 0, or the number of a
 * session. A session takes a word by CAS from 0 and gives it back by CAS from its own number. The word of a dead
 * session is given back by the recoverer that has revoked and repaired it.
 *
 * <pre>
 *    word               written by                                              read by
 *    of a partition,    FordLvCoordinator: CAS 0 -> session, before it writes   claims: the word that their CAS
 *      on its primary   in the partition; CAS session -> 0, to give it back.    has found
 *                       FordLvRecovery: CAS dead session -> 0.
 *                       FordLvReconfiguration: 0, on all copies
 * </pre>
 */
final class OwnershipWords {
    private final PoolRegions pool;
    private final Round round;
    private final MemorySegment found;

    OwnershipWords(Lane lane, PoolRegions pool) {
        this.pool = pool;
        this.round = lane.round(1);
        this.found = lane.landing(Words.BYTES);
    }

    /** Makes a session the owner if there is none. Waits for the answer of the node. Returns the owner. */
    int claim(TableLayout table, int partition, int session) {
        long before = swap(table, partition, 0, session);
        return before == 0 ? session : (int) before;
    }

    /** Gives a partition back if the session owns it. */
    void giveBack(TableLayout table, int partition, int session) {
        swap(table, partition, session, 0);
    }

    private long swap(TableLayout table, int partition, long expected, long desired) {
        long place = table.owner(partition);
        round.compareAndSwap(pool.primary(place), Pointer.offset(place), expected, desired, found, 0)
                .post()
                .await();
        return Words.plain(found, 0);
    }
}
