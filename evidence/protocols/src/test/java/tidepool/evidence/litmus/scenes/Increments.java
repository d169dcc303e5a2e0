package tidepool.evidence.litmus.scenes;

import tidepool.Cell;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Row;
import tidepool.evidence.litmus.Scene;

/**
 * One writer directly after another, by lock and read: the release of the first is in flight while the second writes.
 * Damage by a late verb shows on the backups, when memory is checked. Interleavings 9 and 10.
 */
public final class Increments extends Scene {
    public Increments() {
        super("writer-after-writer", 2);
    }

    @Override
    public void prepare(Part examiner) {
        put(examiner, 0, 0);
    }

    @Override
    public void play(Part part) {
        long x = part.key(0);
        part.warm(x);
        part.barrier();
        part.tick("begin");
        part.transact(tx -> {
            Cell<Row> cell = part.rows().update(tx, x);
            cell.set(Row.of(x, part.get(cell) + 1));
        });
        part.tick("end");
    }

    @Override
    public void end(Part examiner) {
        examiner.transact(tx -> examiner.note("x", examiner.get(tx, examiner.key(0))));
    }

    @Override
    public boolean judge(Played round) {
        long x = round.end().get("x");
        forbid(x != 2, "x=" + x + " after two increments");
        return round.together(0, 1);
    }
}
