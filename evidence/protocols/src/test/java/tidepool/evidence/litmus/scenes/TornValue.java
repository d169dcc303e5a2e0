package tidepool.evidence.litmus.scenes;

import tidepool.evidence.litmus.Forbidden;
import tidepool.evidence.litmus.Large;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Scene;

/**
 * A value of 4 KB is read alone, and so without validation, while it is written. The value is always that of one
 * writer, and never older than one read before.
 */
public final class TornValue extends Scene {
    private static final int WRITES = 3;
    private static final int READS = 4;

    public TornValue() {
        super("torn-value", 2);
    }

    @Override
    public void prepare(Part examiner) {
        long key = examiner.largeKey();
        examiner.transact(tx -> examiner.large().put(tx, Large.of(key, 100)));
    }

    @Override
    public void play(Part part) {
        long key = part.largeKey();
        read(part, key);
        long quiet = read(part, key);
        part.barrier();
        part.tick("begin");
        for (int i = 1; part.number() == 0 && i <= WRITES; i++) {
            Large value = Large.of(key, 100 + i);
            part.transact(tx -> part.large().update(tx, key).set(value));
        }
        for (int i = 1; part.number() == 1 && i <= READS; i++) if (read(part, key) > quiet) part.count("met");
        part.tick("end");
    }

    /** Returns the round trips of the read that was accepted. */
    private static long read(Part part, long key) {
        long[] trips = {0};
        Large seen = part.compute(tx -> {
            Large large = part.large().get(tx, key);
            trips[0] = tx.roundTrips();
            return large;
        });
        if (!seen.isWhole()) throw new Forbidden("half a value was read, of " + seen.value());
        part.note("went back", seen.value() < part.noted("seen", 0) ? 1 : part.noted("went back", 0));
        part.note("seen", seen.value());
        return trips[0];
    }

    @Override
    public boolean judge(Played round) {
        forbid(round.of(1, "went back") != 0, "a value was followed by an older one");
        return round.together(0, 1) && (round.of(1, "met", 0) > 0 || round.of(1, "refused", 0) > 0);
    }

    @Override
    public int maxRounds() {
        return 256;
    }
}
