package tidepool.workload.recorded;

import java.util.EnumMap;
import java.util.Map;
import tidepool.Tidepool;
import tidepool.txn.AbortReason;
import tidepool.workload.EventCounts;
import tidepool.workload.TxnTally;

/** The totals of a run so far; several can be added up. */
final class RunProgress {
    final TxnTally tally;
    final EventCounts eventCounts = new EventCounts();
    final RecoveryTally recoveries = new RecoveryTally();
    private final Map<AbortReason, Long> aborts = new EnumMap<>(AbortReason.class);

    RunProgress(String workload) {
        tally = new TxnTally(workload);
    }

    /** Adds the aborts of this process, by reason. */
    void addAborts(Tidepool pool) {
        for (AbortReason reason : AbortReason.values())
            addAborts(reason, pool.statistics().aborts(reason));
    }

    void addAborts(AbortReason reason, long count) {
        if (count > 0) aborts.merge(reason, count, Long::sum);
    }

    Map<AbortReason, Long> aborts() {
        return aborts;
    }
}
