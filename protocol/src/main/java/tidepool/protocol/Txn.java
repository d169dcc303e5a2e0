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
 */
public interface Txn {
    /** Declares that the value of a key is read. Returns the number of the access. */
    int read(TableInfo table, long key);

    /** Declares that the value of a key is locked, read and changed. */
    int update(TableInfo table, long key);

    /** Declares a new key. If it exists, {@link #found} tells, and the access is a read. */
    int insert(TableInfo table, long key);

    /** Declares that a key gets a value, whether it exists or not. */
    int put(TableInfo table, long key);

    /** Declares that a key is removed. */
    int delete(TableInfo table, long key);

    /** Carries out what was declared since the last time. Waits. False if the attempt was aborted by it. */
    boolean execute();

    /** Whether the key of an access existed when it was read or locked. */
    boolean found(int access);

    /** Whether an access locks and writes a record; false for reads, and for updates of keys that are not there. */
    boolean writes(int access);

    /** Memory in which the values of accesses lie. */
    MemorySegment memory();

    /** Where in {@link #memory()} the value of an access begins. Changing it counts for accesses that write. */
    long value(int access);

    /**
     * The id of the last transaction that wrote what an access depends on: the record, or the bucket of a key that was not
     * there or is removed. 0 if nobody has. For those who check histories.
     */
    long version(int access);

    /**
     * The id of the last transaction that inserted into or deleted from the bucket that an access inserts into or deletes
     * from. 0 if nobody has. For those who check histories.
     */
    long bucketVersion(int access);

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
