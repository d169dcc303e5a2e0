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

/** <b>Atomics are atomic with respect to each other</b> on one word: CAS, FAA, and both of them on some of its bits. */
public final class AtomicWords {
    /** Two fields of 16 and 48 bits. */
    private static final long FIELD_TOPS = 1L << 63 | 1L << 15;

    private static final long LOW_FIELD_FULL = 0xffff;

    private AtomicWords() {}

    private static long add(long at, long delta) {
        Port here = Port.here();
        here.round.fetchAndAdd(here.region, at, delta, here.landing, 0).post().await();
        return here.landed(0);
    }

    private static long swap(long at, long expected, long desired) {
        Port here = Port.here();
        here.round
                .compareAndSwap(here.region, at, expected, desired, here.landing, 0)
                .post()
                .await();
        return here.landed(0);
    }

    /** Two CAS that expect the same word: one succeeds. */
    @JCStressTest
    @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "the first won, the second found its word")
    @Outcome(id = "2, 0, 2", expect = ACCEPTABLE, desc = "the second won, the first found its word")
    @Outcome(expect = FORBIDDEN, desc = "both won, or neither")
    @State
    public static class OneSwapWins {
        private final Slot slot = new Slot();

        @Actor
        public void first(JJJ_Result r) {
            slot.meet();
            r.r1 = swap(slot.at, 0, 1);
        }

        @Actor
        public void second(JJJ_Result r) {
            slot.meet();
            r.r2 = swap(slot.at, 0, 2);
        }

        @Arbiter
        public void end(JJJ_Result r) {
            r.r3 = Port.here().read(slot.at);
        }
    }

    /** Two FAA: nothing is lost. */
    @JCStressTest
    @Outcome(
            id = {"0, 1, 3", "2, 0, 3"},
            expect = ACCEPTABLE,
            desc = "one after the other")
    @Outcome(expect = FORBIDDEN, desc = "an addition was lost")
    @State
    public static class SumOfAdds {
        private final Slot slot = new Slot();

        @Actor
        public void first(JJJ_Result r) {
            slot.meet();
            r.r1 = add(slot.at, 1);
        }

        @Actor
        public void second(JJJ_Result r) {
            slot.meet();
            r.r2 = add(slot.at, 2);
        }

        @Arbiter
        public void end(JJJ_Result r) {
            r.r3 = Port.here().read(slot.at);
        }
    }

    /** A masked CAS sets the top bit while an FAA counts below it: both remain. */
    @JCStressTest
    @Outcome(
            id = {"0, -9223372036854775808, -9223372036854775807", "1, 0, -9223372036854775807"},
            expect = ACCEPTABLE,
            desc = "one after the other")
    @Outcome(expect = FORBIDDEN, desc = "bits were lost")
    @State
    public static class MaskedSwapAndAdd {
        private final Slot slot = new Slot();

        @Actor
        public void swapper(JJJ_Result r) {
            Port here = Port.here();
            slot.meet();
            here.round
                    .maskedCompareAndSwap(
                            here.region, slot.at, 0, Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE, here.landing, 0)
                    .post()
                    .await();
            r.r1 = here.landed(0);
        }

        @Actor
        public void adder(JJJ_Result r) {
            slot.meet();
            r.r2 = add(slot.at, 1);
        }

        @Arbiter
        public void end(JJJ_Result r) {
            r.r3 = Port.here().read(slot.at);
        }
    }

    /** A masked FAA overflows its field while an FAA counts in the other: no carry, nothing lost. */
    @JCStressTest
    @Outcome(
            id = {"65535, 0, 65536", "131071, 65535, 65536"},
            expect = ACCEPTABLE,
            desc = "one after the other")
    @Outcome(expect = FORBIDDEN, desc = "an addition was lost or carried over")
    @State
    public static class MaskedAddAndAdd {
        private final Slot slot = full();

        private static Slot full() {
            Slot slot = new Slot();
            Port.here().write(slot.at, LOW_FIELD_FULL);
            return slot;
        }

        @Actor
        public void masked(JJJ_Result r) {
            Port here = Port.here();
            slot.meet();
            here.round
                    .maskedFetchAndAdd(here.region, slot.at, 1, FIELD_TOPS, here.landing, 0)
                    .post()
                    .await();
            r.r1 = here.landed(0);
        }

        @Actor
        public void adder(JJJ_Result r) {
            slot.meet();
            r.r2 = add(slot.at, 1L << 16);
        }

        @Arbiter
        public void end(JJJ_Result r) {
            r.r3 = Port.here().read(slot.at);
        }
    }

    /** Atomic before READ in one round: the READ sees the result of the atomic, or a later word. */
    @JCStressTest
    @Outcome(
            id = {"0, 1, 1", "0, 3, 1", "2, 3, 0"},
            expect = ACCEPTABLE,
            desc = "found and read fit together")
    @Outcome(expect = FORBIDDEN, desc = "the READ missed the atomic before it")
    @State
    public static class AddThenReadItBack {
        private final Slot slot = new Slot();

        @Actor
        public void first(JJJ_Result r) {
            Port here = Port.here();
            slot.meet();
            here.round
                    .fetchAndAdd(here.region, slot.at, 1, here.landing, 0)
                    .read(here.region, slot.at, Words.BYTES, here.landing, 8)
                    .post()
                    .await();
            r.r1 = here.landed(0);
            r.r2 = here.landed(1);
        }

        @Actor
        public void second(JJJ_Result r) {
            slot.meet();
            r.r3 = add(slot.at, 2);
        }
    }
}
