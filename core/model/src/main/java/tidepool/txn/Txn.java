package tidepool.txn;

import java.lang.foreign.MemorySegment;
import tidepool.schema.RowKey;

/**
 * One attempt of a transaction, on fields and offsets: the layer below the typed API. One strand or thread reuses an
 * object for many attempts; nothing is allocated in steady state.
 *
 * <p>Accesses are declared ({@link #read}, {@link #update}, …) and carried out together by {@link #execute}, so that
 * all declared accesses share round trips. Between a declaration and {@code execute} nothing is known. After it, the
 * values of reads can be read, and those of writes can be changed in place at {@link #value}.
 *
 * <p>A key can be declared any number of times, in any order. Declarations count in the order in which they are made,
 * also if one {@code execute} carries them out together: each one sees the effect of earlier ones on its key.
 */
public interface Txn {
    /** Declares that the value of a key is read. Returns the number of the access. */
    int read(TableHandle table, long key);

    /** Declares that the value of a key is locked, read and changed. */
    int update(TableHandle table, long key);

    /**
     * Declares a new key, whose value starts as zeros. If the key exists, {@link #found} is true and the access is a
     * read.
     */
    int insert(TableHandle table, long key);

    /** Declares that a key gets a value, whether it exists or not. A new value starts as zeros. */
    int put(TableHandle table, long key);

    /** Declares that a key is removed. */
    int delete(TableHandle table, long key);

    /**
     * Declares a read by a key of any parts. A key that is one {@code long} costs less without the object. The key is
     * copied.
     */
    int read(TableHandle table, RowKey key);

    /** Declares an update by a key of any parts, see {@link #read(TableHandle, RowKey)}. */
    int update(TableHandle table, RowKey key);

    /** Declares an insert by a key of any parts, see {@link #read(TableHandle, RowKey)}. */
    int insert(TableHandle table, RowKey key);

    /** Declares a put by a key of any parts, see {@link #read(TableHandle, RowKey)}. */
    int put(TableHandle table, RowKey key);

    /** Declares a delete by a key of any parts, see {@link #read(TableHandle, RowKey)}. */
    int delete(TableHandle table, RowKey key);

    /**
     * Carries out the accesses declared since the last call. Waits for the memory nodes. Returns false if the attempt
     * was aborted.
     */
    boolean execute();

    /**
     * Reads the next page of a scan, with all accesses that were declared before. Waits for the memory nodes. Returns
     * false if the attempt was aborted. No other transaction that commits in between inserts into the range or deletes
     * from it.
     */
    default boolean scan(RangeScan scan) {
        throw new UnsupportedOperationException("this transaction has no indexes");
    }

    /** Whether an access was carried out, so that its results can be asked for. */
    boolean isExecuted(int access);

    /** Whether the key of an access existed, given the earlier declarations of this transaction. */
    boolean found(int access);

    /** Whether an access locks and writes a record. False for reads, and for updates of keys that do not exist. */
    boolean writes(int access);

    /** Returns the memory that holds the values of accesses. */
    MemorySegment memory();

    /**
     * Returns where in {@link #memory()} the value of an access begins. All accesses of a key share one value. Changes
     * count for accesses that write. The place can differ after the next {@link #execute}.
     */
    long value(int access);

    /**
     * Returns the id of the last transaction that wrote the object on which an access depends. That object is the
     * record, or the bucket if the key was absent or is removed. Returns the id of this transaction if it inserted, put
     * or deleted the key in an earlier declaration. 0 if the object was never written. Used by checkers of histories.
     */
    long version(int access);

    /**
     * Returns the id of the last transaction that inserted into or deleted from the bucket that this access changes. 0
     * if there is none. Used by checkers of histories.
     */
    long bucketVersion(int access);

    /**
     * Returns a number that names the bucket of {@link #version} or {@link #bucketVersion}: the place of its head in
     * the pool. For accesses whose key was absent, is inserted or is deleted. Buckets of tables that grow are split, so
     * the bucket of a key changes. Used by checkers of histories.
     */
    long bucket(int access);

    /**
     * Whether all values read so far existed at one moment. Asked when a body ends without a commit. Only a commit
     * validates, so the body may have drawn its conclusion from a state that never existed. Accesses that were declared
     * and not carried out do not count. Waits for the memory nodes. Returns false if the attempt was aborted, by this
     * call or before.
     */
    boolean isConsistent();

    /** Commits. Waits until the outcome is known; background rounds continue after it. */
    Outcome commit();

    /** Ends the attempt without effect. Locks are released in the background. */
    void rollback();

    /** Sets the urgency, before any access is carried out. Ignored by protocols without lock queues. */
    default void priority(Priority how) {}

    /** Returns the id of this attempt. */
    long id();

    /** Returns why the last attempt ended as {@link Outcome#ABORTED}. */
    AbortReason abortReason();

    /**
     * Returns the word of the protocol's step that the last attempt has entered last: where it stood when it was
     * aborted, or when the fabric failed. Empty if it has entered none, or the protocol names no steps.
     */
    default String lastStep() {
        return "";
    }

    /** Returns the session whose lock or mark blocked the last attempt; 0 if there is none. */
    int blockingSession();
}
