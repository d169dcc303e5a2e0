package tidepool.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tidepool.PoolListener;
import tidepool.RecoveryReport;
import tidepool.protocol.Reconfiguration;
import tidepool.sim.Simulation;
import tidepool.spi.StewardListener;
import tidepool.store.Roster;

/**
 * Notes on the handling of a fault, with times: a line for each recovery, and for each step of a reconfiguration of the
 * memory nodes.
 */
final class FaultNotes {
    private final String series;
    private final List<String> notes = new ArrayList<>();
    private Simulation simulation;
    private long faultNanos = Long.MAX_VALUE;

    FaultNotes(String series) {
        this.series = series;
    }

    /** Called when the time of the fault is known. */
    void begin(Simulation of, long nanos) {
        simulation = of;
        faultNanos = nanos;
    }

    List<String> all() {
        return notes;
    }

    private void add(String what) {
        if (simulation == null || simulation.nowNanos() < faultNanos) return;
        double millis = (simulation.nowNanos() - faultNanos) / (double) Timeline.MILLI;
        notes.add(String.format(Locale.ROOT, "%s: after %.1f ms %s", series, millis, what));
    }

    PoolListener ofRecoveries() {
        return new PoolListener() {
            @Override
            public void recovered(RecoveryReport done) {
                add("a session of " + done.coordinators() + " coordinators is recovered, in " + done.nanos() / 1000
                        + " µs: "
                        + done.finished() + " finished, " + done.undone() + " undone, " + done.locksFreed()
                        + " locks without a log");
            }
        };
    }

    StewardListener ofNodes() {
        return new StewardListener() {
            @Override
            public void changing(Roster to) {
                add("the nodes begin to change");
            }

            @Override
            public void changed(Roster to, Reconfiguration.Report done) {
                add(String.format(
                        Locale.ROOT,
                        "others may come in; everybody was shut out in %.1f ms, %d logs resolved in %.1f ms: %d"
                                + " finished, %d"
                                + " undone",
                        done.shutOutNanos() / 1e6,
                        done.logs(),
                        done.resolveNanos() / 1e6,
                        done.finished(),
                        done.undone()));
            }

            @Override
            public void filled(Roster of, int partition, long copied) {
                add("the new copy is whole, with " + copied + " objects");
            }
        };
    }
}
