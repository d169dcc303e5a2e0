package tidepool.protocol;

import java.lang.foreign.MemorySegment;
import tidepool.store.TableInfo;

/**
 * One attempt of a transaction, on fields and offsets: the layer below the typed API. An object is used again and again
 * by one strand or thread; nothing is allocated in steady state.
 *
 * <p>Accesses are declared ({@link #read}, {@link #update}, …) and carried out together by {@link #execute}, so that all
 * that were declared share round trips. Between declarations and {@code execute} nothing is known; after it the values of
 * reads can be read and those of writes can be changed in place at {@link #value}.
 *
 * <p>A key can be declared any number of times, in any order. Declarations count in the order in which they are made,
 * also if one {@code execute} carries them out together: each sees what those before it have made of the key.
 */
public interface Txn {
    /** Declares that the value of a key is read. Returns the number of the access. */
    int read(TableInfo table, long key);

    /** Declares that the value of a key is locked, read and changed. */
    int update(TableInfo table, long key);

    /**
     * Declares a new key, whose value starts as zeros. If it exists, {@link #found} tells, and the access is a read.
     */
    int insert(TableInfo table, long key);

    /** Declares that a key gets a value, whether it exists or not. A new one starts as zeros. */
    int put(TableInfo table, long key);

    /** Declares that a key is removed. */
    int delete(TableInfo table, long key);

    /** Carries out what was declared since the last time. Waits. False if the attempt was aborted by it. */
    boolean execute();

    /** Whether an access was carried out, so that it can be asked about. */
    boolean isExecuted(int access);

    /** Whether the key of an access existed, after what this transaction had declared before it. */
    boolean found(int access);

    /** Whether an access locks and writes a record; false for reads, and for updates of keys that are not there. */
    boolean writes(int access);

    /** Memory in which the values of accesses lie. */
    MemorySegment memory();

    /**
     * Where in {@link #memory()} the value of an access begins: the one value that all accesses of a key share.
     * Changing it counts for accesses that write. The place can be another one after the next {@link #execute}.
     */
    long value(int access);

    /**
     * The id of the last transaction that wrote what an access depends on: the record, or the bucket of a key that was not
     * there or is removed; this one's, if it was declared before. 0 if nobody has. For those who check histories.
     */
    long version(int access);

    /**
     * The id of the last transaction that inserted into or deleted from the bucket that an access inserts into or deletes
     * from. 0 if nobody has. For those who check histories.
     */
    long bucketVersion(int access);

    /**
     * Whether everything that was read so far was there at one moment. Asked when a body ends otherwise than for a
     * commit, because only a commit validates: what the body concluded may come from a state that never was. Accesses
     * that were declared and not carried out have shown nothing and do not count. Waits. False if the attempt was
     * aborted, by this or before.
     */
    boolean isConsistent();

    /** Commits. Waits until the outcome is known; work off the critical path goes on behind it. */
    Outcome commit();

    /** Gives up. Locks are released in the background. */
    void rollback();

    /** How urgent it is, before anything is carried out. Means nothing where a protocol has no line to wait in. */
    default void priority(Priority how) {}

    /** The id of this attempt. */
    long id();

    /** Why the last attempt ended as {@link Outcome#ABORTED}. */
    AbortReason abortReason();

    /** The session whose lock or mark stood in the way of the last attempt; 0 if none did. */
    int blockingSession();
}
