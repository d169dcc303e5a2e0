package tidepool.evidence.litmus.scenes;

import tidepool.Cell;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Row;
import tidepool.evidence.litmus.Scene;
import tidepool.store.TxnId;

/**
 * Increments in sessions whose transaction ids run out. Each part continues in a new session, no id is used twice, and
 * no increment is lost. Meaningful only with a protocol that is near the end of its ids.
 */
public final class VersionWrap extends Scene {
    private static final int TIMES = 8;

    public VersionWrap() {
        super("version-wrap", 2);
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
        int[] attempts = {0};
        int first = part.pool().sessionNumber();
        for (int i = 0; i < TIMES; i++)
            part.transact(tx -> {
                part.note("id" + attempts[0]++, tx.id());
                Cell<Row> cell = part.rows().update(tx, x);
                cell.set(Row.of(x, part.get(cell) + 1));
            });
        part.note("attempts", attempts[0]);
        part.note("renewed", part.pool().sessionNumber() == first ? 0 : 1);
        part.tick("end");
    }

    @Override
    public void end(Part examiner) {
        examiner.transact(tx -> examiner.note("x", examiner.get(tx, examiner.key(0))));
    }

    @Override
    public boolean judge(Played round) {
        long x = round.end().get("x");
        forbid(x != 2 * TIMES, "x=" + x + " after " + 2 * TIMES + " increments");
        for (int part = 0; part < 2; part++) checkIds(round, part);
        return round.sum("renewed") == 2 && round.together(0, 1);
    }

    private static void checkIds(Played round, int part) {
        for (long i = 0; i < round.of(part, "attempts"); i++) {
            long id = round.of(part, "id" + i);
            // Within a session, and from one session of a part to the next, ids only grow.
            forbid(i > 0 && id <= round.of(part, "id" + (i - 1)), "an id came round: " + TxnId.text(id));
            for (long j = 0; j < round.of(1 - part, "attempts"); j++)
                forbid(id == round.of(1 - part, "id" + j), "an id was used twice: " + TxnId.text(id));
        }
    }
}
