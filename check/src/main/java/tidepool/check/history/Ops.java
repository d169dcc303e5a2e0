package tidepool.check.history;

/**
 * All micro-operations of a history, in columns.
 *
 * <pre>
 *   kind          value                          previous
 *   APPEND        the element                    -
 *   WRITE         the new version                the version it replaced, if known
 *   DELETE        the version of the tombstone   the version it replaced, if known
 *   READ_LIST     branch and length              -
 *   READ_VERSION  the version seen               -
 *   READ_NONE     - (never existed, or [])       -
 *   READ_ABSENT   - (gone, or never existed)     -
 *   UNREAD        - (what it saw is not known)   -
 * </pre>
 */
final class Ops {
    static final byte APPEND = 0;
    static final byte WRITE = 1;
    static final byte DELETE = 2;
    static final byte READ_LIST = 3;
    static final byte READ_VERSION = 4;
    static final byte READ_NONE = 5;
    static final byte READ_ABSENT = 6;
    static final byte UNREAD = 7;

    static final byte PREVIOUS_UNKNOWN = 0;
    static final byte PREVIOUS_NONE = 1;
    static final byte PREVIOUS_KNOWN = 2;

    private final ByteColumn kinds = new ByteColumn();
    private final IntColumn keys = new IntColumn();
    private final LongColumn values = new LongColumn();
    private final ByteColumn previousKinds = new ByteColumn();
    private final LongColumn previous = new LongColumn();

    int add(byte kind, int key, long value, byte previousKind, long replaced) {
        kinds.add(kind);
        keys.add(key);
        values.add(value);
        previousKinds.add(previousKind);
        previous.add(replaced);
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
}
