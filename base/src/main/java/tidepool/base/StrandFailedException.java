package tidepool.base;

/** The body of a strand threw, and nobody had asked to be told in another way. The cause is what it threw. */
public final class StrandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StrandFailedException(Strand strand, Throwable thrown) {
        super("strand failed: strand=" + strand.name() + " id=" + strand.id(), thrown);
    }
}
