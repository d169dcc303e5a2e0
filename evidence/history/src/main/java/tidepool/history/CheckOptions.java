package tidepool.history;

/**
 * Limits of a check: how many anomalies it reports, and how long it searches for a smaller cycle. Neither changes which
 * levels hold. Whether a cycle exists is decided exactly; only which one is shown depends on the effort.
 *
 * @param shownPerKind number of anomalies of a kind that are reported in full; the others are counted
 * @param effort number of edges that may be visited in one component to find a smaller cycle than the first
 */
public record CheckOptions(int shownPerKind, long effort) {
    /** Five stories of each kind, and some tenths of a second for each component. */
    public static final CheckOptions DEFAULT = new CheckOptions(5, 20_000_000);

    public CheckOptions {
        if (shownPerKind < 1) throw new IllegalArgumentException("shownPerKind must be at least 1: " + shownPerKind);
        if (effort < 0) throw new IllegalArgumentException("effort must not be negative: " + effort);
    }
}
