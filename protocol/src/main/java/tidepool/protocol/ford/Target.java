package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.store.ObjectLayout;
import tidepool.store.TableInfo;

/** An object that a transaction locks and writes: a record, the head of a bucket, a count of overflow buckets. */
final class Target {
    TableInfo table;
    long pointer;
    long bodyBytes;
    long key;
    long flags;

    /** Where the answer of the lock's CAS lands. */
    long lockFound;

    /** Where the object as it was (LOCK, VER, body) has landed. */
    long landed;

    /** Where the body as it shall be is made. */
    long staged;

    /** The lock is provably ours. */
    boolean held;

    /** The version that the object had when it was locked. */
    long version(MemorySegment memory) {
        return Words.plain(memory, landed + ObjectLayout.VERSION);
    }
}
