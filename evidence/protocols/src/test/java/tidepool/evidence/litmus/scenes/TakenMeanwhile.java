package tidepool.evidence.litmus.scenes;

import java.util.ArrayList;
import java.util.List;
import tidepool.Cell;
import tidepool.Transaction;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Plan;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Row;
import tidepool.evidence.litmus.Scene;

/**
 * One part dies while it holds x and y. Its recoverer dies after it has unlocked x and before it unlocks y. A third
 * part locks x and stands still. Then a second recoverer comes, for which x belongs to another transaction.
 * Interleaving 8.
 */
public final class TakenMeanwhile extends Scene {
    private static final int VICTIM = 0;
    private static final int RECOVERER = 1;
    private static final int TAKER = 2;
    private static final int SECOND = 3;
    private static final int TRIES = 3;
    private static final long MAX_RECOVERER_VERBS = 84;

    public TakenMeanwhile() {
        super("taken-meanwhile", 4);
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
        switch (part.number()) {
            case VICTIM -> {
                part.transact(tx -> {
                    add(part, tx, x, 1);
                    add(part, tx, y, 1);
                });
                part.note("reported", 1);
            }
            case TAKER -> take(part, x);
            default -> part.recover();
        }
        part.tick("end");
    }

    /** Does not recover the holder of a lock: this part is not the recoverer. */
    private static void take(Part part, long x) {
        for (int i = 0; i < TRIES; i++) {
            Transaction tx = part.pool().begin();
            part.rows().update(tx, x);
            if (!tx.raw().execute()) {
                tx.rollback();
                continue;
            }
            add(part, tx, x, 10);
            if (!tx.commit()) continue;
            part.note("taken", 1);
            return;
        }
    }

    private static void add(Part part, Transaction tx, long key, long more) {
        Cell<Row> cell = part.rows().update(tx, key);
        cell.set(Row.of(key, part.get(cell) + more));
    }

    @Override
    public void end(Part examiner) {
        noteXAndY(examiner);
    }

    @Override
    public boolean judge(Played round) {
        long x = round.end().get("x");
        long y = round.end().get("y");
        long taken = 10 * round.of(TAKER, "taken", 0);
        forbid(y != 0 && y != 1 || x != y + taken, "x=" + x + " y=" + y + " after an increment of both and " + taken);
        forbid(round.of(VICTIM, "reported", 0) == 1 && y == 0, "what was reported is not there");
        boolean halfWay = !round.parts().get(RECOVERER).has("end") && round.of(SECOND, "recovered", 0) > 0;
        return halfWay && taken > 0 && round.isBefore(TAKER, "begin", SECOND, "end");
    }

    @Override
    public boolean isMortal() {
        return true;
    }

    @Override
    public List<Plan> schedule(long[] verbs) {
        List<Plan> all = new ArrayList<>();
        long installed = verbs[VICTIM] * 3 / 4; // everything is installed, not everything is released
        for (long m = 30; m < MAX_RECOVERER_VERBS; m++)
            for (long j : List.of(3L, 7L))
                all.add(Plan.turns(
                                Plan.toTheEnd(VICTIM),
                                Plan.toTheEnd(RECOVERER),
                                Plan.turn(TAKER, j),
                                Plan.toTheEnd(SECOND),
                                Plan.toTheEnd(TAKER))
                        .dies(VICTIM, installed)
                        .dies(RECOVERER, m));
        return all;
    }

    /** Real processes are killed by {@code KillTest}; here every verb of a recovery would need a new process. */
    @Override
    public boolean isForProcesses() {
        return false;
    }
}
