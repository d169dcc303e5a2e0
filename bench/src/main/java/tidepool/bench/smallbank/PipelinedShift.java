package tidepool.bench.smallbank;

import org.HdrHistogram.Histogram;
import tidepool.base.Clock;
import tidepool.bench.Allocation;

/**
 * {@link Shift} for a teller with several transactions under way: as many as it may have, always. The latency of a
 * transaction is the time from posting it to taking its result.
 */
final class PipelinedShift {
    private final PipelinedTeller teller;
    private final Requests requests;
    private final int outstanding;
    private final long[] postedRequest;
    private final long[] postedAt;
    private final Histogram latency = RoundResult.newHistogram();
    private int posted;
    private int taken;
    private long commits;
    private long rollbacks;
    private long cents;
    private long changes;
    private long seen;

    PipelinedShift(PipelinedTeller teller, Requests requests) {
        this.teller = teller;
        this.requests = requests;
        this.outstanding = teller.outstanding();
        this.postedRequest = new long[outstanding];
        this.postedAt = new long[outstanding];
    }

    /** Works for so long, takes what is still under way, and says what was done. */
    RoundResult work(long nanos) {
        Clock clock = Clock.system();
        long abortsBefore = teller.aborts();
        long tripsBefore = teller.roundTrips();
        long bytesBefore = Allocation.ofThisThread();
        long start = clock.nowNanos();
        long end = start + nanos;
        long now = start;
        while (now < end) {
            while (posted - taken < outstanding) post(now);
            now = take(clock);
        }
        while (taken < posted) now = take(clock);
        long bytes = Allocation.ofThisThread() - bytesBefore;
        return new RoundResult(
                now - start,
                commits,
                rollbacks,
                teller.aborts() - abortsBefore,
                teller.roundTrips() - tripsBefore,
                bytes,
                cents,
                changes,
                latency);
    }

    /** Does so many requests, without a look at the clock. For tests. */
    void workThrough(int count) {
        while (taken < count) {
            while (posted < count && posted - taken < outstanding) post(0);
            take();
        }
    }

    Totals moved() {
        return new Totals(cents, changes);
    }

    private void post(long now) {
        long request = requests.get(posted);
        int place = posted++ % outstanding;
        postedRequest[place] = request;
        postedAt[place] = now;
        int a = Requests.a(request);
        switch (Requests.kind(request)) {
            case AMALGAMATE -> teller.postAmalgamate(a, Requests.b(request));
            case BALANCE -> teller.postBalance(a);
            case DEPOSIT_CHECKING -> teller.postDepositChecking(a, Shift.DEPOSIT_CENTS);
            case SEND_PAYMENT -> teller.postSendPayment(a, Requests.b(request), Shift.PAYMENT_CENTS);
            case TRANSACT_SAVINGS -> teller.postTransactSavings(a, Shift.SAVED_CENTS);
            case WRITE_CHECK -> teller.postWriteCheck(a, Shift.CHECK_CENTS);
        }
    }

    private long take(Clock clock) {
        int place = taken % outstanding;
        take();
        long now = clock.nowNanos();
        latency.recordValue(Math.min(now - postedAt[place], RoundResult.MOST_NANOS));
        return now;
    }

    private void take() {
        Kind kind = Requests.kind(postedRequest[taken++ % outstanding]);
        long result = teller.take();
        switch (kind) {
            case AMALGAMATE -> {}
            case BALANCE -> seen += result;
            case DEPOSIT_CHECKING -> cents += Shift.DEPOSIT_CENTS;
            case SEND_PAYMENT -> {
                if (result == 0) {
                    rollbacks++;
                    return;
                }
            }
            case TRANSACT_SAVINGS -> cents += Shift.SAVED_CENTS;
            case WRITE_CHECK -> cents -= result;
        }
        commits++;
        changes += kind.changes;
    }

    /** What the balances that were asked for add up to: whoever can ask for it keeps the compiler from leaving them out. */
    long seen() {
        return seen;
    }
}
