package tidepool.node;

import tidepool.wire.RefusedCode;

/** Thrown when a connection is refused. It has the code and the text of the REFUSED frame. */
final class ConnectionRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int code;

    ConnectionRefusedException(int code, String sentence) {
        super(sentence, null, false, false);
        this.code = code;
    }

    static ConnectionRefusedException malformed(String sentence) {
        return new ConnectionRefusedException(RefusedCode.MALFORMED, sentence);
    }

    int code() {
        return code;
    }
}
