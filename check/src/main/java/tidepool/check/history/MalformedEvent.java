package tidepool.check.history;

/** Says what is wrong with an event, to somebody who still knows on which line it stands. */
final class MalformedEvent extends Exception {
    private static final long serialVersionUID = 1;

    MalformedEvent(String problem) {
        // Without a trace: it ends as one sentence for a person.
        super(problem, null, false, false);
    }
}
