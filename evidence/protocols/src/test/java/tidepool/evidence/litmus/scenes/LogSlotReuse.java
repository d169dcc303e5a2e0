package tidepool.evidence.litmus.scenes;

import java.util.ArrayList;
import java.util.List;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Plan;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Scene;

/**
 * One part writes one key after the other. One verb of its first transaction is delayed, and the part dies during a
 * later one. The log of the first transaction is still needed. Interleaving 20.
 */
public final class LogSlotReuse extends Scene {
    private static final int VICTIM = 0;
    private static final int RECOVERER = 1;
    private static final int TIMES = 4;

    public LogSlotReuse() {
        super("log-slot-reuse", 2);
    }

    @Override
    public void prepare(Part examiner) {
        put(examiner, 0, 0, 2, 4, 6);
    }

    @Override
    public void play(Part part) {
        for (int i = 0; i < TIMES; i++) part.warm(part.key(2 * i));
        part.barrier();
        for (int i = 0; part.number() == VICTIM && i < TIMES; i++) {
            long key = part.key(2 * i); // all in one partition, and so in one set of logs
            part.transact(tx -> part.set(tx, key, 1));
            part.count("reported");
        }
        if (part.number() == RECOVERER) part.recover();
    }

    @Override
    public void end(Part examiner) {
        for (int i = 0; i < TIMES; i++) examiner.note("x" + i, examiner.read(examiner.key(2 * i)));
    }

    @Override
    public boolean judge(Played round) {
        long reported = round.of(VICTIM, "reported", 0);
        for (int i = 0; i < TIMES; i++) {
            long x = round.end().get("x" + i);
            forbid(i < reported && x != 1, "what was reported is not there: key " + i);
            forbid(i > reported && x != 0, "what was never begun is there: key " + i);
        }
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

    /** Verbs of processes cannot be delayed. */
    @Override
    public boolean isForProcesses() {
        return false;
    }
}
