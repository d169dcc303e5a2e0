package tidepool.tcp.node;

import tidepool.tcp.wire.RefusedCode;

/** A connection goes no further: the code of a REFUSED frame, and its sentence. */
final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final int code;

    Refused(int code, String sentence) {
        super(sentence, null, false, false);
        this.code = code;
    }

    static Refused malformed(String sentence) {
        return new Refused(RefusedCode.MALFORMED, sentence);
    }

    int code() {
        return code;
    }
}
