package tidepool.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;
import tidepool.base.Words;

/**
 * <b>Locking and reading share a trip.</b> CAS of a lock and READ of the words that it protects in one round. After a
 * successful CAS, the READ is whole, because the previous holder wrote body and lock in that order. Each thread takes
 * the lock once.
 */
@JCStressTest
@Outcome(
        id = {"0, 1, 2", "2, 0, 1"},
        expect = ACCEPTABLE,
        desc = "one after the other, each saw a whole body")
@Outcome(expect = FORBIDDEN, desc = "a body was torn, or seen by both, or lost")
@State
public class LockedRecord {
    private static final int BODY_WORDS = 8;
    private static final long TORN = -1;

    private final Slot slot = new Slot();
    private final long lock = slot.at;
    private final long body = lock + 64 + 8;

    @Actor
    public void first(JJJ_Result r) {
        r.r1 = exchange(1);
    }

    @Actor
    public void second(JJJ_Result r) {
        r.r2 = exchange(2);
    }

    @Arbiter
    public void end(JJJ_Result r) {
        Port here = Port.here();
        here.round
                .read(here.region, body, BODY_WORDS * Words.BYTES, here.landing, Words.BYTES)
                .post()
                .await();
        r.r3 = body(here);
    }

    /** Waits for the lock and replaces the body by this thread's; returns the writer of the old one. */
    private long exchange(long me) {
        Port here = Port.here();
        here.fill(BODY_WORDS, me);
        slot.meet();
        do {
            here.round
                    .compareAndSwap(here.region, lock, 0, me, here.landing, 0)
                    .read(here.region, body, BODY_WORDS * Words.BYTES, here.landing, Words.BYTES)
                    .post()
                    .await();
        } while (here.landed(0) != 0);
        long found = body(here);
        here.round
                .write(here.region, body, BODY_WORDS * Words.BYTES, here.source, 0)
                .write(here.region, lock, 0)
                .post()
                .await();
        return found;
    }

    private static long body(Port here) {
        for (int i = 2; i <= BODY_WORDS; i++) if (here.landed(i) != here.landed(1)) return TORN;
        return here.landed(1);
    }
}
