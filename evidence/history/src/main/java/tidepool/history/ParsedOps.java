package tidepool.history;

/**
 * The operations of the line that is being read. They are kept here until the whole line is known, because the type may
 * come after the value, and it decides what the reads prove.
 *
 * <p>Operations on buckets are sorted to the ends: a bucket is read before anything is changed, and gets one new
 * version however many rows are inserted and removed.
 */
final class ParsedOps {
    private static final byte SEEN_BUCKET = 0;
    private static final byte OPERATION = 1;
    private static final byte CHANGED_BUCKET = 2;

    private final ByteColumn parts = new ByteColumn();
    private final ByteColumn kinds = new ByteColumn();
    private final IntColumn keys = new IntColumn();
    private final LongColumn values = new LongColumn();
    private final ByteColumn previousKinds = new ByteColumn();
    private final LongColumn previous = new LongColumn();
    private final IntColumn buckets = new IntColumn();
    private final LongColumn elements = new LongColumn();
    private final Ranges ranges = new Ranges();
    private boolean hasBuckets;

    void clear() {
        parts.clear();
        kinds.clear();
        keys.clear();
        values.clear();
        previousKinds.clear();
        previous.clear();
        buckets.clear();
        elements.clear();
        ranges.clear();
        hasBuckets = false;
    }

    void add(byte kind, int key, long value, byte previousKind, long replaced) {
        add(OPERATION, kind, key, value, previousKind, replaced, Ops.NO_BUCKET);
    }

    /** Adds a list that was read: its elements are those added since {@link #elementCount} was {@code from}. */
    void addList(int key, int from) {
        int count = elements.size() - from;
        if (count == 0) add(Ops.READ_NONE, key, 0, Ops.PREVIOUS_UNKNOWN, 0);
        else add(Ops.READ_LIST, key, Ops.list(from, count), Ops.PREVIOUS_UNKNOWN, 0);
    }

    void addElement(long element) {
        elements.add(element);
    }

    int elementCount() {
        return elements.size();
    }

    /** Adds a row that was not found in its bucket. */
    void addNotFound(int key, int bucket, long bucketVersion) {
        add(OPERATION, Ops.READ_GONE, key, bucketVersion, Ops.PREVIOUS_UNKNOWN, 0, bucket);
        byte kind = bucketVersion == MicroOp.NEVER ? Ops.READ_NONE : Ops.READ_VERSION;
        if (!has(SEEN_BUCKET, bucket, bucketVersion))
            add(SEEN_BUCKET, kind, bucket, bucketVersion, Ops.PREVIOUS_UNKNOWN, 0, Ops.NO_BUCKET);
    }

    /** Adds a row that was inserted or removed, and with it a version of its bucket. */
    void addChange(byte kind, int key, long version, byte previousKind, long replaced, int bucket, long inBucket) {
        add(OPERATION, kind, key, version, previousKind, replaced, bucket);
        addBucket(bucket, version, inBucket, Ops.NO_BUCKET);
    }

    /** Adds a split: a version of each of its two buckets. */
    void addSplit(long version, int from, long replaced, int to, long replacedThere) {
        addBucket(from, version, replaced, Ops.NO_BUCKET);
        addBucket(to, version, replacedThere, from);
    }

    /** Adds the position of a row in an index. Returns false if the line has no write of the row before it. */
    boolean addEntry(int key, int index, long position) {
        boolean isWritten = false;
        for (int i = 0; i < kinds.size(); i++) isWritten |= kinds.at(i) <= Ops.DELETE && keys.at(i) == key;
        if (isWritten) add(OPERATION, Ops.ENTRY, index, position, Ops.PREVIOUS_UNKNOWN, 0, key);
        return isWritten;
    }

    /** Adds a range read, whose rows were added to {@link #ranges} after the range. */
    void addRange(int index, int range) {
        add(Ops.RANGE, index, range, Ops.PREVIOUS_UNKNOWN, 0);
        for (int row = ranges.firstRow(range); row < ranges.endRow(range); row++)
            if (ranges.hasVersion(row))
                add(Ops.READ_VERSION, ranges.key(row), ranges.version(row), Ops.PART_OF_RANGE, 0);
    }

    /** Returns the range reads of the line. */
    Ranges ranges() {
        return ranges;
    }

    private void addBucket(int bucket, long version, long replaced, int splitFrom) {
        byte before = replaced == MicroOp.NEVER ? Ops.PREVIOUS_NONE : Ops.PREVIOUS_KNOWN;
        if (!has(CHANGED_BUCKET, bucket, version))
            add(CHANGED_BUCKET, Ops.WRITE, bucket, version, before, replaced, splitFrom);
    }

    private boolean has(byte part, int bucket, long version) {
        for (int i = 0; i < parts.size(); i++)
            if (parts.at(i) == part && keys.at(i) == bucket && values.at(i) == version) return true;
        return false;
    }

    private void add(byte part, byte kind, int key, long value, byte previousKind, long replaced, int bucket) {
        parts.add(part);
        kinds.add(kind);
        keys.add(key);
        values.add(value);
        previousKinds.add(previousKind);
        previous.add(replaced);
        buckets.add(bucket);
        hasBuckets |= part != OPERATION;
    }

    /**
     * Copies what the line proves. An {@code ok} proves everything. An invocation proves what was to be written, and
     * what had been read if it says so. Other types prove only what was to be written.
     */
    void keep(byte type, Ops ops, Branches branches, Ranges kept) {
        if (hasBuckets) keep(SEEN_BUCKET, type, ops, branches, kept);
        keep(OPERATION, type, ops, branches, kept);
        if (hasBuckets) keep(CHANGED_BUCKET, type, ops, branches, kept);
    }

    private void keep(byte part, byte type, Ops ops, Branches branches, Ranges kept) {
        for (int i = 0; i < kinds.size(); i++) {
            if (parts.at(i) != part) continue;
            byte kind = kinds.at(i);
            long value = values.at(i);
            if (kind >= Ops.READ_LIST && !proves(type, kind, part)) {
                kind = Ops.UNREAD;
                value = 0;
            } else if (kind == Ops.READ_LIST) {
                int count = (int) value;
                int branch = branches.place(keys.at(i), elements.raw(), (int) (value >>> 32), count, ops.count());
                value = Ops.list(branch, count);
            } else if (kind == Ops.RANGE) {
                value = kept.add(ranges, (int) value);
            }
            ops.add(kind, keys.at(i), value, previousKinds.at(i), previous.at(i), buckets.at(i));
        }
    }

    private static boolean proves(byte type, byte readKind, byte part) {
        if (type == EventParser.OK || readKind == Ops.ENTRY) return true;
        boolean said = part == SEEN_BUCKET
                || readKind == Ops.READ_VERSION
                || readKind == Ops.READ_GONE
                || readKind == Ops.RANGE;
        return type == EventParser.INVOKE && said;
    }
}
