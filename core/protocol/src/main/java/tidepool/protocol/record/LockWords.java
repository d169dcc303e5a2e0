package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.store.TxnId;

/**
 * The verbs on lock words outside transactions, by which recoverers and replica fillers of protocols differ. A recovery
 * or a filler chooses one.
 */
public interface LockWords {
    /** The whole word is the lock: {1,T} of its holder, or 0. */
    LockWords WHOLE = new LockWords() {
        @Override
        public long heldBy(long txn) {
            return TxnId.R | txn;
        }

        @Override
        public long holder(long word) {
            return word;
        }

        @Override
        public void take(Round round, Region region, long offset, long txn, MemorySegment found, long foundAt) {
            round.compareAndSwap(region, offset, 0, heldBy(txn), found, foundAt);
        }

        @Override
        public void release(Round round, Region region, long offset, long txn) {
            round.write(region, offset, 0);
        }

        @Override
        public void free(Round round, Region region, long offset, long word, MemorySegment found) {
            round.compareAndSwap(region, offset, word, 0, found, 0);
        }
    };

    /** Returns the lock word of an object that a transaction holds. */
    long heldBy(long txn);

    /** Returns the part of a lock word that names its holder; 0 if no transaction holds the object. */
    long holder(long word);

    /** Adds the verb that asks for a lock. It is granted if {@link #holder} of the found word is 0. */
    void take(Round round, Region region, long offset, long txn, MemorySegment found, long foundAt);

    /** Adds the verb by which a live holder gives a lock up. */
    void release(Round round, Region region, long offset, long txn);

    /** Adds the verb that frees the lock of a dead holder, if the word still names it. */
    void free(Round round, Region region, long offset, long word, MemorySegment found);
}
