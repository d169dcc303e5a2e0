package tidepool.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.memory.Extent;

/**
 * <b>Control calls</b> of two threads: an extent is zeroed, and belongs to one thread until it is freed. Each thread
 * allocates an extent, adds to its first and last word, reads them, and frees it.
 */
@JCStressTest
@Outcome(id = "mine, mine", expect = ACCEPTABLE, desc = "two extents of zeroed memory")
@Outcome(expect = FORBIDDEN, desc = "memory was handed out twice, or not zeroed")
@State
public class Allocation {
    private static final Id128 CAPABILITY = Port.control().createRegion(1 << 16);
    private static final ThreadLocal<Region> REGION =
            ThreadLocal.withInitial(() -> Port.here().region.link().open(CAPABILITY));

    @Actor
    public void first(LL_Result r) {
        r.r1 = useExtent(4096, 1);
    }

    @Actor
    public void second(LL_Result r) {
        r.r2 = useExtent(2 * 4096, 2);
    }

    private static String useExtent(long bytes, long me) {
        Extent extent = Port.control().allocate(CAPABILITY, bytes, 1);
        Port here = Port.here();
        Region region = REGION.get();
        long last = extent.offset() + extent.bytes() - Words.BYTES;
        here.round
                .fetchAndAdd(region, extent.offset(), me, null, 0)
                .fetchAndAdd(region, last, me, null, 0)
                .post()
                .await();
        here.round
                .read(region, extent.offset(), Words.BYTES, here.landing, 0)
                .read(region, last, Words.BYTES, here.landing, Words.BYTES)
                .post()
                .await();
        boolean mine = here.landed(0) == me && here.landed(1) == me;
        Port.control().free(CAPABILITY, extent);
        return mine ? "mine" : "shared";
    }
}
