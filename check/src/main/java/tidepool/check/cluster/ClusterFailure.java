package tidepool.check.cluster;

/** A simulated cluster did something that it must not do. */
public final class ClusterFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClusterFailure(String what) {
        super(what);
    }

    ClusterFailure(String what, Throwable cause) {
        super(what, cause);
    }
}
