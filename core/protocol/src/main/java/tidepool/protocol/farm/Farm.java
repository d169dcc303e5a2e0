package tidepool.protocol.farm;

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
import tidepool.protocol.redo.RedoReconfiguration;
import tidepool.protocol.redo.RedoRecovery;
import tidepool.store.Catalog;

/** FaRM, one-sided, as {@code docs/internals/protocols/farm.md} describes it. */
public class Farm implements Protocol {
    /** FaRM has no switches. */
    public Farm() {}

    @Override
    public String name() {
        return "farm";
    }

    @Override
    public List<Step> steps() {
        return List.of(Step.LOOKUP, Step.READ, Step.LOCK, Step.VALIDATE, Step.LOG, Step.COMMIT, Step.RELEASE);
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new FarmCoordinator(session, catalog, counters);
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        return new RedoRecovery(session, catalog);
    }

    @Override
    public Reconfiguration change(Session session, Catalog catalog) {
        return new RedoReconfiguration(session, catalog);
    }

    @Override
    public ReplicaFill fill(Session session, Catalog catalog, TxnCounter counters) {
        return new ReplicaFiller(new FarmCoordinator(session, catalog, counters), catalog);
    }
}
