package tidepool.evidence.litmus.scenes;

import java.util.ArrayList;
import java.util.List;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Plan;
import tidepool.evidence.litmus.Plans;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Scene;

/**
 * One part dies while it commits x. Another reads x meanwhile, and stands still between two of its samples. A third
 * undoes the transaction of the dead part. A value that was undone was never read. Interleaving 5.
 */
public final class UndoneRead extends Scene {
    private static final int VICTIM = 0;
    private static final int READER = 1;
    private static final int RECOVERER = 2;

    public UndoneRead() {
        super("undone-read", 3);
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
        switch (part.number()) {
            case VICTIM -> {
                part.transact(tx -> part.set(tx, x, 1));
                part.note("reported", 1);
            }
            case READER -> part.note("x", part.read(x));
            default -> part.recover();
        }
        part.tick("end");
    }

    @Override
    public void end(Part examiner) {
        examiner.transact(tx -> examiner.note("x", examiner.get(tx, examiner.key(0))));
    }

    @Override
    public boolean judge(Played round) {
        long x = round.end().get("x");
        forbid(round.of(READER, "x") == 1 && x == 0, "a reader saw what was undone");
        forbid(round.of(VICTIM, "reported", 0) == 1 && x == 0, "what was reported is not there");
        return round.of(RECOVERER, "undone", 0) > 0 && round.together(READER, RECOVERER);
    }

    @Override
    public boolean isMortal() {
        return true;
    }

    @Override
    public List<Plan> schedule(long[] verbs) {
        List<Plan> all = new ArrayList<>();
        for (long k = 0; k < verbs[VICTIM]; k++) for (long n = 0; n <= verbs[READER]; n++) all.add(plan(k, n));
        return all;
    }

    /** The victim dies in the middle of its images, with the reader at each of its samples. */
    @Override
    public List<Plan> scheduleForProcesses(long[] verbs) {
        List<Plan> all = new ArrayList<>();
        for (long n = 0; n < verbs[READER]; n++) all.add(plan(verbs[VICTIM] / 2, n));
        return Plans.some(all, 3);
    }

    private static Plan plan(long dies, long stands) {
        return Plan.turns(
                        Plan.toTheEnd(VICTIM),
                        Plan.turn(READER, stands),
                        Plan.toTheEnd(RECOVERER),
                        Plan.toTheEnd(READER))
                .dies(VICTIM, dies);
    }
}
