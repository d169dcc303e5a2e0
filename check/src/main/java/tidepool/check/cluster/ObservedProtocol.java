package tidepool.check.cluster;

import java.util.ArrayList;
import java.util.List;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.store.Catalog;

/** A protocol whose recoveries and coordinators are written down. */
final class ObservedProtocol implements Protocol {
    private final Protocol protocol;
    final List<Recovery.Report> recoveries = new ArrayList<>();
    final List<Coordinator> coordinators = new ArrayList<>();

    /** Recoveries that were begun; what is missing in {@link #recoveries} was cut off, or somebody else was at it. */
    int begun;

    int busy;

    private Runnable onRecovery = () -> {};

    ObservedProtocol(Protocol protocol) {
        this.protocol = protocol;
    }

    /** What happens when a recovery begins. */
    void onRecovery(Runnable what) {
        onRecovery = what;
    }

    @Override
    public String name() {
        return protocol.name();
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        Coordinator coordinator = protocol.coordinator(session, catalog, counters);
        coordinators.add(coordinator);
        return coordinator;
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        Recovery recovery = protocol.recovery(session, catalog);
        return dead -> {
            begun++;
            onRecovery.run();
            Recovery.Report report = recovery.recover(dead);
            if (report != null) recoveries.add(report);
            else busy++;
            return report;
        };
    }
}
