package tidepool.bench.race;

import java.util.concurrent.locks.LockSupport;
import tidepool.base.Clock;
import tidepool.base.Strand;
import tidepool.base.Waiting;

/**
 * One hand's work in one round: transaction after transaction until the time is up.
 *
 * <pre>
 *   closed loop   the next begins when the last has ended; latency from there to its own end, drawing and retries
 *                 included, at the price of one look at the clock
 *   open loop     transactions are due at fixed times, whatever happens to those before; latency from when it was due,
 *                 so that whoever had to wait behind a slow one says so. What was due and had no turn before the end
 *                 counts with the time that it has waited
 *   pipelined     a closed loop with several under way; latency from posting
 * </pre>
 *
 * Hands that share a thread give way to each other after every transaction, unless they have waited in it and so did
 * already. What the next one sends then leaves together with what the last one left behind.
 */
final class WorkLoop {
    /** A thread that sleeps wakes some fifty microseconds late. */
    private static final long AWAKE_NANOS = 150_000;

    private static final long FIRST_SLICE_NANOS = 20_000_000;

    private final Hand hand;
    private final Tally tally;
    private final Order order;
    private final Clock clock = Clock.system();

    WorkLoop(Hand hand, Tally tally, Order order) {
        this.hand = hand;
        this.tally = tally;
        this.order = order;
    }

    /** @param dueAfterNanos in an open loop, how long after the start the first transaction is due */
    void run(long dueAfterNanos) {
        await(order.startNanos());
        if (order.isOpenLoop()) runOpen(dueAfterNanos);
        else if (hand instanceof PipelinedHand several) runPipelined(several);
        else if (Strand.current() == null) runClosed();
        else runClosedInTurns();
    }

    private void runClosed() {
        long begun = clock.nowNanos();
        while (begun < order.endNanos()) {
            int type = hand.draw();
            End end = hand.run();
            long now = clock.nowNanos();
            tally.add(type, end, hand, now - begun, now);
            begun = now;
        }
    }

    /**
     * In slices, each twice as long as the one before. A strand that waits inside a loop which is not compiled yet is slow, and
     * leaves a stack behind each time; among many it takes seconds until the last one has changed over. At the end of a
     * slice it leaves the loop.
     */
    private void runClosedInTurns() {
        Strand self = Strand.current();
        long slice = FIRST_SLICE_NANOS;
        for (long now = clock.nowNanos(); now < order.endNanos(); now = clock.nowNanos()) {
            runSlice(self, now, Math.min(order.endNanos(), now + slice));
            slice *= 2;
        }
    }

    private void runSlice(Strand self, long startNanos, long endNanos) {
        long begun = startNanos;
        while (begun < endNanos) {
            long turns = self.turns();
            long ended = runOne(begun);
            if (self.turns() != turns) {
                begun = ended;
            } else {
                Strand.giveWay();
                begun = clock.nowNanos(); // what the others took is not its own
            }
        }
    }

    /** As many under way as there may be; latency from posting to the result. In the end all are taken. */
    private void runPipelined(PipelinedHand several) {
        int outstanding = several.outstanding();
        int[] types = new int[outstanding];
        long[] begun = new long[outstanding];
        long posted = 0;
        for (long taken = 0, now = clock.nowNanos(); now < order.endNanos() || taken < posted; taken++) {
            for (; now < order.endNanos() && posted - taken < outstanding; posted++) {
                int place = (int) (posted % outstanding);
                types[place] = several.draw();
                begun[place] = now;
                several.post();
            }
            int place = (int) (taken % outstanding);
            End end = several.take();
            now = clock.nowNanos();
            tally.add(types[place], end, several, now - begun[place], now);
        }
    }

    private void runOpen(long dueAfterNanos) {
        double first = order.startNanos() + (double) dueAfterNanos;
        long count = 0;
        for (long due = (long) first; due < order.endNanos(); due = due(first, ++count)) {
            if (clock.nowNanos() >= order.endNanos()) {
                tally.addUnserved(clock.nowNanos() - due);
                continue;
            }
            await(due);
            runOne(due);
            if (Strand.current() != null) Strand.giveWay();
        }
    }

    /** Multiplied, not added up: a rounding error would change the rate. */
    private long due(double first, long count) {
        return (long) (first + count * order.intervalNanos());
    }

    /** Returns when it ended. */
    private long runOne(long begun) {
        int type = hand.draw();
        End end = hand.run();
        long now = clock.nowNanos();
        tally.add(type, end, hand, now - begun, now);
        return now;
    }

    /** Sleeps while there is much time, and is awake when it comes. */
    private void await(long when) {
        long left = when - clock.nowNanos();
        if (left <= 0) return;
        boolean isStrand = Strand.current() != null;
        if (left > 2 * AWAKE_NANOS) {
            if (isStrand) Waiting.pause(left - AWAKE_NANOS);
            else LockSupport.parkNanos(left - AWAKE_NANOS);
        }
        while (clock.nowNanos() < when) {
            if (isStrand) Strand.giveWay();
            else Thread.onSpinWait();
        }
    }
}
