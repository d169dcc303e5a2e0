package tidepool.store;

import tidepool.fabric.FabricUrl;

/** A provider of places where rosters are kept; found by {@link java.util.ServiceLoader}. */
public interface MembershipProvider {
    /** Returns the scheme of its URLs: the text before the colon. */
    String scheme();

    /**
     * Opens the place where the roster of a pool is kept. Unknown or ill-formed parameters are an
     * {@link IllegalArgumentException} with one sentence. A place that cannot be reached, or that has no such pool, is
     * a {@link tidepool.fabric.FabricException}.
     *
     * @param url includes parameters that do not concern the fabric, because the first process that opens a pool may
     *     make it
     */
    Membership open(FabricUrl url);
}
