package tidepool;

import java.time.Duration;
import java.util.List;
import tidepool.base.Checks;
import tidepool.fabric.FabricUrl;
import tidepool.txn.Priority;

/** The limits of a transaction that conflicts with others: the time, the number of attempts, and its priority. */
record Limits(long timeoutNanos, int attempts, Priority priority) {
    /** The parameters of a pool URL that concern retries. */
    static final List<String> NAMES = List.of("timeout", "attempts");

    static final Limits DEFAULT = new Limits(10_000_000_000L, Integer.MAX_VALUE, Priority.NORMAL);

    /** Longer than any useful time-out, and short enough that no deadline overflows. */
    private static final Duration LONGEST = Duration.ofDays(365);

    /** Reads {@code ?timeout=2s&attempts=5}; parameters that are not given have their defaults. */
    static Limits of(FabricUrl url) {
        Duration timeout = url.duration("timeout", Duration.ofNanos(DEFAULT.timeoutNanos));
        return DEFAULT.attempts(url.integer("attempts", DEFAULT.attempts, 1, Integer.MAX_VALUE))
                .within(timeout);
    }

    Limits within(Duration timeout) {
        if (timeout == null) throw new NullPointerException("a time-out is needed");
        Checks.argument(timeout.isPositive(), "a time-out is longer than nothing, not " + timeout);
        return new Limits((timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST).toNanos(), attempts, priority);
    }

    Limits attempts(int max) {
        Checks.argument(max >= 1, "a transaction is tried at least once, not " + max + " times");
        return new Limits(timeoutNanos, max, priority);
    }

    Limits with(Priority other) {
        if (other == null) throw new NullPointerException("a priority is needed: NORMAL or HIGH");
        return new Limits(timeoutNanos, attempts, other);
    }
}
