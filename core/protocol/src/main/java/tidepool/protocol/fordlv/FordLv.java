package tidepool.protocol.fordlv;

import java.util.List;
import tidepool.fabric.Session;
import tidepool.memory.VersionTable;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.Recovery;
import tidepool.protocol.ReplicaFill;
import tidepool.protocol.Step;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.ReplicaFiller;
import tidepool.store.Catalog;
import tidepool.store.StoreException;

/**
 * The protocol FORD with localized validation, as described in {@code docs/internals/protocols/ford-lv.md}. Safe for
 * several sessions at a time: a pool and its steward share one instance, and the partitions that one session owns are
 * kept apart from those of any other session.
 */
public class FordLv implements Protocol {
    private final FordLvOptions options;

    /** The partitions that a session owns; guarded by itself. It ends with its session, however that ends. */
    private static final class Place {
        private OwnedPartitions owned; // null before the first coordinator
    }

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
    public List<Step> steps() {
        return List.of(
                Step.LOOKUP,
                Step.LOCK,
                Step.READ,
                Step.ANNOUNCE,
                Step.VALIDATE,
                Step.COMMIT,
                Step.SETTLE,
                Step.RELEASE);
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return joined(session, catalog, counters);
    }

    private FordLvCoordinator joined(Session session, Catalog catalog, TxnCounter counters) {
        OwnedPartitions shared = ownedBy(session, catalog);
        try {
            return newCoordinator(session, catalog, counters, options, shared);
        } catch (StoreException e) {
            shared.leave(false); // a pool without a place for one more coordinator has not broken the session
            throw e;
        } catch (RuntimeException e) {
            shared.leave(true);
            throw e;
        }
    }

    /** Overridden by tests that plant bugs. */
    protected FordLvCoordinator newCoordinator(
            Session session, Catalog catalog, TxnCounter counters, FordLvOptions chosen, OwnedPartitions shared) {
        return new FordLvCoordinator(session, catalog, counters, chosen, shared);
    }

    /**
     * Joins the partitions that the session owns. A new session starts with none, because the cached versions of the
     * session before it may be out of date. So does a session that has given everything back, because other sessions
     * may have written since.
     */
    private OwnedPartitions ownedBy(Session session, Catalog catalog) {
        // Read here, because the first read of a catalog waits, and a strand must never wait inside a monitor.
        int partitions = catalog.placement().partitions();
        Place place = session.shared(Place.class, Place::new);
        synchronized (place) {
            if (place.owned != null && place.owned.join()) return place.owned;
            OwnedPartitions fresh = new OwnedPartitions(
                    session.number(),
                    partitions,
                    options.vcache() == FordLvOptions.Sharing.GLOBAL ? 2 * VersionTable.SET_BYTES : options.bytes());
            fresh.join();
            place.owned = fresh;
            return fresh;
        }
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        return new FordLvRecovery(session, catalog, options);
    }

    @Override
    public Reconfiguration change(Session session, Catalog catalog) {
        return new FordLvReconfiguration(session, catalog);
    }

    @Override
    public ReplicaFill fill(Session session, Catalog catalog, TxnCounter counters) {
        return new ReplicaFiller(joined(session, catalog, counters), catalog);
    }
}
