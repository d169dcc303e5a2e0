package tidepool.peers;

/** An account, for stores that keep objects: the cents in it, and how often it was changed. */
record Account(long cents, long changes) {
    Account plus(long more) {
        return new Account(cents + more, changes + 1);
    }
}
