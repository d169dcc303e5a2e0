package tidepool.wire;

/** The status codes of a REFUSED frame: why the node closes the connection. */
public final class RefusedCode {
    /** The client uses another version of the wire. */
    public static final int VERSION = 1;

    /** Wrong name, token or certificate. The node does not tell which. */
    public static final int CREDENTIALS = 2;

    /** No right to this pool. */
    public static final int RIGHT = 3;

    /** The pool is another one, or this node has another number in it. */
    public static final int POOL = 4;

    /** Too many connections, or too many unanswered rounds. */
    public static final int LIMIT = 5;

    /** The session of this connection was revoked. */
    public static final int REVOKED = 6;

    /** A frame that breaks the rules. */
    public static final int MALFORMED = 7;

    /** Too slow: the handshake was not done in time, or answers were not read. */
    public static final int TOO_SLOW = 8;

    /** The node is shutting down. */
    public static final int STOPPING = 9;

    /** The client's credentials were withdrawn while the connection was open. */
    public static final int WITHDRAWN = 10;

    /** The roster that the client knows is older than the one of this node, or newer and the client is no admin. */
    public static final int ROSTER = 11;

    /** The client addresses another node, or another life of this node. */
    public static final int IDENTITY = 12;

    private RefusedCode() {}
}
