package tidepool.verbs;

import tidepool.fabric.Link;
import tidepool.fabric.Round;
import tidepool.sim.ReferenceRecord.View;

/**
 * Rules that a correct client follows. The model relies on each of these; tests plant a bug by overriding one, and show
 * that it is caught.
 */
public class ClientRules {
    /** Rules that are all followed, unless a subclass overrides some. */
    public ClientRules() {}

    /** Fences the link: the next verb on it must not overtake the READs and atomics before it. */
    protected void fence(Round round, Link link) {
        round.fence(link);
    }

    /** Flushes the link: what was written on it before must survive a power failure once this is acknowledged. */
    protected void flush(Round round, Link link) {
        round.flush(link);
    }

    /** Whether a lock may be taken from its owner: only when nothing of the owner can land any more. */
    protected boolean mayTakeOver(boolean ownerIsRevokedEverywhere, boolean ownerHasDied) {
        return ownerIsRevokedEverywhere;
    }

    /** Whether a record that was read without a lock may be used. */
    protected boolean accepts(View view) {
        return view == View.WHOLE;
    }

    /** Whether a revocation is needed at this node, of {@code nodes} in all. */
    protected boolean revokesAt(int node, int nodes) {
        return true;
    }
}
