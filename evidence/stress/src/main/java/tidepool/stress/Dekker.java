package tidepool.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import tidepool.base.Words;

/**
 * <b>Acknowledged means applied</b>, and WRITE or atomic before READ or atomic in one round. Each of two threads
 * changes its own word and then reads the other's, as in Dekker's algorithm: at least one of them sees the change of
 * the other. Even x86 does not keep this order without a fence, and validation after locking relies on it.
 */
public final class Dekker {
    private Dekker() {}

    /** WRITE, await; READ on the same lane, await. */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 0", "1, 1"},
            expect = ACCEPTABLE,
            desc = "at least one saw the other")
    @Outcome(expect = FORBIDDEN, desc = "neither saw the other")
    @State
    public static class AwaitedThenRead {
        private final Slot slot = new Slot();

        @Actor
        public void left(JJ_Result r) {
            slot.meet();
            r.r1 = change(slot.at, slot.at + 64);
        }

        @Actor
        public void right(JJ_Result r) {
            slot.meet();
            r.r2 = change(slot.at + 64, slot.at);
        }

        private static long change(long own, long other) {
            Port here = Port.here();
            here.write(own, 1);
            return here.read(other);
        }
    }

    /** WRITE, await; READ on another lane: only the acknowledgement orders them. */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 0", "1, 1"},
            expect = ACCEPTABLE,
            desc = "at least one saw the other")
    @Outcome(expect = FORBIDDEN, desc = "neither saw the other")
    @State
    public static class AwaitedThenReadOnSecondLane {
        private final Slot slot = new Slot();

        @Actor
        public void left(JJ_Result r) {
            slot.meet();
            r.r1 = change(slot.at, slot.at + 64);
        }

        @Actor
        public void right(JJ_Result r) {
            slot.meet();
            r.r2 = change(slot.at + 64, slot.at);
        }

        private static long change(long own, long other) {
            Port.here().write(own, 1);
            return Port.second().read(other);
        }
    }

    /** WRITE and READ in one round. */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 0", "1, 1"},
            expect = ACCEPTABLE,
            desc = "at least one saw the other")
    @Outcome(expect = FORBIDDEN, desc = "neither saw the other")
    @State
    public static class WriteThenRead {
        private final Slot slot = new Slot();

        @Actor
        public void left(JJ_Result r) {
            slot.meet();
            r.r1 = change(slot.at, slot.at + 64);
        }

        @Actor
        public void right(JJ_Result r) {
            slot.meet();
            r.r2 = change(slot.at + 64, slot.at);
        }

        private static long change(long own, long other) {
            Port here = Port.here();
            here.round
                    .write(here.region, own, 1)
                    .read(here.region, other, Words.BYTES, here.landing, 0)
                    .post()
                    .await();
            return here.landed(0);
        }
    }

    /** WRITE and READ in one round, with verbs of one line, which are bulk copies. */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 0", "1, 1"},
            expect = ACCEPTABLE,
            desc = "at least one saw the other")
    @Outcome(expect = FORBIDDEN, desc = "neither saw the other")
    @State
    public static class LongWriteThenLongRead {
        private final Slot slot = new Slot();

        @Actor
        public void left(JJ_Result r) {
            slot.meet();
            r.r1 = change(slot.at, slot.at + 64);
        }

        @Actor
        public void right(JJ_Result r) {
            slot.meet();
            r.r2 = change(slot.at + 64, slot.at);
        }

        private static long change(long own, long other) {
            Port here = Port.here();
            here.fill(8, 1);
            here.round
                    .write(here.region, own, 64, here.source, 0)
                    .read(here.region, other, 64, here.landing, 0)
                    .post()
                    .await();
            return here.landed(7);
        }
    }

    /**
     * WRITE and CAS in one round; a CAS that finds another word than it expects changes nothing, but returns the word.
     */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 0", "1, 1"},
            expect = ACCEPTABLE,
            desc = "at least one saw the other")
    @Outcome(expect = FORBIDDEN, desc = "neither saw the other")
    @State
    public static class WriteThenCompareAndSwap {
        private final Slot slot = new Slot();

        @Actor
        public void left(JJ_Result r) {
            slot.meet();
            r.r1 = change(slot.at, slot.at + 64);
        }

        @Actor
        public void right(JJ_Result r) {
            slot.meet();
            r.r2 = change(slot.at + 64, slot.at);
        }

        private static long change(long own, long other) {
            Port here = Port.here();
            here.fill(1, 1);
            here.round
                    .write(here.region, own, Words.BYTES, here.source, 0)
                    .compareAndSwap(here.region, other, 5, 6, here.landing, 0)
                    .post()
                    .await();
            return here.landed(0);
        }
    }

    /** WRITE and masked CAS in one round; the masked CAS changes nothing, but returns the word. */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 0", "1, 1"},
            expect = ACCEPTABLE,
            desc = "at least one saw the other")
    @Outcome(expect = FORBIDDEN, desc = "neither saw the other")
    @State
    public static class WriteThenMaskedCompareAndSwap {
        private final Slot slot = new Slot();

        @Actor
        public void left(JJ_Result r) {
            slot.meet();
            r.r1 = change(slot.at, slot.at + 64);
        }

        @Actor
        public void right(JJ_Result r) {
            slot.meet();
            r.r2 = change(slot.at + 64, slot.at);
        }

        private static long change(long own, long other) {
            Port here = Port.here();
            here.round
                    .write(here.region, own, 1)
                    .maskedCompareAndSwap(here.region, other, 4, 4, 4, 4, here.landing, 0)
                    .post()
                    .await();
            return here.landed(0);
        }
    }

    /** FAA and READ in one round. */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 0", "1, 1"},
            expect = ACCEPTABLE,
            desc = "at least one saw the other")
    @Outcome(expect = FORBIDDEN, desc = "neither saw the other")
    @State
    public static class AddThenRead {
        private final Slot slot = new Slot();

        @Actor
        public void left(JJ_Result r) {
            slot.meet();
            r.r1 = change(slot.at, slot.at + 64);
        }

        @Actor
        public void right(JJ_Result r) {
            slot.meet();
            r.r2 = change(slot.at + 64, slot.at);
        }

        private static long change(long own, long other) {
            Port here = Port.here();
            here.round
                    .fetchAndAdd(here.region, own, 1, null, 0)
                    .read(here.region, other, Words.BYTES, here.landing, 0)
                    .post()
                    .await();
            return here.landed(0);
        }
    }

    /** CAS and READ in one round: locking, and reading the locks of others. */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 0", "1, 1"},
            expect = ACCEPTABLE,
            desc = "at least one saw the other")
    @Outcome(expect = FORBIDDEN, desc = "neither saw the other")
    @State
    public static class SwapThenRead {
        private final Slot slot = new Slot();

        @Actor
        public void left(JJ_Result r) {
            slot.meet();
            r.r1 = change(slot.at, slot.at + 64);
        }

        @Actor
        public void right(JJ_Result r) {
            slot.meet();
            r.r2 = change(slot.at + 64, slot.at);
        }

        private static long change(long own, long other) {
            Port here = Port.here();
            here.round
                    .compareAndSwap(here.region, own, 0, 1, null, 0)
                    .read(here.region, other, Words.BYTES, here.landing, 0)
                    .post()
                    .await();
            return here.landed(0);
        }
    }
}
