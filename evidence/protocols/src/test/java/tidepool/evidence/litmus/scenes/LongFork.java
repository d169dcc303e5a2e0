package tidepool.evidence.litmus.scenes;

import java.util.List;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Plan;
import tidepool.evidence.litmus.Plans;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Scene;

/** One part sets x, one sets y, two read both: the readers must not disagree about which write was first. */
public final class LongFork extends Scene {
    public LongFork() {
        super("long-fork", 4);
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
        if (part.number() < 2) {
            part.barrier();
            part.tick("begin");
            part.transact(tx -> part.set(tx, part.key(part.number()), 1));
            part.tick("end");
            return;
        }
        boolean xFirst = part.number() == 2;
        part.transact(tx -> {
            long first = part.get(tx, xFirst ? x : y);
            part.tick("begin");
            part.barrier();
            long second = part.get(tx, xFirst ? y : x);
            part.note("x", xFirst ? first : second);
            part.note("y", xFirst ? second : first);
        });
        part.tick("end");
    }

    @Override
    public boolean judge(Played round) {
        long a = 10 * round.of(2, "x") + round.of(2, "y");
        long b = 10 * round.of(3, "x") + round.of(3, "y");
        forbid(a == 10 && b == 1 || a == 1 && b == 10, "one reader saw only x, the other only y");
        boolean half = a == 10 || a == 1 || b == 10 || b == 1 || round.sum("refused") > 0;
        return half && round.together(2, 3) && round.together(0, 2) && round.together(1, 3);
    }

    @Override
    public List<Plan> schedule(long[] verbs) {
        return Plans.random(verbs, 600);
    }
}
