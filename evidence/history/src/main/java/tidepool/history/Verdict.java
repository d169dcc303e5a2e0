package tidepool.history;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The result of checking a history.
 *
 * @param anomalies the anomalies that are reported in full
 * @param totals the number of anomalies of each kind, reported in full or not
 * @param violated the levels that do not hold
 * @param counts the amount of evidence
 * @param warnings defects of the files
 */
public record Verdict(
        List<Anomaly> anomalies,
        Map<AnomalyKind, Long> totals,
        Set<Level> violated,
        HistoryCounts counts,
        List<String> warnings) {
    public Verdict {
        anomalies = List.copyOf(anomalies);
        totals = Map.copyOf(totals);
        violated = Set.copyOf(violated);
        warnings = List.copyOf(warnings);
    }

    /** Returns true if nothing in the history contradicts the level. */
    public boolean holds(Level level) {
        return !violated.contains(level);
    }

    /** Returns the strongest level that nothing contradicts; empty if not even snapshot isolation is left. */
    public Optional<Level> strongest() {
        for (Level level : Level.values()) {
            if (holds(level)) return Optional.of(level);
        }
        return Optional.empty();
    }

    /** Returns the number of anomalies of a kind, reported in full or not. */
    public long count(AnomalyKind kind) {
        return totals.getOrDefault(kind, 0L);
    }

    /** Returns everything as readable text. */
    public String report() {
        StringBuilder text = new StringBuilder();
        for (String warning : warnings) text.append("warning: ").append(warning).append('\n');
        text.append(counts).append('\n');
        for (Anomaly anomaly : anomalies) text.append('\n').append(anomaly);
        if (!anomalies.isEmpty()) text.append('\n');
        for (AnomalyKind kind : AnomalyKind.values()) {
            if (count(kind) > 0)
                text.append(kind.title()).append(": ").append(count(kind)).append('\n');
        }
        text.append(strongest().map(level -> "holds: " + level).orElse("holds: none of the levels"));
        return text.append('\n').toString();
    }
}
