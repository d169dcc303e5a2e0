package tidepool.protocol.ford;

import java.util.List;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.Recovery;
import tidepool.protocol.ReplicaFill;
import tidepool.protocol.Step;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.ReplicaFiller;
import tidepool.store.Catalog;
import tidepool.store.FlushPolicy;

/** The protocol FORD, as described in {@code docs/internals/protocols/ford.md}. */
public class Ford implements Protocol {
    private final FordOptions options;

    public Ford() {
        this(FordOptions.DEFAULT);
    }

    public Ford(FordOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "ford";
    }

    public FordOptions options() {
        return options;
    }

    @Override
    public FlushPolicy flush() {
        return options.flush();
    }

    @Override
    public List<Step> steps() {
        return List.of(Step.LOOKUP, Step.LOCK, Step.READ, Step.LOG, Step.VALIDATE, Step.COMMIT, Step.RELEASE);
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new FordCoordinator(session, catalog, counters, options);
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        return new FordRecovery(session, catalog);
    }

    @Override
    public Reconfiguration change(Session session, Catalog catalog) {
        return new FordReconfiguration(session, catalog);
    }

    @Override
    public ReplicaFill fill(Session session, Catalog catalog, TxnCounter counters) {
        return new ReplicaFiller(new FordCoordinator(session, catalog, counters, options), catalog);
    }
}
