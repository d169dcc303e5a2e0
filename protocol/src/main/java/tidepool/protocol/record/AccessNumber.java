package tidepool.protocol.record;

/**
 * The number that a declaration returns: the index of its access, what was declared, and what the transaction had
 * made of the key before. The first declaration of an access has the index as its number.
 *
 * <pre>
 *     31 … 16                                     15 … 0
 *     0, or 1 + presence * 5 + kind               index of the access
 * </pre>
 */
final class AccessNumber {
    /** Whether the key is there is for the pool to say: the transaction has neither made nor deleted it. */
    static final int AS_IN_POOL = 0;

    /** The transaction has made the key, or would have refused to. */
    static final int PRESENT = 1;

    /** The transaction has deleted the key. */
    static final int ABSENT = 2;

    private static final int INDEX_BITS = 16;
    private static final Access.Kind[] KINDS = Access.Kind.values();

    private AccessNumber() {}

    static int of(int index, Access.Kind kind, int presence) {
        return 1 + presence * KINDS.length + kind.ordinal() << INDEX_BITS | index;
    }

    static int index(int number) {
        return number & (1 << INDEX_BITS) - 1;
    }

    /** What was declared; {@code first} is what the first declaration of the access was. */
    static Access.Kind kind(int number, Access.Kind first) {
        int code = number >>> INDEX_BITS;
        return code == 0 ? first : KINDS[(code - 1) % KINDS.length];
    }

    /** What the transaction had made of the key before the declaration. */
    static int presence(int number) {
        int code = number >>> INDEX_BITS;
        return code == 0 ? AS_IN_POOL : (code - 1) / KINDS.length;
    }

    /** What the transaction has made of the key after a declaration. */
    static int after(Access.Kind kind, int presence) {
        return switch (kind) {
            case READ, UPDATE -> presence;
            case INSERT, PUT -> PRESENT;
            case DELETE -> ABSENT;
        };
    }
}
