package tidepool.evidence.litmus.scenes;

import tidepool.Cell;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Row;
import tidepool.evidence.litmus.Scene;

/**
 * An update of a key that is being inserted waits for the insert, and its lock is not freed by the insert. Interleaving
 * 19.
 */
public final class FreshSlot extends Scene {
    public FreshSlot() {
        super("fresh-slot", 2);
    }

    @Override
    public void prepare(Part examiner) {}

    @Override
    public void play(Part part) {
        long key = part.key(0);
        part.barrier();
        part.tick("begin");
        if (part.number() == 0) part.transact(tx -> part.insert(tx, key, 1));
        else
            for (int i = 0; i < 2; i++)
                part.transact(tx -> {
                    Cell<Row> cell = part.rows().update(tx, key);
                    long seen = part.get(cell);
                    if (seen != Part.ABSENT) cell.set(Row.of(key, seen + 10));
                    part.note("seen", seen);
                });
        part.tick("end");
    }

    @Override
    public void end(Part examiner) {
        examiner.transact(tx -> examiner.note("value", examiner.get(tx, examiner.key(0))));
    }

    @Override
    public boolean judge(Played round) {
        long seen = round.of(1, "seen");
        long expected = seen == Part.ABSENT ? 1 : seen + 10;
        forbid(round.end().get("value") != expected, "value=" + round.end().get("value") + " and not " + expected);
        return round.together(0, 1) && round.sum("refused") > 0;
    }
}
