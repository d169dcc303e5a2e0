package tidepool.check.history;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a history proves.
 *
 * @param anomalies those that are told in full
 * @param totals how many of each kind there are, told or not
 * @param violated the levels that do not hold
 * @param counts how much was looked at
 * @param warnings what was strange about the files
 */
public record Verdict(
        List<Anomaly> anomalies,
        Map<AnomalyKind, Long> totals,
        Set<Level> violated,
        Counts counts,
        List<String> warnings) {
    public Verdict {
        anomalies = List.copyOf(anomalies);
        totals = Map.copyOf(totals);
        violated = Set.copyOf(violated);
        warnings = List.copyOf(warnings);
    }

    /** True if nothing in the history contradicts the level. */
    public boolean holds(Level level) {
        return !violated.contains(level);
    }

    /** The strongest level that nothing contradicts; empty if not even snapshot isolation is left. */
    public Optional<Level> strongest() {
        for (Level level : Level.values()) {
            if (holds(level)) return Optional.of(level);
        }
        return Optional.empty();
    }

    /** How many anomalies of a kind there are, told or not. */
    public long count(AnomalyKind kind) {
        return totals.getOrDefault(kind, 0L);
    }

    /** Everything, for a person. */
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
