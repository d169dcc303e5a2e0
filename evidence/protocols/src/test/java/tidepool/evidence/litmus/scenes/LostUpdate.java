package tidepool.evidence.litmus.scenes;

import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Scene;

/**
 * Both parts read x, then both write x + 1. The read is an access of its own; the later write must not hide that the
 * read is outdated.
 */
public final class LostUpdate extends Scene {
    public LostUpdate() {
        super("lost-update", 2);
    }

    @Override
    public void prepare(Part examiner) {
        put(examiner, 0, 0);
    }

    @Override
    public void play(Part part) {
        long x = part.key(0);
        part.warm(x);
        part.transact(tx -> {
            long seen = part.get(tx, x);
            part.tick("read");
            part.barrier();
            part.tick("commit");
            part.set(tx, x, seen + 1);
        });
    }

    @Override
    public void end(Part examiner) {
        examiner.transact(tx -> examiner.note("x", examiner.get(tx, examiner.key(0))));
    }

    @Override
    public boolean judge(Played round) {
        long x = round.end().get("x");
        forbid(x != 2, "x=" + x + " after two increments");
        return round.bothBefore("read", "commit");
    }
}
