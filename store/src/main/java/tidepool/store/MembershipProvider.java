package tidepool.store;

import tidepool.fabric.FabricUrl;

/** Names a place where rosters are kept, and opens it; found by {@link java.util.ServiceLoader}. */
public interface MembershipProvider {
    /** What stands before the colon of the URL. */
    String scheme();

    /**
     * Opens the pool's place. Unknown or ill-formed parameters are an {@link IllegalArgumentException} with one sentence; a
     * place that cannot be reached, or that has no such pool, is a {@link tidepool.fabric.FabricException}.
     *
     * @param url with all that is not about the fabric too: the first who opens a pool may make it
     */
    Membership open(FabricUrl url);
}
