package tidepool.protocol.ordered;

/** A change of one entry of an ordered index, on its way to the leaf. Objects are used again. */
public final class EntryChange {
    /** The kinds of changes. */
    public enum Kind {
        /** Removes an entry, which has to be there. */
        LEAVE,
        /** Looks for an entry with the same columns, and keeps others from entering one. */
        CHECK,
        /** Makes an entry, which must not be there. */
        ENTER
    }

    static final int NONE = -1;

    Kind kind;
    OrderedIndex index;

    /** The entry. */
    byte[] key;

    int from;

    /** For {@link Kind#CHECK}: where the entry begins that is about to be made. It may be there already. */
    int own;

    /** Whether the entry may be there already, or not be there: rows of before are still being entered. */
    boolean isLenient;

    /** The leaf was found and locked; what is left is the change itself. */
    boolean mayChange;

    boolean isDone;

    /** For {@link Kind#CHECK}: there is another entry with the same columns. */
    boolean isTaken;

    // ---- for the index: the node that is read or locked
    long node;
    int access;
    boolean isLocked;
    boolean makesRoot;
    boolean fromLeft; // it was reached from its left neighbour
    byte[] reached = {}; // where the left neighbour ends
    int hops;
    int steps;

    void set(Kind next, OrderedIndex of, byte[] bytes, int at, boolean lenient) {
        kind = next;
        index = of;
        key = bytes;
        from = at;
        isLenient = lenient;
        mayChange = false;
        isDone = false;
        isTaken = false;
        node = 0;
        access = NONE;
        isLocked = false;
        makesRoot = false;
        fromLeft = false;
        hops = 0;
        steps = 0;
    }
}
