package tidepool.protocol.record;

/**
 * The number that a declaration returns: the index of its access, the declared kind, and the presence of the key before
 * the declaration. The first declaration of an access has the index as its number.
 *
 * <pre>
 *     31 … 24                                     23 … 0
 *     0, or 1 + presence * 5 + kind               index of the access
 * </pre>
 */
final class AccessNumber {
    /** The pool decides whether the key exists: the transaction has neither created nor deleted it. */
    static final int AS_IN_POOL = 0;

    /** The key exists: the transaction has created it, or found that it exists already. */
    static final int PRESENT = 1;

    /** The transaction has deleted the key. */
    static final int ABSENT = 2;

    private static final int INDEX_BITS = 24;

    /** The number of a declaration for which there was no room. No access has this index. */
    static final int NONE = (1 << INDEX_BITS) - 1;

    private static final Access.Kind[] KINDS = Access.Kind.values();

    private AccessNumber() {}

    static int of(int index, Access.Kind kind, int presence) {
        return 1 + presence * KINDS.length + kind.ordinal() << INDEX_BITS | index;
    }

    static int index(int number) {
        return number & (1 << INDEX_BITS) - 1;
    }

    /** Returns the declared kind; {@code first} is the kind of the first declaration of the access. */
    static Access.Kind kind(int number, Access.Kind first) {
        int code = number >>> INDEX_BITS;
        return code == 0 ? first : KINDS[(code - 1) % KINDS.length];
    }

    /** Returns the presence of the key before the declaration, by this transaction. */
    static int presence(int number) {
        int code = number >>> INDEX_BITS;
        return code == 0 ? AS_IN_POOL : (code - 1) / KINDS.length;
    }

    /** Returns the presence of the key after a declaration. */
    static int after(Access.Kind kind, int presence) {
        return switch (kind) {
            case READ, UPDATE -> presence;
            case INSERT, PUT -> PRESENT;
            case DELETE -> ABSENT;
        };
    }
}
