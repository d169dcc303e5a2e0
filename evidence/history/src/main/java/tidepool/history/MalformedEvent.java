package tidepool.history;

/** Thrown for a wrong event, to a caller that still knows the line number. */
final class MalformedEvent extends Exception {
    private static final long serialVersionUID = 1;

    MalformedEvent(String problem) {
        // Without a stack trace: it ends as one readable sentence.
        super(problem, null, false, false);
    }
}
