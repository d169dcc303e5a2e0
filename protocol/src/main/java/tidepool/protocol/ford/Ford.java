package tidepool.protocol.ford;

import tidepool.fabric.Session;
import tidepool.protocol.Change;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.Refilling;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.Refill;
import tidepool.store.Catalog;
import tidepool.store.Flush;

/** FORD, as {@code docs/protocols/ford.md} describes it. */
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
    public Flush flush() {
        return options.flush();
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
    public Change change(Session session, Catalog catalog) {
        return new FordChange(session, catalog);
    }

    @Override
    public Refilling refilling(Session session, Catalog catalog, TxnCounter counters) {
        return new Refill(new FordCoordinator(session, catalog, counters, options), catalog);
    }
}
