package tidepool.evidence.litmus.scenes;

import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Scene;

/**
 * One transaction deletes a key and inserts another one in its bucket. A reader that looks for both finds exactly one,
 * also while their slots are being written. Interleaving 19.
 */
public final class MovedKey extends Scene {
    public MovedKey() {
        super("moved-key", 2);
    }

    @Override
    public void prepare(Part examiner) {
        put(examiner, 1, 0);
    }

    @Override
    public void play(Part part) {
        long from = part.key(0);
        long to = part.inBucketOf(from, 0);
        if (part.number() == 0) part.warm(from);
        part.barrier();
        part.tick("begin");
        if (part.number() == 0)
            part.transact(tx -> {
                part.rows().delete(tx, from);
                part.insert(tx, to, 1);
            });
        else
            part.transact(tx -> {
                long before = tx.roundTrips();
                long found = (part.get(tx, to) == Part.ABSENT ? 0 : 1) + (part.get(tx, from) == Part.ABSENT ? 0 : 1);
                part.note("found", found);
                part.note("trips", tx.roundTrips() - before);
            });
        part.tick("end");
    }

    @Override
    public boolean judge(Played round) {
        forbid(round.of(1, "found") != 1, "of two keys, one of which is always there, " + round.of(1, "found"));
        return round.together(0, 1) && (round.of(1, "refused", 0) > 0 || round.of(0, "refused", 0) > 0);
    }
}
