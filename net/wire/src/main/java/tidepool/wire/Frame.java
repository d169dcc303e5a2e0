package tidepool.wire;

/**
 * Constants and header fields of frames; {@code docs/internals/wire.md} explains them. Offsets are bytes into a frame.
 *
 * <pre>
 *   0        4     5       6       8       12         16
 *   | bytes  |kind |status | count | link  | sequence | body ...
 * </pre>
 */
public final class Frame {
    /** The version of the wire that this program uses. A peer with another version is refused. */
    public static final int VERSION = 3;

    /** {@code TIDEPOOL}, the first eight bytes of a HELLO's body. */
    public static final long MAGIC = 0x4c4f4f5045444954L;

    public static final int BYTES = 0;
    public static final int KIND = 4;
    public static final int STATUS = 5;
    public static final int COUNT = 6;
    public static final int LINK = 8;
    public static final int SEQUENCE = 12;
    public static final int HEADER = 16;

    public static final int HELLO = 1;
    public static final int CHALLENGE = 2;
    public static final int PROOF = 3;
    public static final int WELCOME = 4;
    public static final int REFUSED = 5;
    public static final int ROUND = 6;
    public static final int ANSWER = 7;
    public static final int CONTROL = 8;
    public static final int REPLY = 9;
    public static final int SUSPECTS = 10;
    public static final int BEAT = 11;
    public static final int GOODBYE = 12;

    /**
     * The status of an ANSWER on a link that is broken or was never opened; other statuses are those of
     * {@code AccessCode}.
     */
    public static final int BROKEN = 255;

    public static final int NONCE_BYTES = 32;
    public static final int PROOF_BYTES = 32;
    public static final int MAX_NAME_BYTES = 64;

    /** Maximum bytes of an identity: a node's name, and which life of the node it is. */
    public static final int MAX_IDENTITY_BYTES = 96;

    /** Maximum bytes of a frame of the handshake. Unauthenticated clients cannot send larger frames. */
    public static final int MAX_HANDSHAKE_BYTES = 1024;

    public static final int MAX_VERBS = 0xffff;

    private Frame() {}

    /** Rounds up to whole words. */
    public static long padded(long bytes) {
        return (bytes + 7) & ~7L;
    }

    /** Returns the first word of a header. */
    public static long head(long bytes, int kind, int status, int count) {
        return bytes & 0xffffffffL | (long) kind << 32 | (long) status << 40 | (long) count << 48;
    }

    /** Returns the second word of a header. */
    public static long tail(int link, int sequence) {
        return link & 0xffffffffL | (long) sequence << 32;
    }

    // ---- fields of the two header words

    public static int bytes(long head) {
        return (int) head;
    }

    public static int kind(long head) {
        return (int) (head >>> 32) & 0xff;
    }

    public static int status(long head) {
        return (int) (head >>> 40) & 0xff;
    }

    public static int count(long head) {
        return (int) (head >>> 48);
    }

    public static int link(long tail) {
        return (int) tail;
    }

    public static int sequence(long tail) {
        return (int) (tail >>> 32);
    }
}
