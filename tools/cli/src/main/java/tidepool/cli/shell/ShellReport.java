package tidepool.cli.shell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.fabric.Traffic;
import tidepool.spi.PoolAccess;
import tidepool.store.TxnId;
import tidepool.txn.AbortReason;

/** Texts of the shell about itself: the greeting, the status, times. */
final class ShellReport {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    private final Tidepool pool;
    private final String place;
    private final Duration idle;
    private long begun;
    private long unknown; // a transaction whose outcome was unknown; 0 if there is none

    ShellReport(Tidepool pool, String url, Duration idle) {
        this.pool = pool;
        // The parameters may hold secrets.
        this.place = url.contains("?") ? url.substring(0, url.indexOf('?')) : url;
        this.idle = idle;
    }

    void begun() {
        begun = System.nanoTime();
    }

    void unknown(long txn) {
        unknown = txn;
    }

    String greeting(int tables) {
        return place + ": " + count(tables, "table") + " on "
                + count(PoolAccess.fabric(pool).nodes(), "memory node") + ". help lists the commands, ^D leaves.";
    }

    /** Describes an open transaction in a few words. */
    String open(Transaction transaction, String how) {
        return String.format(
                Locale.ROOT,
                "%s, id %s, for %.0f s, %s so far; rolled back when idle for %s",
                how,
                TxnId.text(transaction.id()),
                (System.nanoTime() - begun) / NANOS_PER_SECOND,
                count(transaction.roundTrips(), "round trip"),
                text(idle));
    }

    /** Returns the status. Waits for the outcome of a transaction whose outcome is unknown. */
    String status(String transaction) {
        Traffic traffic = PoolAccess.traffic(pool);
        List<String> lines = new ArrayList<>();
        lines.add("pool         " + place + ", " + count(PoolAccess.fabric(pool).nodes(), "memory node"));
        lines.add("session      " + pool.sessionNumber());
        lines.add("transaction  " + transaction);
        lines.add("so far       " + count(pool.statistics().commits(), "commit") + ", "
                + count(pool.statistics().aborts(), "abort") + aborts() + ", "
                + (pool.statistics().recoveries() == 1
                        ? "1 recovery"
                        : pool.statistics().recoveries() + " recoveries"));
        lines.add("traffic      " + count(traffic.roundTrips(), "round trip") + ", " + count(traffic.allVerbs(), "verb")
                + ", " + traffic.bytesRead() + " bytes read, " + traffic.bytesWritten() + " written");
        if (unknown != 0) lines.add("unknown      transaction " + TxnId.text(unknown) + " " + outcome());
        return String.join(System.lineSeparator(), lines);
    }

    private String aborts() {
        List<String> reasons = new ArrayList<>();
        for (AbortReason reason : AbortReason.values())
            if (pool.statistics().aborts(reason) > 0)
                reasons.add(pool.statistics().aborts(reason) + " "
                        + reason.name().toLowerCase(Locale.ROOT).replace('_', ' '));
        return reasons.isEmpty() ? "" : " (" + String.join(", ", reasons) + ")";
    }

    private String outcome() {
        Boolean happened = pool.resolve(unknown);
        return happened == null ? "is still not known" : happened ? "was applied" : "was not applied";
    }

    /** Returns the cost of a statement. */
    static String cost(ShellSession.Answer answer) {
        return String.format(
                Locale.ROOT,
                "(%.2f ms, %s)",
                answer.nanos() / NANOS_PER_MILLI,
                count(answer.roundTrips(), "round trip"));
    }

    static String text(Duration time) {
        long millis = time.toMillis();
        if (millis >= 60_000 && millis % 60_000 == 0) return millis / 60_000 + " min";
        return millis >= 1000 && millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
    }

    static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
