package tidepool.protocol.fordlv;

import tidepool.fabric.Round;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.WriteTarget;

/** Access of one coordinator to the cached versions of the objects that it reads and writes. */
public interface Vcache {
    /** Answers to a question for a version. */
    enum Answer {
        /** As it was seen, and no transaction has announced a write. */
        SAME,
        CHANGED,
        /** Another transaction has announced a write. */
        BUSY,
        /** No version is cached. Memory has to be asked, and {@link #fill} may cache its answer. */
        ABSENT
    }

    /** Returns whether the version of the object on which an access depends can be cached here at all. */
    boolean covers(Access a);

    /** Announces that the transaction, which holds the lock, is about to write. */
    void announce(WriteTarget t, long txn);

    /**
     * Asks for the version of the object on which an access depends. {@link #look} has the answer after
     * {@link #exchange}.
     */
    void ask(Access a, long txn);

    /**
     * Waits until all announcements and questions have arrived, in this order. Returns false if another transaction is
     * in the way.
     */
    boolean exchange();

    /** Returns the answer to a question, in the order of asking. */
    Answer look(Access a, long txn);

    /** Caches a version: after {@link #look} answered ABSENT, memory has answered that the access is as it was seen. */
    void fill(Access a, long txn);

    /** Ends a series of {@link #fill}. Does not wait. */
    void filled();

    /** Sets the version that an announced object has from now on. Called before its lock is released. */
    void settle(WriteTarget t, long version);

    /** Posts the release of locks after everything that was settled. Does not wait. */
    void postAfter(Round release);

    /** Returns the session that holds a set for which {@link #exchange} was refused; 0 if none is known. */
    int holdingSession();

    VcacheCounts counts();
}
