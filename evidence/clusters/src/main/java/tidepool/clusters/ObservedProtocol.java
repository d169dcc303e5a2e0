package tidepool.clusters;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.Recovery;
import tidepool.protocol.ReplicaFill;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.protocol.record.SplitListener;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.FlushPolicy;
import tidepool.store.RowFormat;

/** A protocol whose recoveries and coordinators are recorded. */
public final class ObservedProtocol implements Protocol {
    private final Protocol protocol;
    public final List<Recovery.Report> recoveries = new ArrayList<>();
    public final List<Coordinator> coordinators = new ArrayList<>();

    /**
     * Recoveries that were begun; those missing in {@link #recoveries} were cut off, or another client was recovering.
     */
    public int begun;

    public int busy;

    public final List<Recovery.Restart> restarts = new ArrayList<>();

    /** Repairs after a loss of power that were begun; those missing in {@link #restarts} were cut off. */
    public int restartsBegun;

    public int restartsBusy;

    public final List<Reconfiguration.Report> changes = new ArrayList<>();

    /** Reconfigurations of the memory nodes that were begun; those missing in {@link #changes} were cut off. */
    public int changesBegun;

    private final SplitListener splits; // null if tables keep their sizes
    private Runnable onRecovery = () -> {};

    /** Observes a protocol under which tables keep their sizes. */
    public ObservedProtocol(Protocol protocol) {
        this(protocol, null);
    }

    /** Observes a protocol under which tables grow. */
    public ObservedProtocol(Protocol protocol, SplitListener splits) {
        this.protocol = protocol;
        this.splits = splits;
    }

    /** Sets an action that runs when a recovery begins. */
    public void onRecovery(Runnable what) {
        onRecovery = what;
    }

    @Override
    public String name() {
        return protocol.name();
    }

    @Override
    public FlushPolicy flush() {
        return protocol.flush();
    }

    @Override
    public RowFormat rows(Schema schema) {
        return protocol.rows(schema);
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        Coordinator coordinator = protocol.coordinator(session, catalog, counters);
        if (coordinator instanceof RecordCoordinator records) {
            if (splits == null) records.keepTables();
            else records.splitListener(splits);
        }
        coordinators.add(coordinator);
        return coordinator;
    }

    @Override
    public Reconfiguration change(Session session, Catalog catalog) {
        Reconfiguration change = protocol.change(session, catalog);
        return new Reconfiguration() {
            @Override
            public Reconfiguration.Report run(long settleNanos) {
                return observed(() -> change.run(settleNanos));
            }

            @Override
            public Reconfiguration.Report hold(long settleNanos) {
                return observed(() -> change.hold(settleNanos));
            }
        };
    }

    private Reconfiguration.Report observed(Supplier<Reconfiguration.Report> change) {
        changesBegun++;
        onRecovery.run();
        Reconfiguration.Report report = change.get();
        changes.add(report);
        return report;
    }

    @Override
    public ReplicaFill fill(Session session, Catalog catalog, TxnCounter counters) {
        return protocol.fill(session, catalog, counters);
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        Recovery recovery = protocol.recovery(session, catalog);
        return new Recovery() {
            @Override
            public Recovery.Report recover(int dead) {
                begun++;
                onRecovery.run();
                Recovery.Report report = recovery.recover(dead);
                if (report != null) recoveries.add(report);
                else busy++;
                return report;
            }

            @Override
            public Restart afterPowerLoss() {
                restartsBegun++;
                onRecovery.run();
                Restart report = recovery.afterPowerLoss();
                if (report != null) restarts.add(report);
                else restartsBusy++;
                return report;
            }
        };
    }
}
