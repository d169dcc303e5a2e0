package tidepool.bench.smallbank;

/**
 * All accounts of a bank added up.
 *
 * @param cents the money in them
 * @param changes how often they were changed
 */
public record Totals(long cents, long changes) {
    /** What a new bank holds. */
    static Totals initial(int customers) {
        return new Totals(2L * customers * Bank.INITIAL_CENTS, 0);
    }

    Totals plus(long moreCents, long moreChanges) {
        return new Totals(cents + moreCents, changes + moreChanges);
    }
}
