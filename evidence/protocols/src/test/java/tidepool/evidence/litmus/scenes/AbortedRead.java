package tidepool.evidence.litmus.scenes;

import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Scene;

/**
 * One part reads z and sets x, and is refused because z has changed meanwhile; its second attempt sets x to another
 * value. The other part reads x meanwhile and never sees the value of the aborted attempt.
 */
public final class AbortedRead extends Scene {
    private static final long GIVEN_UP = 666;
    private static final int READS = 5;

    public AbortedRead() {
        super("aborted-read", 2);
    }

    @Override
    public void prepare(Part examiner) {
        put(examiner, 0, 0, 1);
    }

    @Override
    public void play(Part part) {
        long x = part.key(0);
        long z = part.key(1);
        part.warm(x, z);
        part.barrier();
        part.tick("begin");
        if (part.number() == 0) {
            part.transact(tx -> {
                long seen = part.get(tx, z);
                // In a transaction of its own, which commits while the outer one is open.
                if (seen == 0) part.pool().transact(other -> part.set(other, z, 1));
                part.set(tx, x, seen == 0 ? GIVEN_UP : 1);
            });
        } else {
            for (int i = 0; i < READS; i++) if (part.read(x) == GIVEN_UP) part.count("given up");
        }
        part.tick("end");
    }

    @Override
    public void end(Part examiner) {
        noteXAndY(examiner);
    }

    @Override
    public boolean judge(Played round) {
        forbid(round.of(1, "given up", 0) > 0, "a reader saw what was aborted");
        forbid(round.end().get("x") != 1, "x=" + round.end().get("x") + " and not 1");
        forbid(round.of(0, "refused", 0) == 0, "a transaction committed whose read was out of date");
        return round.together(0, 1) && round.of(1, "met", 0) > 0;
    }
}
