package tidepool.bench.race;

import java.util.concurrent.locks.LockSupport;
import tidepool.base.Clock;
import tidepool.base.Strand;
import tidepool.base.Waiting;

/**
 * The work of one driver in one round: transaction after transaction until the time is up.
 *
 * <pre>
 *   closed loop   the next begins when the last has ended; latency from there to its own end, drawing and retries
 *                 included, at the price of one look at the clock
 *   open loop     transactions are due at fixed times, whatever happens to those before; latency from the due time,
 *                 so that a wait for a slow predecessor counts. A transaction that was due and not begun before the
 *                 end counts with the time that it has waited
 *   pipelined     a closed loop with several under way; latency from posting
 * </pre>
 *
 * Drivers that share a thread yield to each other after every transaction, unless they have waited in it and so did
 * already. The verbs of the next driver are then sent together with the background verbs of the last.
 */
final class WorkLoop {
    /** The margin before a due time. A sleeping thread wakes some fifty microseconds late. */
    private static final long AWAKE_NANOS = 150_000;

    private static final long FIRST_SLICE_NANOS = 20_000_000;

    private final ClientDriver driver;
    private final ThreadTally tally;
    private final WorkOrder order;
    private final Clock clock = Clock.system();

    WorkLoop(ClientDriver driver, ThreadTally tally, WorkOrder order) {
        this.driver = driver;
        this.tally = tally;
        this.order = order;
    }

    /** @param dueAfterNanos in an open loop, the time from the start to the first due transaction */
    void run(long dueAfterNanos) {
        await(order.startNanos());
        if (order.isOpenLoop()) runOpen(dueAfterNanos);
        else if (driver instanceof PipelinedDriver several) runPipelined(several);
        else if (Strand.current() == null) runClosed();
        else runClosedInTurns();
    }

    private void runClosed() {
        long begun = clock.nowNanos();
        while (begun < order.endNanos()) {
            int type = driver.draw();
            TxnEnd end = driver.run();
            long now = clock.nowNanos();
            tally.add(type, end, driver, now - begun, now);
            begun = now;
        }
    }

    /**
     * Runs in slices, each twice as long as the previous one. A strand that waits inside a loop which is not compiled
     * yet is slow, and retains a stack each time. With many strands it takes seconds until the last one runs compiled
     * code. At the end of a slice a strand leaves the loop.
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
                begun = clock.nowNanos(); // the time of the other drivers is not its own
            }
        }
    }

    /**
     * Runs with the highest number under way; latency is from posting to the result. In the end all results are taken.
     */
    private void runPipelined(PipelinedDriver several) {
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
            TxnEnd end = several.take();
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

    /**
     * Returns a due time by multiplication. Repeated addition would accumulate a rounding error and change the rate.
     */
    private long due(double first, long count) {
        return (long) (first + count * order.intervalNanos());
    }

    /** Runs one transaction. Returns when it ended. */
    private long runOne(long begun) {
        int type = driver.draw();
        TxnEnd end = driver.run();
        long now = clock.nowNanos();
        tally.add(type, end, driver, now - begun, now);
        return now;
    }

    /** Waits for a time: sleeps while it is far away, and spins shortly before. */
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
