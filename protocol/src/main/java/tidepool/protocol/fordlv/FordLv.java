package tidepool.protocol.fordlv;

import tidepool.fabric.Session;
import tidepool.memory.VersionTable;
import tidepool.protocol.Change;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.Refilling;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.Refill;
import tidepool.store.Catalog;

/** FORD with localized validation, as {@code docs/protocols/ford-lv.md} describes it. One instance for each process. */
public class FordLv implements Protocol {
    private final FordLvOptions options;
    private Owned owned;

    public FordLv() {
        this(FordLvOptions.DEFAULT);
    }

    public FordLv(FordLvOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "ford-lv";
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return newCoordinator(session, catalog, counters, options, ownedBy(session, catalog));
    }

    /** Overridden by tests that plant bugs. */
    FordLvCoordinator newCoordinator(
            Session session, Catalog catalog, TxnCounter counters, FordLvOptions chosen, Owned shared) {
        return new FordLvCoordinator(session, catalog, counters, chosen, shared);
    }

    /** A new session starts with nothing: what the one before it knew may be wrong by now. */
    private synchronized Owned ownedBy(Session session, Catalog catalog) {
        if (owned == null || owned.session() != session.number())
            owned = new Owned(
                    session.number(),
                    catalog.placement().partitions(),
                    options.vcache() == FordLvOptions.Sharing.GLOBAL ? 2 * VersionTable.SET_BYTES : options.bytes());
        return owned;
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        return new FordLvRecovery(session, catalog, options);
    }

    @Override
    public Change change(Session session, Catalog catalog) {
        return new FordLvChange(session, catalog);
    }

    @Override
    public Refilling refilling(Session session, Catalog catalog, TxnCounter counters) {
        return new Refill(newCoordinator(session, catalog, counters, options, ownedBy(session, catalog)), catalog);
    }
}
