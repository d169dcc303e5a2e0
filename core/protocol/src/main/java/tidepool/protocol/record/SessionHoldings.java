package tidepool.protocol.record;

/** What a session holds in a pool in addition to its locks. A recovery chooses one, and takes it from the dead. */
public interface SessionHoldings {
    /** A session holds nothing but locks. */
    SessionHoldings NONE = new SessionHoldings() {
        @Override
        public void withdraw(int dead) {}

        @Override
        public void giveBack(int dead) {}
    };

    /** Takes away what must be gone before anything is repaired. The session is revoked. Waits for the nodes. */
    void withdraw(int dead);

    /** Takes away what must stay until everything is repaired and unlocked. Waits for the nodes. */
    void giveBack(int dead);
}
