package tidepool.history;

/**
 * All micro-operations of a history, in columns.
 *
 * <pre>
 *   kind          value                          previous                                   bucket
 *   APPEND        the element                    -
 *   WRITE         the new version                the version it replaced, if known          of an insert; or see below
 *   DELETE        the version of the tombstone   the version it replaced, if known          of a row
 *   READ_LIST     branch and length              -
 *   READ_VERSION  the version seen               -
 *   READ_NONE     - (never existed, or [])       -
 *   READ_ABSENT   - (gone, or never existed)     -
 *   READ_GONE     the bucket's version, 0: none  -                                          the row was not found in
 *   UNREAD        - (what it saw is not known)   -
 *   RANGE         its number in {@link Ranges}   -
 *   ENTRY         the position of the row        -                                          the row, which is no bucket
 * </pre>
 *
 * The key of RANGE and ENTRY is the index. The rows of a RANGE follow as READ_VERSIONs that are {@link #PART_OF_RANGE}.
 *
 *
 * Changes and reads of a bucket are operations of their own, as if the bucket were a register: READ_VERSION or
 * READ_NONE for a transaction that did not find a row in it, WRITE for one that inserted or removed a row. A split
 * WRITEs two buckets; the one of the new bucket has the bucket that was split.
 */
final class Ops {
    static final byte APPEND = 0;
    static final byte WRITE = 1;
    static final byte DELETE = 2;
    static final byte READ_LIST = 3;
    static final byte READ_VERSION = 4;
    static final byte READ_NONE = 5;
    static final byte READ_ABSENT = 6;
    static final byte READ_GONE = 7;
    static final byte UNREAD = 8;
    static final byte RANGE = 9;
    static final byte ENTRY = 10;

    static final byte PREVIOUS_UNKNOWN = 0;
    static final byte PREVIOUS_NONE = 1;
    static final byte PREVIOUS_KNOWN = 2;
    /** A row that did not exist; its bucket determines which of its absences was replaced. */
    static final byte PREVIOUS_ABSENT = 3;
    /** A read that a range read before it has made. */
    static final byte PART_OF_RANGE = 4;

    static final int NO_BUCKET = -1;

    private final ByteColumn kinds = new ByteColumn();
    private final IntColumn keys = new IntColumn();
    private final LongColumn values = new LongColumn();
    private final ByteColumn previousKinds = new ByteColumn();
    private final LongColumn previous = new LongColumn();
    private final IntColumn buckets = new IntColumn();

    int add(byte kind, int key, long value, byte previousKind, long replaced, int bucket) {
        kinds.add(kind);
        keys.add(key);
        values.add(value);
        previousKinds.add(previousKind);
        previous.add(replaced);
        buckets.add(bucket);
        return kinds.size() - 1;
    }

    static long list(int branch, int length) {
        return (long) branch << 32 | length;
    }

    int count() {
        return kinds.size();
    }

    byte kind(int op) {
        return kinds.at(op);
    }

    boolean isWrite(int op) {
        return kinds.at(op) <= DELETE;
    }

    /** Whether it is a row that a range read has returned. */
    boolean isPartOfRange(int op) {
        return previousKinds.at(op) == PART_OF_RANGE;
    }

    int key(int op) {
        return keys.at(op);
    }

    long value(int op) {
        return values.at(op);
    }

    int branch(int op) {
        return (int) (values.at(op) >>> 32);
    }

    int length(int op) {
        return (int) values.at(op);
    }

    byte previousKind(int op) {
        return previousKinds.at(op);
    }

    long previous(int op) {
        return previous.at(op);
    }

    /**
     * Returns the bucket whose set of rows the operation changed or read, or that was split into the bucket that it
     * wrote; or {@link #NO_BUCKET}.
     */
    int bucket(int op) {
        return buckets.at(op);
    }
}
