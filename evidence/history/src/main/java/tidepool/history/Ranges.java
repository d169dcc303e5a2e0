package tidepool.history;

/** The range reads of a history in columns, with the rows that they returned; see {@link MicroOp.Range}. */
final class Ranges {
    private final LongColumn froms = new LongColumn();
    private final LongColumn throughs = new LongColumn();
    private final ByteColumn reversed = new ByteColumn();
    private final LongColumn limits = new LongColumn();
    private final IntColumn firstRows = new IntColumn();

    private final IntColumn keys = new IntColumn();
    private final ByteColumn hasVersions = new ByteColumn();
    private final LongColumn versions = new LongColumn();
    private final LongColumn positions = new LongColumn();

    void clear() {
        froms.clear();
        throughs.clear();
        reversed.clear();
        limits.clear();
        firstRows.clear();
        keys.clear();
        hasVersions.clear();
        versions.clear();
        positions.clear();
    }

    /** Adds a range read, to which rows are added next. */
    int add(long from, long through, boolean isReversed, long limit) {
        froms.add(from);
        throughs.add(through);
        reversed.add((byte) (isReversed ? 1 : 0));
        limits.add(limit);
        firstRows.add(keys.size());
        return froms.size() - 1;
    }

    void addRow(int key, boolean hasVersion, long version, long position) {
        keys.add(key);
        hasVersions.add((byte) (hasVersion ? 1 : 0));
        versions.add(version);
        positions.add(position);
    }

    /** Adds a copy of a range read. */
    int add(Ranges other, int range) {
        int added = add(other.from(range), other.through(range), other.isReversed(range), other.limit(range));
        for (int row = other.firstRow(range); row < other.endRow(range); row++)
            addRow(other.key(row), other.hasVersion(row), other.version(row), other.position(row));
        return added;
    }

    int count() {
        return froms.size();
    }

    /** Returns the first position, inclusive. */
    long from(int range) {
        return froms.at(range);
    }

    /** Returns the last position, inclusive. */
    long through(int range) {
        return throughs.at(range);
    }

    boolean isReversed(int range) {
        return reversed.at(range) == 1;
    }

    long limit(int range) {
        return limits.at(range);
    }

    int firstRow(int range) {
        return firstRows.at(range);
    }

    int endRow(int range) {
        return range + 1 < firstRows.size() ? firstRows.at(range + 1) : keys.size();
    }

    /** Whether it ended at its limit, so that it says nothing of what comes after its last row. */
    boolean isFull(int range) {
        return endRow(range) - firstRow(range) >= limit(range);
    }

    // ---- rows

    int key(int row) {
        return keys.at(row);
    }

    /** Whether the row was read, and not only its entry in the index. */
    boolean hasVersion(int row) {
        return hasVersions.at(row) == 1;
    }

    long version(int row) {
        return versions.at(row);
    }

    long position(int row) {
        return positions.at(row);
    }
}
