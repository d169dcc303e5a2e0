package tidepool.bench.smallbank;

import tidepool.base.Checks;

/**
 * The customers of transactions.
 *
 * @param count customers, from 0
 * @param hot number of customers, from 0, that are drawn more often
 * @param hotShare percentage of transactions that choose from the hot customers
 */
public record Customers(int count, int hot, int hotShare) {
    public Customers {
        Checks.argument(hot >= 2 && hot <= count, "2 to " + count + " of the customers are hot, not " + hot);
    }

    /** Returns customers of whom the first 4 percent get nine in ten transactions. */
    static Customers of(int count) {
        return new Customers(count, count / 25, 90);
    }
}
