package tidepool.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;
import tidepool.base.Words;

/**
 * <b>Acknowledged means applied</b>, for all readers at once: two WRITEs by two threads, and two readers that read both
 * words in opposite order. They agree on which WRITE came first. The test needs four processors to be significant.
 */
public final class IndependentReaders {
    private IndependentReaders() {}

    private static long readInto(long first, long second) {
        Port here = Port.here();
        here.round
                .read(here.region, first, Words.BYTES, here.landing, 0)
                .read(here.region, second, Words.BYTES, here.landing, Words.BYTES)
                .post()
                .await();
        return here.landed(0) << 1 | here.landed(1);
    }

    /** Both READs in one round; r1 and r2 are the results of the readers, first word in the upper bit. */
    @JCStressTest
    @Outcome(id = "2, 2", expect = FORBIDDEN, desc = "each reader saw another WRITE first")
    @Outcome(expect = ACCEPTABLE, desc = "one order explains both")
    @State
    public static class InOneRound {
        private final Slot slot = new Slot(4);

        @Actor
        public void writeX() {
            slot.meet();
            Port.here().write(slot.at, 1);
        }

        @Actor
        public void writeY() {
            slot.meet();
            Port.here().write(slot.at + 64, 1);
        }

        @Actor
        public void readXThenY(JJ_Result r) {
            slot.meet();
            r.r1 = readInto(slot.at, slot.at + 64);
        }

        @Actor
        public void readYThenX(JJ_Result r) {
            slot.meet();
            r.r2 = readInto(slot.at + 64, slot.at);
        }
    }

    /** A round for each READ. */
    @JCStressTest
    @Outcome(id = "1, 0, 1, 0", expect = FORBIDDEN, desc = "each reader saw another WRITE first")
    @Outcome(expect = ACCEPTABLE, desc = "one order explains both")
    @State
    public static class InTwoRounds {
        private final Slot slot = new Slot(4);

        @Actor
        public void writeX() {
            slot.meet();
            Port.here().write(slot.at, 1);
        }

        @Actor
        public void writeY() {
            slot.meet();
            Port.here().write(slot.at + 64, 1);
        }

        @Actor
        public void readXThenY(JJJJ_Result r) {
            slot.meet();
            r.r1 = Port.here().read(slot.at);
            r.r2 = Port.here().read(slot.at + 64);
        }

        @Actor
        public void readYThenX(JJJJ_Result r) {
            slot.meet();
            r.r3 = Port.here().read(slot.at + 64);
            r.r4 = Port.here().read(slot.at);
        }
    }
}
