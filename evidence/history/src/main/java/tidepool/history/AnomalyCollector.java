package tidepool.history;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Collects anomalies: counts all, reports the first few of each kind. A broken store breaks thousands of reads alike.
 */
final class AnomalyCollector {
    private final Transactions transactions;
    private final int shownPerKind;
    private final List<Anomaly> shown = new ArrayList<>();
    private final Map<AnomalyKind, Long> totals = new EnumMap<>(AnomalyKind.class);
    private final Set<Level> violated = EnumSet.noneOf(Level.class);

    AnomalyCollector(Transactions transactions, int shownPerKind) {
        this.transactions = transactions;
        this.shownPerKind = shownPerKind;
    }

    void add(AnomalyKind kind, Supplier<String> story, int... involved) {
        add(kind, kind.violated(), story, involved);
    }

    void add(AnomalyKind kind, Set<Level> levels, Supplier<String> story, int... involved) {
        violated.addAll(levels);
        if (totals.merge(kind, 1L, Long::sum) > shownPerKind) return;
        List<Long> indices = new ArrayList<>();
        for (int transaction : involved) indices.add(transactions.invoked(transaction));
        shown.add(new Anomaly(kind, levels, indices, story.get()));
    }

    /** Returns true while another anomaly of this kind would be reported in full. */
    boolean wants(AnomalyKind kind) {
        return totals.getOrDefault(kind, 0L) < shownPerKind;
    }

    List<Anomaly> shown() {
        return shown;
    }

    Map<AnomalyKind, Long> totals() {
        return totals;
    }

    Set<Level> violated() {
        return violated;
    }
}
