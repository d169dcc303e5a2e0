package tidepool.wire.tls;

/**
 * The rights of a client to a pool.
 *
 * @param read verbs that only read
 * @param write all verbs, sessions, regions, revocation
 * @param call handlers of the node
 * @param admin create pools; see the status of the whole node
 */
public record Rights(boolean read, boolean write, boolean call, boolean admin) {
    public static final Rights NONE = new Rights(false, false, false, false);
    public static final Rights ALL = new Rights(true, true, true, true);

    /** Returns the rights as they are sent: bit 0 read, 1 write, 2 call, 3 admin. */
    public long bits() {
        return (read ? 1 : 0) | (write ? 2 : 0) | (call ? 4 : 0) | (admin ? 8 : 0);
    }

    public static Rights ofBits(long bits) {
        return new Rights((bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0);
    }
}
