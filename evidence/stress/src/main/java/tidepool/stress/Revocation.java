package tidepool.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicLongArray;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;

/**
 * <b>A node acknowledges a revocation only when accepted verbs have finished or been dropped.</b> A lane posts rounds
 * until it is refused, while another thread revokes its session. The words that the revoker reads after {@code revoke}
 * has returned are final: they contain every acknowledged verb, and nothing lands later.
 *
 * <p>{@code ProcessBarrier} ensures this. The lane marks itself busy by a plain store and then checks for the
 * revocation. If the mark still waits in the store buffer while the check has passed, a revoker without the barrier
 * takes the lane for idle, and the verb flies. To keep the store buffer full at that moment, the lane first stores to
 * lines that the revoker is storing to as well.
 */
public final class Revocation {
    private static final int LINES = 48; // about as many as a store buffer holds
    private static final int LINE_WORDS = 16; // two lines, since processors fetch them in pairs
    private static final AtomicLongArray NOISE = new AtomicLongArray(LINES * LINE_WORDS);

    /**
     * So long that the barrier does not wait until its end: compiled loops stop for the barrier after a thousand turns
     * only.
     */
    private static final int LONG_ROUND = 4096;

    private static final int PATIENCE = 1000;

    private Revocation() {}

    /** Stores without a fence to lines that both threads write. */
    private static void noise(long value) {
        for (int i = 0; i < LINES; i++) NOISE.setOpaque(i * LINE_WORDS, value);
    }

    /** Spins, later yields: the other thread may not be running. */
    private static void pause(int spins) {
        if (spins < PATIENCE) Thread.onSpinWait();
        else Thread.yield();
    }

    /**
     * One session, used once. The lane's own thread attaches it: thousands of states are waiting, session slots are
     * few.
     */
    static final class Meeting {
        private final long slot = Port.zeroedSlot();
        private volatile Session session;
        private volatile boolean left;
        private long acknowledged;

        void postUntilRefused(int adds) {
            Session mine = Port.pool().attach();
            Lane lane = mine.lane();
            Region region = Port.open(lane);
            Round round = lane.round(LONG_ROUND);
            session = mine;
            long n = 0;
            try {
                for (int rounds = 1; ; rounds++) {
                    if (rounds % PATIENCE == 0) Thread.yield();
                    noise(n);
                    if (adds == 0) round.write(region, slot, n + 1);
                    for (int i = 0; i < adds; i++) round.fetchAndAdd(region, slot, 1, null, 0);
                    round.post().await();
                    n += Math.max(1, adds);
                }
            } catch (FabricException refused) {
                acknowledged = n;
            }
            left = true;
        }

        String revoke() {
            Session theirs;
            for (int spins = 0; (theirs = session) == null; spins++) pause(spins);
            NodeControl control = Port.control();
            Port here = Port.here();
            for (int i = theirs.number() & 63; i >= 0; i--) noise(i);

            control.revoke(theirs.number());
            long atOnce = here.read(slot);
            for (int spins = 0; !left; spins++) pause(spins);
            long later = here.read(slot);

            control.forget(theirs.number());
            theirs.close();
            if (atOnce != later) return "flew";
            if (later != acknowledged) return "unacknowledged";
            return later == 0 ? "idle" : "quiet";
        }
    }

    /** The lane WRITEs. */
    @JCStressTest
    @Outcome(id = "idle", expect = ACCEPTABLE, desc = "revoked before the first verb")
    @Outcome(id = "quiet", expect = ACCEPTABLE, desc = "every acknowledged WRITE is there, and no other")
    @Outcome(id = "flew", expect = FORBIDDEN, desc = "a WRITE landed behind the revocation")
    @Outcome(expect = FORBIDDEN, desc = "acknowledgements and memory differ")
    @State
    public static class OfWrites {
        private final Meeting meeting = new Meeting();

        @Actor
        public void lane() {
            meeting.postUntilRefused(0);
        }

        @Actor
        public void revoker(L_Result r) {
            r.r1 = meeting.revoke();
        }
    }

    /** The lane adds, in long rounds: one check at the beginning of a round covers all of it. */
    @JCStressTest
    @Outcome(id = "idle", expect = ACCEPTABLE, desc = "revoked before the first verb")
    @Outcome(id = "quiet", expect = ACCEPTABLE, desc = "every acknowledged FAA is there, and no other")
    @Outcome(id = "flew", expect = FORBIDDEN, desc = "an FAA landed behind the revocation")
    @Outcome(expect = FORBIDDEN, desc = "acknowledgements and memory differ")
    @State
    public static class OfAdds {
        private final Meeting meeting = new Meeting();

        @Actor
        public void lane() {
            meeting.postUntilRefused(LONG_ROUND);
        }

        @Actor
        public void revoker(L_Result r) {
            r.r1 = meeting.revoke();
        }
    }
}
