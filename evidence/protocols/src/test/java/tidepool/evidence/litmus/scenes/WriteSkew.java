package tidepool.evidence.litmus.scenes;

import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Scene;

/** Each part reads both keys and writes its own if both are 0: not both may use the old values. Interleaving 1. */
public final class WriteSkew extends Scene {
    public WriteSkew() {
        super("write-skew", 2);
    }

    @Override
    public void prepare(Part examiner) {
        put(examiner, 0, 0, 1);
    }

    @Override
    public void play(Part part) {
        long x = part.key(0);
        long y = part.key(1);
        long own = part.key(part.number());
        part.warm(x, y);
        part.transact(tx -> {
            long sum = part.get(tx, x) + part.get(tx, y);
            part.tick("read");
            part.barrier();
            part.tick("commit");
            if (sum == 0) part.set(tx, own, 1);
        });
    }

    @Override
    public void end(Part examiner) {
        noteXAndY(examiner);
    }

    @Override
    public boolean judge(Played round) {
        long x = round.end().get("x");
        long y = round.end().get("y");
        forbid(x + y != 1, "x=" + x + " y=" + y + ", and in any order exactly one of them is written");
        return round.bothBefore("read", "commit");
    }
}
