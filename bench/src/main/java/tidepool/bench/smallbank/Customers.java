package tidepool.bench.smallbank;

import tidepool.base.Checks;

/**
 * Whom transactions are about.
 *
 * @param count customers, from 0
 * @param hot how many of them, from 0, are asked for more often
 * @param hotShare of a hundred transactions that choose from the hot
 */
public record Customers(int count, int hot, int hotShare) {
    public Customers {
        Checks.argument(hot >= 2 && hot <= count, "2 to " + count + " of the customers are hot, not " + hot);
    }

    /** Nine in ten transactions choose from the first 4 percent. */
    static Customers of(int count) {
        return new Customers(count, count / 25, 90);
    }
}
