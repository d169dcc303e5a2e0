package tidepool.evidence.litmus.scenes;

import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Scene;

/**
 * Each part looks for the other's key and inserts its own if the other does not exist: "not found" is a result that
 * must still hold at commit.
 */
public final class PhantomInsert extends Scene {
    public PhantomInsert() {
        super("phantom-insert", 2);
    }

    @Override
    public void prepare(Part examiner) {}

    @Override
    public void play(Part part) {
        long own = part.key(part.number());
        long other = part.key(1 - part.number());
        part.transact(tx -> {
            boolean alone = part.get(tx, other) == Part.ABSENT;
            part.tick("read");
            part.barrier();
            part.tick("commit");
            if (alone) part.insert(tx, own, 1);
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
        forbid(x && y, "both inserted, each because the other had not");
        forbid(!x && !y, "nobody inserted");
        return round.bothBefore("read", "commit");
    }
}
