package tidepool.protocol.fordlv;

import tidepool.fabric.Round;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.Target;

/** One coordinator's way to the cached versions of what it reads and writes. */
interface Vcache {
    /** What asking for a version may answer. */
    enum Answer {
        /** As it was seen, and nobody is about to write it. */
        SAME,
        CHANGED,
        /** Somebody has announced a write; {@link #holder} says who. */
        BUSY,
        /** Nothing is known: memory has to be asked, and {@link #fill} may put what it says. */
        ABSENT
    }

    /** Whether the version of what an access depends on can be here at all. */
    boolean covers(Access a);

    /** Says that the transaction, which holds the lock, is about to write. */
    void announce(Target t, long txn);

    /** Asks for the version of what an access depends on; {@link #look} has the answer behind {@link #exchange}. */
    void ask(Access a, long txn);

    /** Everything that was said and asked has arrived, in this order. Waits. False if somebody stands in the way. */
    boolean exchange();

    /** The answer to what was asked, in the order of asking. */
    Answer look(Access a, long txn);

    /** Memory has said, after {@link #look} answered ABSENT, that the access is as it was seen. */
    void fill(Access a, long txn);

    /** All that memory has said was said. Does not wait. */
    void filled();

    /** The version that an announced object has from now on; said before its lock is let go. */
    void settle(Target t, long version);

    /** Posts the release of locks behind everything that was settled. Does not wait. */
    void postBehind(Round release);

    /** Whose announcement or lock stood in the way. */
    long holder();

    LvCounts counts();
}
