package tidepool.workload.recorded;

import java.util.EnumMap;
import java.util.Map;
import tidepool.Tidepool;
import tidepool.protocol.AbortReason;
import tidepool.workload.Facts;
import tidepool.workload.Tally;

/** What a run has come to; several can be added up. */
final class Progress {
    final Tally tally;
    final Facts facts = new Facts();
    final RecoveryTally recoveries = new RecoveryTally();
    private final Map<AbortReason, Long> aborts = new EnumMap<>(AbortReason.class);

    Progress(String workload) {
        tally = new Tally(workload);
    }

    /** Notes why attempts of this process were aborted. */
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
