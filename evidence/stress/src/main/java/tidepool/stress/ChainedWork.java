package tidepool.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;
import tidepool.base.Words;
import tidepool.memory.ChainedWorkBuilder;

/**
 * <b>Chained work</b> takes effect step by step. A descriptor copies a log entry to a body, increments the version and
 * frees the lock. A reader that READs lock, version and body in one round, which is the opposite order, never sees a
 * later step without the earlier ones.
 *
 * <pre>
 *    0        64         128        192                 320
 *    +--------+----------+----------+-------------------+------------
 *    |  lock  |  version |   log    |   body            | descriptor
 *    +--------+----------+----------+-------------------+------------
 * </pre>
 */
@JCStressTest
@Outcome(id = "locked, 1, (old|mixed|new)", expect = ACCEPTABLE, desc = "copying, or not yet")
@Outcome(id = "locked, 2, new", expect = ACCEPTABLE, desc = "copied and bumped")
@Outcome(id = "free, 2, new", expect = ACCEPTABLE, desc = "copied, bumped and unlocked")
@Outcome(expect = FORBIDDEN, desc = "a later step without an earlier one")
@State
public class ChainedWork {
    private static final long VERSION = 64;
    private static final long LOG = 128;
    private static final long BODY = 192;
    private static final long DESCRIPTOR = 320;
    private static final int BODY_BYTES = 64;
    private static final long FRESH = -1;
    private static final long HOLDER = 7;

    private final Slot slot = new Slot();
    private final long lock = slot.at;

    public ChainedWork() {
        Port here = Port.here();
        int region = here.region.number();
        here.fill(BODY_BYTES / Words.BYTES, FRESH);
        long length = new ChainedWorkBuilder()
                .into(here.source, BODY_BYTES)
                .guard(region, lock, HOLDER)
                .copy(region, lock + LOG, region, lock + BODY, BODY_BYTES)
                .add(region, lock + VERSION, 1)
                .set(region, lock, 0)
                .end();
        here.round
                .write(here.region, lock + LOG, BODY_BYTES, here.source, 0)
                .write(here.region, lock + DESCRIPTOR, length, here.source, BODY_BYTES)
                .write(here.region, lock + VERSION, 1)
                .write(here.region, lock, HOLDER)
                .post()
                .await();
    }

    @Actor
    public void worker() {
        Port here = Port.here();
        slot.meet();
        here.round.chain(here.region, lock + DESCRIPTOR).post().await();
    }

    @Actor
    public void reader(LLL_Result r) {
        Port here = Port.here();
        slot.meet();
        here.round
                .read(here.region, lock, Words.BYTES, here.landing, 0)
                .read(here.region, lock + VERSION, Words.BYTES, here.landing, 8)
                .read(here.region, lock + BODY, BODY_BYTES, here.landing, 16)
                .post()
                .await();
        r.r1 = here.landed(0) == 0 ? "free" : "locked";
        r.r2 = here.landed(1);
        r.r3 = here.oldOrNew(2, BODY_BYTES / Words.BYTES, FRESH);
    }
}
