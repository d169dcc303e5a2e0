package tidepool.check.history;

/**
 * The operations of the line that is being read. They wait here until the whole line is known, because the type may
 * stand behind the value, and only an {@code ok} proves what was read.
 */
final class ParsedOps {
    private final ByteColumn kinds = new ByteColumn();
    private final IntColumn keys = new IntColumn();
    private final LongColumn values = new LongColumn();
    private final ByteColumn previousKinds = new ByteColumn();
    private final LongColumn previous = new LongColumn();
    private final LongColumn elements = new LongColumn();

    void clear() {
        kinds.clear();
        keys.clear();
        values.clear();
        previousKinds.clear();
        previous.clear();
        elements.clear();
    }

    int count() {
        return kinds.size();
    }

    void add(byte kind, int key, long value, byte previousKind, long replaced) {
        kinds.add(kind);
        keys.add(key);
        values.add(value);
        previousKinds.add(previousKind);
        previous.add(replaced);
    }

    /** A list that was read: its elements are those added since {@link #elementCount} was {@code from}. */
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

    /** Copies what the line proves: everything if it is {@code ok}, otherwise only what was to be written. */
    void keep(boolean readsCount, Ops ops, Branches branches) {
        for (int i = 0; i < kinds.size(); i++) {
            byte kind = kinds.at(i);
            long value = values.at(i);
            if (kind >= Ops.READ_LIST && !readsCount) {
                kind = Ops.UNREAD;
                value = 0;
            } else if (kind == Ops.READ_LIST) {
                int count = (int) value;
                int branch = branches.place(keys.at(i), elements.raw(), (int) (value >>> 32), count, ops.count());
                value = Ops.list(branch, count);
            }
            ops.add(kind, keys.at(i), value, previousKinds.at(i), previous.at(i));
        }
    }
}
