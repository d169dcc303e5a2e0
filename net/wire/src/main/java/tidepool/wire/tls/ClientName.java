package tidepool.wire.tls;

/** The rule for names of clients and of pools in credentials. Such names are safe to print into a log line. */
public final class ClientName {
    private static final int MAX_LETTERS = 64;

    private ClientName() {}

    /** Returns whether a text is valid as the name of a client or a pool. */
    public static boolean isValid(String name) {
        if (name.isEmpty() || name.length() > MAX_LETTERS) return false;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (!letter && ".-_@".indexOf(c) < 0) return false;
        }
        return true;
    }
}
