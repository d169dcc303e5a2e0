package tidepool.base;

/** The failure of a strand for which no handler was set. The cause is the exception of its body. */
public final class StrandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StrandFailedException(Strand strand, Throwable thrown) {
        super("strand failed: strand=" + strand.name() + " id=" + strand.id(), thrown);
    }
}
