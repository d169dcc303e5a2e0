package tidepool.bench.smallbank;

import org.HdrHistogram.Histogram;
import tidepool.base.Clock;
import tidepool.bench.Allocation;

/**
 * One thread's work in one round: request after request until the time is up. The latency of a transaction is the time
 * from the end of the one before it to its own end: from the first attempt to success, retries and pauses included, at
 * the price of one look at the clock.
 */
final class Shift {
    static final long DEPOSIT_CENTS = 130;
    static final long SAVED_CENTS = 2020;
    static final long PAYMENT_CENTS = 500;
    static final long CHECK_CENTS = 500;

    private final Teller teller;
    private final Requests requests;
    private final Histogram latency = RoundResult.newHistogram();
    private long commits;
    private long rollbacks;
    private long cents;
    private long changes;
    private long seen;

    Shift(Teller teller, Requests requests) {
        this.teller = teller;
        this.requests = requests;
    }

    /** Works for so long, and says what was done. */
    RoundResult work(long nanos) {
        Clock clock = Clock.system();
        long abortsBefore = teller.aborts();
        long tripsBefore = teller.roundTrips();
        long bytesBefore = Allocation.ofThisThread();
        long start = clock.nowNanos();
        long end = start + nanos;
        long last = start;
        for (int i = 0; last < end; i++) {
            carryOut(requests.get(i));
            long now = clock.nowNanos();
            latency.recordValue(Math.min(now - last, RoundResult.MOST_NANOS));
            last = now;
        }
        long bytes = Allocation.ofThisThread() - bytesBefore;
        return new RoundResult(
                last - start,
                commits,
                rollbacks,
                teller.aborts() - abortsBefore,
                teller.roundTrips() - tripsBefore,
                bytes,
                cents,
                changes,
                latency);
    }

    /** Does so many requests, without a clock. For tests. */
    void workThrough(int count) {
        for (int i = 0; i < count; i++) carryOut(requests.get(i));
    }

    Totals moved() {
        return new Totals(cents, changes);
    }

    private void carryOut(long request) {
        Kind kind = Requests.kind(request);
        int a = Requests.a(request);
        switch (kind) {
            case AMALGAMATE -> teller.amalgamate(a, Requests.b(request));
            case BALANCE -> seen += teller.balance(a);
            case DEPOSIT_CHECKING -> {
                teller.depositChecking(a, DEPOSIT_CENTS);
                cents += DEPOSIT_CENTS;
            }
            case SEND_PAYMENT -> {
                if (!teller.sendPayment(a, Requests.b(request), PAYMENT_CENTS)) {
                    rollbacks++;
                    return;
                }
            }
            case TRANSACT_SAVINGS -> {
                teller.transactSavings(a, SAVED_CENTS);
                cents += SAVED_CENTS;
            }
            case WRITE_CHECK -> cents -= teller.writeCheck(a, CHECK_CENTS);
        }
        commits++;
        changes += kind.changes;
    }

    /** What the balances that were asked for add up to: whoever can ask for it keeps the compiler from leaving them out. */
    long seen() {
        return seen;
    }
}
