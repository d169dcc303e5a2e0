package tidepool.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.LL_Result;
import tidepool.base.Words;

/**
 * <b>Order on one connection:</b> WRITE before WRITE and READ before READ. A reader that sees the second of two WRITEs
 * sees every word of the first.
 */
public final class MessagePassing {
    private static final long DATA = 0;
    private static final long FLAG = 256;
    private static final long FRESH = -1;

    private MessagePassing() {}

    private static void send(Slot slot, int length) {
        Port here = Port.here();
        here.fill(length / Words.BYTES, FRESH);
        slot.meet();
        here.round
                .write(here.region, slot.at + DATA, length, here.source, 0)
                .write(here.region, slot.at + FLAG, 1)
                .post()
                .await();
    }

    private static void receive(Slot slot, int length, LL_Result r) {
        Port here = Port.here();
        slot.meet();
        here.round
                .read(here.region, slot.at + FLAG, Words.BYTES, here.landing, 0)
                .read(here.region, slot.at + DATA, length, here.landing, Words.BYTES)
                .post()
                .await();
        r.r1 = here.landed(0) == 1 ? "sent" : "silent";
        r.r2 = here.oldOrNew(1, length / Words.BYTES, FRESH);
    }

    /** A message of one word. */
    @JCStressTest
    @Outcome(id = "sent, new", expect = ACCEPTABLE, desc = "the flag and the message")
    @Outcome(id = "silent, (old|new)", expect = ACCEPTABLE, desc = "no flag yet")
    @Outcome(expect = FORBIDDEN, desc = "the flag came before the message")
    @State
    public static class OneWord {
        private final Slot slot = new Slot();

        @Actor
        public void writer() {
            send(slot, 8);
        }

        @Actor
        public void reader(LL_Result r) {
            receive(slot, 8, r);
        }
    }

    /** A message of four lines: each of its words before the flag. */
    @JCStressTest
    @Outcome(id = "sent, new", expect = ACCEPTABLE, desc = "the flag and the message")
    @Outcome(id = "silent, (old|new)", expect = ACCEPTABLE, desc = "no flag yet")
    @Outcome(id = "silent, mixed", expect = ACCEPTABLE_INTERESTING, desc = "no flag yet, part of the message")
    @Outcome(expect = FORBIDDEN, desc = "the flag came before a part of the message")
    @State
    public static class FourLines {
        private final Slot slot = new Slot();

        @Actor
        public void writer() {
            send(slot, 256);
        }

        @Actor
        public void reader(LL_Result r) {
            receive(slot, 256, r);
        }
    }

    /** Two READs of one word in one round: the second is not older than the first. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1", "1, 1"},
            expect = ACCEPTABLE,
            desc = "the word only moves forward")
    @Outcome(expect = FORBIDDEN, desc = "the second READ saw an older word")
    @State
    public static class SameWord {
        private final Slot slot = new Slot();

        @Actor
        public void writer() {
            slot.meet();
            Port.here().write(slot.at, 1);
        }

        @Actor
        public void reader(JJ_Result r) {
            Port here = Port.here();
            slot.meet();
            here.round
                    .read(here.region, slot.at, 8, here.landing, 0)
                    .read(here.region, slot.at, 8, here.landing, 8)
                    .post()
                    .await();
            r.r1 = here.landed(0);
            r.r2 = here.landed(1);
        }
    }

    /**
     * READ before WRITE, which shared memory keeps without a fence: no READ sees a WRITE that was posted after the
     * other READ.
     */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1", "1, 0"},
            expect = ACCEPTABLE,
            desc = "at least one READ came first")
    @Outcome(expect = FORBIDDEN, desc = "both READs saw a WRITE that was posted behind the other")
    @State
    public static class ReadThenWrite {
        private final Slot slot = new Slot();

        @Actor
        public void left(JJ_Result r) {
            slot.meet();
            r.r1 = readThenWrite(slot.at, slot.at + 64);
        }

        @Actor
        public void right(JJ_Result r) {
            slot.meet();
            r.r2 = readThenWrite(slot.at + 64, slot.at);
        }

        private static long readThenWrite(long read, long written) {
            Port here = Port.here();
            here.round
                    .read(here.region, read, Words.BYTES, here.landing, 0)
                    .write(here.region, written, 1)
                    .post()
                    .await();
            return here.landed(0);
        }
    }
}
