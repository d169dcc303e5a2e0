package tidepool.tcp;

import tidepool.base.Id128;
import tidepool.tcp.secure.Rights;
import tidepool.tcp.wire.Outlasts;

/** What a node says to those it lets in. */
record Welcome(
        String node,
        Id128 pool,
        long epoch,
        int frameBytes,
        int mostOutstanding,
        long leaseNanos,
        Rights rights,
        Outlasts outlasts) {
    boolean keepsFlushed() {
        return outlasts != Outlasts.NOTHING;
    }

    boolean keepsInOrder() {
        return outlasts != Outlasts.POWER_IN_ANY_ORDER;
    }
}
