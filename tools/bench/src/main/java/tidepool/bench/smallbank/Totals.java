package tidepool.bench.smallbank;

/**
 * The sum of all accounts of a bank.
 *
 * @param cents the money in them
 * @param changes the number of their changes
 */
public record Totals(long cents, long changes) {
    /** Returns the totals of a new bank. */
    static Totals initial(int customers) {
        return new Totals(2L * customers * Bank.INITIAL_CENTS, 0);
    }

    Totals plus(long moreCents, long moreChanges) {
        return new Totals(cents + moreCents, changes + moreChanges);
    }
}
