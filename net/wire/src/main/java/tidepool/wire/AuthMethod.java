package tidepool.wire;

/** The methods by which clients authenticate. A node names its method in CHALLENGE. The numbers are on the wire. */
public final class AuthMethod {
    public static final int NONE = 0;
    public static final int TOKEN = 1;
    public static final int CERTIFICATE = 2;

    private AuthMethod() {}
}
