package tidepool.peers;

/** An account, for stores that keep objects: its cents, and the number of its changes. */
record PeerAccount(long cents, long changes) {
    PeerAccount plus(long more) {
        return new PeerAccount(cents + more, changes + 1);
    }
}
