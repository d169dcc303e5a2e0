package tidepool.workload.recorded;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tidepool.history.HistoryFiles;
import tidepool.txn.AbortReason;
import tidepool.workload.EventCounts;
import tidepool.workload.TxnTally;

/**
 * The result of a recorded run.
 *
 * @param seconds how long clients worked; in virtual time if it was simulated
 * @param commits of all clients, the dead included: as many as are in the history
 * @param killed number of processes or machines that died meanwhile
 * @param deaths their places and the outcomes of their transactions; null if none was to die
 * @param tally of all clients; of the dead, their reports of a fraction of a second before their death
 * @param eventCounts counts of events in their transactions, and in the last reads
 * @param aborts of their attempts, by reason
 * @param summary of the file, the dead included
 */
public record RecordedResult(
        RecordedOptions options,
        double seconds,
        long commits,
        int killed,
        Deaths deaths,
        TxnTally tally,
        EventCounts eventCounts,
        Map<AbortReason, Long> aborts,
        Path history,
        HistoryFiles.Summary summary) {
    static RecordedResult of(
            RecordedOptions options, Ended ended, Deaths deaths, Path history, HistoryFiles.Summary summary) {
        RunProgress progress = ended.progress();
        return new RecordedResult(
                options,
                ended.seconds(),
                summary.ok() - ended.lastReads(),
                ended.killed(),
                deaths,
                progress.tally,
                progress.eventCounts,
                progress.aborts(),
                history,
                summary);
    }

    public double commitsPerSecond() {
        return commits / seconds;
    }

    public double abortsPerSecond() {
        return aborts.values().stream().mapToLong(Long::longValue).sum() / seconds;
    }

    public double bytesAllocatedPerTransaction() {
        return (double) eventCounts.count(ClientThreads.ALLOCATED) / Math.max(1, tally.commits());
    }

    /** Returns the counts of events, by name, for people. */
    public Map<String, Long> events() {
        Map<String, Long> events = eventCounts.all();
        events.remove(ClientThreads.ALLOCATED);
        return events;
    }

    /**
     * Returns the whole result as lines for people. Leaves out the place of the history; only the caller knows whether
     * it stays.
     */
    public List<String> text() {
        List<String> lines = new ArrayList<>();
        boolean simulated = options.fabricName().equals("sim");
        lines.add(line(
                "%s on %s, %s, %s with %s each, seed %d",
                options.workload(),
                options.fabric(),
                options.protocol(),
                counted(options.processes(), simulated ? "machine" : "process"),
                counted(options.threads(), simulated ? "strand" : "thread"),
                options.seed()));
        lines.add(line(
                "Commits   %,d in %.3f %sseconds, %,.0f a second; p50 %.1f µs, p99 %.1f µs, %.2f round trips",
                commits,
                seconds,
                simulated ? "virtual " : "",
                commitsPerSecond(),
                tally.latency().percentile(50) / 1e3,
                tally.latency().percentile(99) / 1e3,
                tally.roundTripsPerCommit()));
        lines.add(line(
                "Others    %,d rolled back by the application, %,d gave up after conflicts",
                tally.rollbacks(), tally.gaveUps()));
        lines.add("Aborts    " + (aborts.isEmpty() ? "none" : reasons()));
        lines.add("Events    " + eventText());
        if (deaths != null) {
            lines.add(line("Killed    %d of %d, and replaced", killed, options.kills()));
            lines.addAll(deaths.text());
        }
        lines.add(line(
                "History   %,d transactions: %,d ok, %,d failed, %,d unknown; %,d kB",
                summary.transactions(), summary.ok(), summary.failed(), summary.unknown(), summary.bytes() / 1000));
        return lines;
    }

    private String reasons() {
        List<String> parts = new ArrayList<>();
        aborts.forEach((reason, count) ->
                parts.add(line("%s %,d", reason.name().toLowerCase(Locale.ROOT).replace('_', ' '), count)));
        return String.join(", ", parts);
    }

    private String eventText() {
        List<String> parts = new ArrayList<>();
        events().forEach((name, count) -> parts.add(line("%s %,d", name, count)));
        return String.join(", ", parts);
    }

    private static String counted(int count, String what) {
        return count + " " + what + (count == 1 ? "" : what.endsWith("s") ? "es" : "s");
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
