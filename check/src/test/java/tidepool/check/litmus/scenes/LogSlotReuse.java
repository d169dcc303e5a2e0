package tidepool.check.litmus.scenes;

import java.util.ArrayList;
import java.util.List;
import tidepool.Cell;
import tidepool.check.litmus.Part;
import tidepool.check.litmus.Plan;
import tidepool.check.litmus.Played;
import tidepool.check.litmus.Row;
import tidepool.check.litmus.Scene;

/**
 * One writes x again and again, one verb of its first transaction is long on its way, and it dies over a later one: what
 * it wrote down about the first is still needed. Interleaving 20.
 */
public final class LogSlotReuse extends Scene {
    private static final int VICTIM = 0;
    private static final int RECOVERER = 1;
    private static final int TIMES = 4;

    public LogSlotReuse() {
        super("log-slot-reuse", 2);
    }

    @Override
    public void prepare(Part steward) {
        put(steward, 0, 0);
    }

    @Override
    public void play(Part part) {
        long x = part.key(0);
        part.warm(x);
        part.curtain();
        for (int i = 0; part.number() == VICTIM && i < TIMES; i++) {
            part.transact(tx -> {
                Cell<Row> cell = part.rows().update(tx, x);
                cell.set(Row.of(x, part.get(cell) + 1));
            });
            part.count("reported");
        }
        if (part.number() == RECOVERER) part.recover();
    }

    @Override
    public void end(Part steward) {
        steward.transact(tx -> steward.note("x", steward.get(tx, steward.key(0))));
    }

    @Override
    public boolean judge(Played round) {
        long x = round.end().get("x");
        long reported = round.of(VICTIM, "reported", 0);
        forbid(x != reported && x != reported + 1, "x=" + x + " after " + reported + " reported increments");
        return reported > 0 && reported < TIMES && round.sum("recovered") > 0;
    }

    @Override
    public boolean isMortal() {
        return true;
    }

    @Override
    public List<Plan> schedule(long[] verbs) {
        List<Plan> all = new ArrayList<>();
        long each = verbs[VICTIM] / TIMES;
        for (long f = 0; f < each; f++)
            for (long k = each; k <= verbs[VICTIM]; k += 2)
                all.add(Plan.turns(Plan.toTheEnd(VICTIM), Plan.toTheEnd(RECOVERER))
                        .flies(VICTIM, f, 1)
                        .dies(VICTIM, k));
        return all;
    }

    /** Verbs of processes do not fly. */
    @Override
    public boolean isForProcesses() {
        return false;
    }
}
