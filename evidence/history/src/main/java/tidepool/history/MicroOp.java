package tidepool.history;

import java.util.List;

/** One operation of a transaction as it is recorded: the request and, after completion, the result. */
public sealed interface MicroOp {
    /** Returns the key that it touches, or the bucket that it splits, or the index that it reads. */
    long key();

    /** Appends an element to the list of the key. No two appends to a key may have the same element. */
    record Append(long key, long element) implements MicroOp {}

    /** Reads the list of the key; {@code null} before it has been read. */
    @SuppressWarnings("ArrayRecordComponent") // never compared; a list of Long would cost every workload dearly
    record ReadList(long key, long[] elements) implements MicroOp {}

    /** Writes a version, unique for the key. */
    record Write(long key, long version, Previous previous) implements MicroOp {}

    /** Deletes the key and leaves a tombstone of a version, unique for the key. */
    record Delete(long key, long version, Previous previous) implements MicroOp {}

    /** Reads the version of the key. */
    record Read(long key, Seen seen) implements MicroOp {}

    /**
     * Looks for a row and finds none, in its bucket at that version; {@link #NEVER} if the bucket was never written.
     */
    record NotFound(long key, long bucket, long bucketVersion) implements MicroOp {}

    /** Inserts a row that did not exist. Version is also the bucket's new version, which replaces the replaced one. */
    record Insert(long key, long version, long bucket, long replaced) implements MicroOp {}

    /**
     * Removes the row of the previous version. Version is also the bucket's new one, which replaces the replaced one.
     */
    record Remove(long key, long version, long previous, long bucket, long replaced) implements MicroOp {}

    /**
     * Splits a bucket: some of its rows move to another bucket, with their versions. Version is the new version of both
     * buckets. It replaces {@code replaced} of the first one and {@code replacedThere} of the second.
     */
    record Split(long bucket, long version, long replaced, long to, long replacedThere) implements MicroOp {
        /** Returns the bucket: a split is of no key. */
        @Override
        public long key() {
            return bucket;
        }
    }

    /**
     * Puts the version of a row that this transaction writes before, under the same key, at a position of an index. A
     * version that has no position in an index is not in it. Every row is at its key in the {@link #KEY_ORDER}.
     */
    record Entry(long key, long index, long position) implements MicroOp {}

    /**
     * Reads the rows of an index from one position through another one, both inclusive. Rows at one position are in the
     * order of their keys.
     *
     * @param from {@link Long#MIN_VALUE} if the range has no beginning
     * @param through {@link Long#MAX_VALUE} if it has no end
     * @param isReversed whether it begins at the greatest position
     * @param limit after which number of rows it ends; {@link Long#MAX_VALUE} for none
     * @param rows those that it returned, in their order; null before it has been read
     */
    record Range(long index, long from, long through, boolean isReversed, long limit, List<RangeRow> rows)
            implements MicroOp {
        public Range {
            rows = rows == null ? null : List.copyOf(rows);
        }

        /** Returns the index: a range read is of no key. */
        @Override
        public long key() {
            return index;
        }
    }

    /**
     * A row that a range read returned.
     *
     * @param seen the version; {@link Seen#NOTHING} if only the entry of the index was read
     * @param position in the index
     */
    record RangeRow(long key, Seen seen, long position) {}

    /** The number of the index that has the rows of all keys, each at its key. */
    long KEY_ORDER = 0;

    /** The version of a bucket that was never written. */
    long NEVER = 0;

    /** The version that a write replaced. */
    sealed interface Previous {
        /** The write did not read the version. */
        Previous UNKNOWN = new Unknown();
        /** The key had never existed. */
        Previous NONE = new None();

        /** A version was replaced. */
        record Version(long version) implements Previous {}

        /** See {@link #UNKNOWN}. */
        record Unknown() implements Previous {}

        /** See {@link #NONE}. */
        record None() implements Previous {}
    }

    /** The result of a read. */
    sealed interface Seen {
        /** It has not been read yet, or the key had never existed. */
        Seen NOTHING = new Nothing();
        /** The key did not exist, and the reader cannot tell whether it ever had. */
        Seen ABSENT = new Absent();

        /** A version, which may be a tombstone. */
        record Version(long version) implements Seen {}

        /** See {@link #NOTHING}. */
        record Nothing() implements Seen {}

        /** See {@link #ABSENT}. */
        record Absent() implements Seen {}
    }

    /** Appends an element to the list of the key. */
    static MicroOp append(long key, long element) {
        return new Append(key, element);
    }

    /** Returns a read of a list or a register that is still to be done. */
    static MicroOp read(long key) {
        return new Read(key, Seen.NOTHING);
    }

    /** Returns a list that was read. */
    static MicroOp readList(long key, long... elements) {
        return new ReadList(key, elements);
    }

    /** Returns a version that was read. */
    static MicroOp readVersion(long key, long version) {
        return new Read(key, new Seen.Version(version));
    }

    /** Writes a version over one that is not known. */
    static MicroOp write(long key, long version) {
        return new Write(key, version, Previous.UNKNOWN);
    }

    /** Writes a version over another. */
    static MicroOp write(long key, long version, long previous) {
        return new Write(key, version, new Previous.Version(previous));
    }
}
