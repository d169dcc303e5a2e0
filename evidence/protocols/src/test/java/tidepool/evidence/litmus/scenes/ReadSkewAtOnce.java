package tidepool.evidence.litmus.scenes;

import tidepool.Cell;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Row;
import tidepool.evidence.litmus.Scene;

/** Read skew with both keys read in one trip: one trip is not one moment. */
public final class ReadSkewAtOnce extends Scene {
    public ReadSkewAtOnce() {
        super("read-skew-at-once", 2);
    }

    @Override
    public void prepare(Part examiner) {
        put(examiner, 0, 0, 1);
    }

    @Override
    public void play(Part part) {
        long x = part.key(0);
        long y = part.key(1);
        part.warm(x, y);
        part.barrier();
        part.tick("begin");
        if (part.number() == 0)
            part.transact(tx -> {
                part.set(tx, x, 1);
                part.set(tx, y, 1);
            });
        else
            part.transact(tx -> {
                Cell<Row> first = part.rows().read(tx, x);
                Cell<Row> second = part.rows().read(tx, y);
                part.note("x", part.get(first));
                part.note("y", part.get(second));
                part.note("trips", tx.roundTrips());
            });
        part.tick("end");
    }

    @Override
    public boolean judge(Played round) {
        long x = round.of(1, "x");
        long y = round.of(1, "y");
        forbid(x != y, "a reader saw x=" + x + " and y=" + y + ", which are always equal");
        // The writer met the reader: it read again, or was refused.
        return round.together(0, 1) && (round.of(1, "trips") > 1 || round.of(1, "refused", 0) > 0);
    }
}
