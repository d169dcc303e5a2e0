package tidepool.tcp;

import tidepool.base.Id128;
import tidepool.wire.FlushGuarantee;
import tidepool.wire.tls.Rights;

/** The contents of a WELCOME frame, which a node sends to an authenticated client. */
record WelcomeMessage(
        String node,
        Id128 pool,
        long epoch,
        int frameBytes,
        int maxOutstanding,
        long leaseNanos,
        Rights rights,
        FlushGuarantee guarantee) {
    boolean keepsFlushed() {
        return guarantee != FlushGuarantee.NOTHING;
    }

    boolean keepsInOrder() {
        return guarantee != FlushGuarantee.POWER_IN_ANY_ORDER;
    }
}
