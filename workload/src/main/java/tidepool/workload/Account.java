package tidepool.workload;

import tidepool.store.schema.Key;

/** One customer's account of one kind, in whole cents: the papers use floats, with which nothing can be added up. */
public record Account(@Key long id, long cents) {
    /** The same account with more, or less, in it. */
    public Account plus(long more) {
        return new Account(id, cents + more);
    }
}
