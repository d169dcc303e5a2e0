package tidepool.evidence.litmus.scenes;

import tidepool.Cell;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Row;
import tidepool.evidence.litmus.Scene;

/**
 * One part changes x twice and sets y too, in one transaction. The other reads x alone, then y alone, each without
 * validation. Undecided values are not seen, and a reader that has seen one write of a transaction sees all of them.
 */
public final class DirtyRead extends Scene {
    private static final long ON_SECOND_THOUGHT = 666;

    public DirtyRead() {
        super("dirty-read", 2);
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
                Cell<Row> cell = part.rows().update(tx, x);
                cell.set(Row.of(x, ON_SECOND_THOUGHT));
                part.get(tx, x); // carried out, and not the final value
                cell.set(Row.of(x, 1));
                part.set(tx, y, 1);
            });
        else {
            part.note("x", part.read(x));
            part.note("y", part.read(y));
        }
        part.tick("end");
    }

    @Override
    public boolean judge(Played round) {
        long x = round.of(1, "x");
        long y = round.of(1, "y");
        forbid(x == ON_SECOND_THOUGHT, "x was seen as it was never committed");
        forbid(x == 1 && y == 0, "x was seen before the transaction that set it and y was decided");
        return round.together(0, 1) && round.of(1, "met", 0) > 0;
    }
}
