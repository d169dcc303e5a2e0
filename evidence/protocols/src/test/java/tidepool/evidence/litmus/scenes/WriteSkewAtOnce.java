package tidepool.evidence.litmus.scenes;

import java.util.ArrayList;
import java.util.List;
import tidepool.Cell;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Plan;
import tidepool.evidence.litmus.Plans;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Row;
import tidepool.evidence.litmus.Scene;

/**
 * Write skew with the read and the lock in one trip. A read in the round of the locks is not validated by that round.
 * Interleaving 2.
 */
public final class WriteSkewAtOnce extends Scene {
    public WriteSkewAtOnce() {
        super("write-skew-at-once", 2);
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
        part.barrier();
        part.tick("begin");
        part.transact(tx -> {
            Cell<Row> seen = part.rows().read(tx, other);
            Cell<Row> written = part.rows().update(tx, own);
            if (part.get(seen) == 0) written.set(Row.of(own, 1));
        });
        part.tick("end");
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
        return round.together(0, 1) && round.sum("refused") > 0;
    }

    /** The lock of one part is delayed after its read has landed: with turns alone the two could not cross. */
    @Override
    public List<Plan> schedule(long[] verbs) {
        List<Plan> all = new ArrayList<>(Plans.some(Plans.pairs(verbs), 300));
        for (int part = 0; part < 2; part++)
            for (long verb = 0; verb < verbs[part]; verb++)
                all.add(Plan.turns(Plan.turn(part, 0)).flies(part, verb, 1));
        return all;
    }

    @Override
    public List<Plan> scheduleForProcesses(long[] verbs) {
        return Plans.some(Plans.pairs(verbs), 150);
    }
}
