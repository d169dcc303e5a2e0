package tidepool.evidence.litmus.scenes;

import tidepool.Cell;
import tidepool.Rollback;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Row;
import tidepool.evidence.litmus.Scene;

/** Three parts lock x and y in different orders, abort, and roll back: no lock is freed by another transaction (F1). */
public final class AbortStorm extends Scene {
    private static final int TRIES = 4;

    public AbortStorm() {
        super("abort-storm", 3);
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
        for (int i = 0; i < TRIES; i++) {
            boolean givesUp = (i + part.number()) % 3 == 0;
            boolean xFirst = (i + part.number()) % 2 == 0;
            try {
                part.transact(tx -> {
                    Cell<Row> first = part.rows().update(tx, xFirst ? x : y);
                    Cell<Row> second = part.rows().update(tx, xFirst ? y : x);
                    first.set(Row.of(first.key(), part.get(first) + 1));
                    second.set(Row.of(second.key(), part.get(second) + 1));
                    if (givesUp) throw new Rollback("as planned");
                });
                part.count("committed");
            } catch (Rollback e) {
                part.count("rolled back");
            }
        }
    }

    @Override
    public void end(Part examiner) {
        noteXAndY(examiner);
    }

    @Override
    public boolean judge(Played round) {
        long x = round.end().get("x");
        long y = round.end().get("y");
        long committed = round.sum("committed");
        forbid(x != committed || y != committed, "x=" + x + " y=" + y + " after " + committed + " increments of both");
        return round.sum("refused") > 0;
    }
}
