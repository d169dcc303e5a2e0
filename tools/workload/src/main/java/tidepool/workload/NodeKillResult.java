package tidepool.workload;

import java.util.Locale;
import tidepool.history.Level;

/**
 * The result of a {@link NodeKillCampaign}.
 *
 * @param kills memory nodes that were killed
 * @param workers client processes at work
 * @param commits of all clients
 * @param primaries how many partitions lost their primary, over all kills
 * @param whileChanging kills while the roster changed
 * @param whileFilling kills while copies were filled
 * @param unavailable from the kill to the first commit in each partition of which the node held a copy
 * @param detection from the kill until the roster changed
 * @param repair from the roster change to the first commit, for each partition
 * @param refill from the kill until every partition had all its copies again
 */
public record NodeKillResult(
        int kills,
        int workers,
        double seconds,
        long commits,
        int primaries,
        int whileChanging,
        int whileFilling,
        RecoveryTimes.Spread unavailable,
        RecoveryTimes.Spread detection,
        RecoveryTimes.Spread repair,
        RecoveryTimes.Spread refill,
        WorkerSite.SiteFindings findings) {
    /** Returns whether no acknowledged write is lost, and everything is in order. */
    public boolean holds() {
        return isStrict() && findings.audit().holds() && findings.quiet().holds();
    }

    public boolean isStrict() {
        return findings.verdict().holds(Level.STRICT_SERIALIZABILITY);
    }

    /** Returns the result as text for people. */
    public String text() {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "%d memory nodes killed in %.0f s under %d client processes: %,d commits; %d primaries lost, %d"
                        + " kills while"
                        + " the roster changed, %d while copies were filled",
                kills,
                seconds,
                workers,
                commits,
                primaries,
                whileChanging,
                whileFilling);
        line(text, "%-46s %6s %9s %9s %9s", "milliseconds", "times", "p50", "p99", "most");
        spread(text, "SIGKILL to the first commit, each partition", unavailable);
        spread(text, "  detection: SIGKILL to a changing roster", detection);
        spread(text, "  repair: from there to the first commit", repair);
        spread(text, "SIGKILL to all copies whole again", refill);
        line(text, "history: %s", findings.verdict().counts());
        line(text, "%s strictly serializable", mark(isStrict()));
        if (!isStrict()) text.append(findings.verdict().report());
        BankAudit audit = findings.audit();
        line(
                text,
                "%s every account holds what the books say; %d transactions in doubt, of which %d happened",
                mark(audit.holds()),
                audit.doubts(),
                audit.doubtsThatHappened());
        for (String wrong : audit.wrong()) line(text, "    %s", wrong);
        QuiescentPoolCheck quiet = findings.quiet();
        line(
                text,
                "%s %,d objects whole, visible, unlocked, equal on all replicas; nothing of the dead is left",
                mark(quiet.holds()),
                quiet.objects());
        for (String problem : quiet.problems()) line(text, "    %s", problem);
        return text.toString();
    }

    private static void spread(StringBuilder text, String what, RecoveryTimes.Spread s) {
        line(
                text,
                "%-46s %6d %9.1f %9.1f %9.1f",
                what,
                s.count(),
                s.percentile(50),
                s.percentile(99),
                s.percentile(100));
    }

    private static String mark(boolean holds) {
        return holds ? "OK    " : "FAILED";
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
