package tidepool;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import tidepool.protocol.AbortReason;
import tidepool.protocol.Recovery;
import tidepool.protocol.Txn;

/** What has become of the transactions of this process. */
public final class Statistics {
    private final AtomicLong commits = new AtomicLong();
    private final AtomicLongArray aborts = new AtomicLongArray(AbortReason.values().length);
    private final AtomicLong recoveries = new AtomicLong();

    Statistics() {}

    public long commits() {
        return commits.get();
    }

    public long aborts(AbortReason reason) {
        return aborts.get(reason.ordinal());
    }

    public long aborts() {
        long sum = 0;
        for (int i = 0; i < aborts.length(); i++) sum += aborts.get(i);
        return sum;
    }

    /** Sessions of others that this process has recovered. */
    public long recoveries() {
        return recoveries.get();
    }

    void ended(Txn txn, boolean committed) {
        if (committed) commits.incrementAndGet();
        else if (txn.abortReason() != null)
            aborts.incrementAndGet(txn.abortReason().ordinal());
    }

    void recovered(Recovery.Report report) {
        recoveries.incrementAndGet();
    }
}
