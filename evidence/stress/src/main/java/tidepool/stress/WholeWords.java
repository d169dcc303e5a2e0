package tidepool.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import tidepool.base.Words;

/**
 * <b>Atomicity:</b> aligned 8-byte words only. A WRITE of several words runs against a READ of these words. Each word
 * read is the old or the new one and nothing between, whether the verb goes word by word (below 40 bytes) or as a bulk
 * copy. The verb as a whole may tear, and does. The range starts at byte 24 of a line, so that the longer ones cross
 * lines.
 */
public final class WholeWords {
    private static final long RANGE = 24;

    /** All bits change: a mixture of bytes of both values is neither of them. */
    private static final long FRESH = -1;

    private WholeWords() {}

    private static void write(Slot slot, int length) {
        Port here = Port.here();
        here.fill(length / Words.BYTES, FRESH);
        slot.meet();
        here.round
                .write(here.region, slot.at + RANGE, length, here.source, 0)
                .post()
                .await();
    }

    private static String read(Slot slot, int length) {
        Port here = Port.here();
        slot.meet();
        here.round
                .read(here.region, slot.at + RANGE, length, here.landing, 0)
                .post()
                .await();
        return here.oldOrNew(0, length / Words.BYTES, FRESH);
    }

    /** One word. */
    @JCStressTest
    @Outcome(id = "old", expect = ACCEPTABLE, desc = "before the WRITE")
    @Outcome(id = "new", expect = ACCEPTABLE, desc = "after the WRITE")
    @Outcome(expect = FORBIDDEN, desc = "a word tore")
    @State
    public static class Of8 {
        private final Slot slot = new Slot();

        @Actor
        public void writer() {
            write(slot, 8);
        }

        @Actor
        public void reader(L_Result r) {
            r.r1 = read(slot, 8);
        }
    }

    /** Two words, one by one. */
    @JCStressTest
    @Outcome(id = "old", expect = ACCEPTABLE, desc = "before the WRITE")
    @Outcome(id = "new", expect = ACCEPTABLE, desc = "after the WRITE")
    @Outcome(id = "mixed", expect = ACCEPTABLE_INTERESTING, desc = "some words old, some new: the verb tore")
    @Outcome(expect = FORBIDDEN, desc = "a word tore")
    @State
    public static class Of16 {
        private final Slot slot = new Slot();

        @Actor
        public void writer() {
            write(slot, 16);
        }

        @Actor
        public void reader(L_Result r) {
            r.r1 = read(slot, 16);
        }
    }

    /** The shortest bulk copy. */
    @JCStressTest
    @Outcome(id = "old", expect = ACCEPTABLE, desc = "before the WRITE")
    @Outcome(id = "new", expect = ACCEPTABLE, desc = "after the WRITE")
    @Outcome(id = "mixed", expect = ACCEPTABLE_INTERESTING, desc = "some words old, some new: the verb tore")
    @Outcome(expect = FORBIDDEN, desc = "a word tore")
    @State
    public static class Of40 {
        private final Slot slot = new Slot();

        @Actor
        public void writer() {
            write(slot, 40);
        }

        @Actor
        public void reader(L_Result r) {
            r.r1 = read(slot, 40);
        }
    }

    /** A bulk copy over two lines. */
    @JCStressTest
    @Outcome(id = "old", expect = ACCEPTABLE, desc = "before the WRITE")
    @Outcome(id = "new", expect = ACCEPTABLE, desc = "after the WRITE")
    @Outcome(id = "mixed", expect = ACCEPTABLE_INTERESTING, desc = "some words old, some new: the verb tore")
    @Outcome(expect = FORBIDDEN, desc = "a word tore")
    @State
    public static class Of64 {
        private final Slot slot = new Slot();

        @Actor
        public void writer() {
            write(slot, 64);
        }

        @Actor
        public void reader(L_Result r) {
            r.r1 = read(slot, 64);
        }
    }

    /** A bulk copy over five lines. */
    @JCStressTest
    @Outcome(id = "old", expect = ACCEPTABLE, desc = "before the WRITE")
    @Outcome(id = "new", expect = ACCEPTABLE, desc = "after the WRITE")
    @Outcome(id = "mixed", expect = ACCEPTABLE_INTERESTING, desc = "some words old, some new: the verb tore")
    @Outcome(expect = FORBIDDEN, desc = "a word tore")
    @State
    public static class Of256 {
        private final Slot slot = new Slot();

        @Actor
        public void writer() {
            write(slot, 256);
        }

        @Actor
        public void reader(L_Result r) {
            r.r1 = read(slot, 256);
        }
    }
}
