package tidepool.protocol.farm;

import tidepool.fabric.Session;
import tidepool.protocol.Change;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.Refilling;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.Refill;
import tidepool.protocol.redo.RedoChange;
import tidepool.protocol.redo.RedoRecovery;
import tidepool.store.Catalog;

/** FaRM, one-sided, as {@code docs/protocols/farm.md} describes it. */
public class Farm implements Protocol {
    /** It has no switches. */
    public Farm() {}

    @Override
    public String name() {
        return "farm";
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
    public Change change(Session session, Catalog catalog) {
        return new RedoChange(session, catalog);
    }

    @Override
    public Refilling refilling(Session session, Catalog catalog, TxnCounter counters) {
        return new Refill(new FarmCoordinator(session, catalog, counters), catalog);
    }
}
