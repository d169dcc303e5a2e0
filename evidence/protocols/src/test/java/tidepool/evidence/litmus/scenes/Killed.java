package tidepool.evidence.litmus.scenes;

import java.util.ArrayList;
import java.util.List;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Plan;
import tidepool.evidence.litmus.Plans;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Scene;

/**
 * One part dies while it writes x and y; another recovers it, and may die during the recovery. A reported transaction
 * is there, and every transaction is there completely or not at all. Interleavings 6, 7 and 11.
 */
public final class Killed extends Scene {
    private static final int VICTIM = 0;
    private static final int RECOVERER = 1;
    private static final long MAX_RECOVERER_VERBS = 64;

    public Killed() {
        super("killed", 2);
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
        if (part.number() == VICTIM) {
            part.transact(tx -> {
                part.set(tx, x, 1);
                part.set(tx, y, 1);
            });
            part.note("reported", 1);
        } else {
            part.recover();
        }
    }

    @Override
    public void end(Part examiner) {
        noteXAndY(examiner);
    }

    @Override
    public boolean judge(Played round) {
        long x = round.end().get("x");
        long y = round.end().get("y");
        forbid(x != y, "x=" + x + " y=" + y + ": half of a transaction");
        forbid(round.of(VICTIM, "reported", 0) == 1 && x == 0, "what was reported is not there");
        return repaired(round, "finished") + repaired(round, "undone") > 0;
    }

    private static long repaired(Played round, String how) {
        return round.sum(how) + round.end().get(how, 0);
    }

    @Override
    public boolean isMortal() {
        return true;
    }

    @Override
    public List<Plan> schedule(long[] verbs) {
        List<Plan> all = new ArrayList<>();
        long last = verbs[VICTIM];
        for (long k = 0; k < last; k++) all.add(victim().dies(VICTIM, k));
        // Reported, and dead before its last verbs have landed.
        for (long f = 0; f < last; f++)
            all.add(victim().flies(VICTIM, f, Plan.END).dies(VICTIM, Plan.END));
        // One verb is late, the verbs after it are not.
        for (long f = 0; f < last; f++)
            for (long k = f; k < Math.min(last, f + 8); k++)
                all.add(victim().flies(VICTIM, f, 1).dies(VICTIM, k));
        // One image is complete, another one is not, and the recoverer dies as well.
        for (long f = last / 4; f <= last / 3; f++)
            for (long k = last * 2 / 3; k <= last * 3 / 4; k++)
                for (long m = MAX_RECOVERER_VERBS / 8; m < MAX_RECOVERER_VERBS; m++)
                    all.add(victim().flies(VICTIM, f, 1).dies(VICTIM, k).dies(RECOVERER, m));
        return all;
    }

    @Override
    public List<Plan> scheduleForProcesses(long[] verbs) {
        List<Plan> all = new ArrayList<>();
        for (long k = verbs[VICTIM] / 2; k < verbs[VICTIM]; k++) all.add(victim().dies(VICTIM, k));
        return Plans.some(all, 3);
    }

    private static Plan victim() {
        return Plan.turns(Plan.toTheEnd(VICTIM), Plan.toTheEnd(RECOVERER));
    }
}
