package tidepool.tcp;

import tidepool.base.Id128;
import tidepool.tcp.secure.Rights;

/** What a node says to those it lets in. */
record Welcome(
        String node,
        Id128 pool,
        long epoch,
        int frameBytes,
        int mostOutstanding,
        long leaseNanos,
        Rights rights,
        boolean keepsFlushed) {}
