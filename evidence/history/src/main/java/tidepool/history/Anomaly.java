package tidepool.history;

import java.util.List;
import java.util.Set;

/**
 * One proven anomaly.
 *
 * @param violated the levels that cannot hold because of it
 * @param transactions the transactions that take part, by the index of their invocation, in the order of the cycle if
 *     it is one
 * @param story the transactions and the reasons, as readable lines
 */
public record Anomaly(AnomalyKind kind, Set<Level> violated, List<Long> transactions, String story) {
    public Anomaly {
        violated = Set.copyOf(violated);
        transactions = List.copyOf(transactions);
    }

    /** Returns the kind, the levels it rules out, and the story. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(kind.title()).append(" (").append(kind.meaning());
        text.append("); rules out ");
        String comma = "";
        for (Level level : Level.values()) {
            if (violated.contains(level)) {
                text.append(comma).append(level);
                comma = ", ";
            }
        }
        return text.append('\n').append(story).toString();
    }
}
