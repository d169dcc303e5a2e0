package tidepool.clusters;

/** A violation found in a simulated cluster. */
public final class ClusterFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ClusterFailure(String what) {
        super(what);
    }

    public ClusterFailure(String what, Throwable cause) {
        super(what, cause);
    }
}
