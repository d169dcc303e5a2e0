package tidepool.protocol.fordlv;

import java.util.ArrayList;
import java.util.List;
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
import tidepool.store.StoreException;

/**
 * FORD with localized validation, as {@code docs/protocols/ford-lv.md} describes it. Safe for several sessions at a time: a
 * pool and its steward share one instance, and what a session owns is kept apart from what any other session owns.
 */
public class FordLv implements Protocol {
    private final FordLvOptions options;

    /** Guarded by itself. All coordinators of a session find the same entry, whichever sessions come in between. */
    private final List<Entry> entries = new ArrayList<>();

    private record Entry(Session session, Owned owned) {}

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
        return joined(session, catalog, counters);
    }

    private FordLvCoordinator joined(Session session, Catalog catalog, TxnCounter counters) {
        Owned shared = ownedBy(session, catalog);
        try {
            return newCoordinator(session, catalog, counters, options, shared);
        } catch (StoreException e) {
            shared.leave(false); // a pool that has no place for one more coordinator has not broken it
            throw e;
        } catch (RuntimeException e) {
            shared.leave(true);
            throw e;
        }
    }

    /** Overridden by tests that plant bugs. */
    FordLvCoordinator newCoordinator(
            Session session, Catalog catalog, TxnCounter counters, FordLvOptions chosen, Owned shared) {
        return new FordLvCoordinator(session, catalog, counters, chosen, shared);
    }

    /**
     * Joins what the session owns. A new session starts with nothing: what the one before it knew may be wrong by now. So does
     * a session that has given everything back, because other sessions may have written since.
     */
    private Owned ownedBy(Session session, Catalog catalog) {
        // Read here, because a catalog that is read for the first time waits: a strand never waits inside a monitor.
        int partitions = catalog.placement().partitions();
        synchronized (entries) {
            for (Entry entry : entries) if (entry.session == session && entry.owned.join()) return entry.owned;
            entries.removeIf(entry -> entry.owned.isOver());
            Owned fresh = new Owned(
                    session.number(),
                    partitions,
                    options.vcache() == FordLvOptions.Sharing.GLOBAL ? 2 * VersionTable.SET_BYTES : options.bytes());
            fresh.join();
            entries.add(new Entry(session, fresh));
            return fresh;
        }
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
        return new Refill(joined(session, catalog, counters), catalog);
    }
}
