package tidepool.evidence.litmus.scenes;

import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Scene;

/** Each part deletes its own key if the other's exists: one key remains. */
public final class PhantomDelete extends Scene {
    public PhantomDelete() {
        super("phantom-delete", 2);
    }

    @Override
    public void prepare(Part examiner) {
        put(examiner, 0, 0, 1);
    }

    @Override
    public void play(Part part) {
        long own = part.key(part.number());
        long other = part.key(1 - part.number());
        part.warm(own, other);
        part.transact(tx -> {
            boolean company = part.get(tx, other) != Part.ABSENT;
            part.tick("read");
            part.barrier();
            part.tick("commit");
            if (company) part.rows().delete(tx, own);
        });
    }

    @Override
    public void end(Part examiner) {
        noteXAndY(examiner);
    }

    @Override
    public boolean judge(Played round) {
        boolean x = round.end().get("x") != Part.ABSENT;
        boolean y = round.end().get("y") != Part.ABSENT;
        forbid(x == y, x ? "nobody deleted" : "both deleted, each because the other had not");
        return round.bothBefore("read", "commit");
    }
}
