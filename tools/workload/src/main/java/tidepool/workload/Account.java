package tidepool.workload;

import tidepool.schema.Key;

/** One customer's account of one kind, in whole cents. The papers use floats, whose sums are not exact. */
public record Account(@Key long id, long cents) {
    /** Returns the account with this amount added; the amount may be negative. */
    public Account plus(long more) {
        return new Account(id, cents + more);
    }
}
