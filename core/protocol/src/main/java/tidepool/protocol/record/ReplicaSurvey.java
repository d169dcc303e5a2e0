package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;

/**
 * The state of all whole copies of the objects that a transaction wrote: version and body of each, read together. It
 * stays valid until the recoverer writes to them, because no other session is in the pool.
 */
final class ReplicaSurvey {
    /** The number of copies of an object that are read. */
    interface Witnesses {
        int of(LoggedTxn txn, int i);
    }

    private final PoolRegions pool;
    private final Witnesses witnesses;
    private final Lane lane;
    private final Round round;
    private final int atOnce;
    private MemorySegment landed;
    private LoggedTxn seen;
    private int copies;
    private long[] places = new long[64];

    /** @param atOnce the maximum number of verbs of the round */
    ReplicaSurvey(PoolRegions pool, Witnesses witnesses, Lane lane, Round round, int atOnce) {
        this.pool = pool;
        this.witnesses = witnesses;
        this.lane = lane;
        this.round = round;
        this.atOnce = atOnce;
        this.landed = lane.landing(4096);
    }

    /** Called when something was written: the state read before may be outdated. */
    void forget() {
        seen = null;
    }

    RosterChange.Shown of(LoggedTxn txn, int i, int copy) {
        if (txn != seen) look(txn);
        long at = places[i * copies + copy];
        return new RosterChange.Shown(
                Words.plain(landed, at),
                Words.plain(landed, at + Words.BYTES + ObjectLayout.BODY_WRITER),
                ObjectLayout.isWhole(landed, at + Words.BYTES, txn.bodyBytes(i)));
    }

    /** Adds a WRITE of the bytes that a copy was seen to hold. */
    void writeAgain(Round to, LoggedTxn txn, int i, int copy) {
        if (txn != seen) throw new IllegalStateException("not looked at since something was written");
        to.write(pool.replica(txn.pointer(i), copy), at(txn, i), bytes(txn, i), landed, places[i * copies + copy]);
    }

    private void look(LoggedTxn txn) {
        place(txn);
        int asked = 0;
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; copy < witnesses.of(txn, i); copy++) {
                round.read(
                        pool.replica(txn.pointer(i), copy),
                        at(txn, i),
                        bytes(txn, i),
                        landed,
                        places[i * copies + copy]);
                if (++asked % atOnce == 0) round.post().await();
            }
        if (asked % atOnce != 0) round.post().await();
        seen = txn;
    }

    /** Decides where each copy lands. */
    private void place(LoggedTxn txn) {
        copies = 1;
        for (int i = 0; i < txn.objects(); i++) copies = Math.max(copies, witnesses.of(txn, i));
        if (places.length < txn.objects() * copies) places = Arrays.copyOf(places, 2 * txn.objects() * copies);
        long end = 0;
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; copy < witnesses.of(txn, i); copy++) {
                places[i * copies + copy] = end;
                end += bytes(txn, i);
            }
        if (landed.byteSize() < end) landed = lane.landing(2 * end);
    }

    private static long at(LoggedTxn txn, int i) {
        return Pointer.offset(txn.pointer(i)) + ObjectLayout.VERSION;
    }

    private static long bytes(LoggedTxn txn, int i) {
        return Words.BYTES + txn.bodyBytes(i);
    }
}
