package tidepool.protocol.drtmh;

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

/** DrTM+H, one-sided, as {@code docs/protocols/drtmh.md} describes it. */
public class Drtmh implements Protocol {
    private final DrtmhOptions options;

    public Drtmh() {
        this(DrtmhOptions.DEFAULT);
    }

    public Drtmh(DrtmhOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "drtmh";
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new DrtmhCoordinator(session, catalog, counters, options);
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
        return new Refill(new DrtmhCoordinator(session, catalog, counters, options), catalog);
    }
}
