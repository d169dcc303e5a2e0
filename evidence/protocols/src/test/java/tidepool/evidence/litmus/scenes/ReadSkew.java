package tidepool.evidence.litmus.scenes;

import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Scene;

/** One part sets x and y together; the other reads x, then y. The reader never sees one old and one new value. */
public final class ReadSkew extends Scene {
    public ReadSkew() {
        super("read-skew", 2);
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
        if (part.number() == 0) {
            part.barrier();
            part.tick("begin");
            part.transact(tx -> {
                part.set(tx, x, 1);
                part.set(tx, y, 1);
            });
            part.tick("end");
            return;
        }
        part.transact(tx -> {
            part.note("x", part.get(tx, x));
            part.tick("first");
            part.barrier();
            part.note("y", part.get(tx, y));
            part.tick("second");
        });
    }

    @Override
    public boolean judge(Played round) {
        long x = round.of(1, "x");
        long y = round.of(1, "y");
        forbid(x != y, "a reader saw x=" + x + " and y=" + y + ", which are always equal");
        return round.isBefore(1, "first", 0, "begin") && round.isBefore(0, "end", 1, "second");
    }
}
