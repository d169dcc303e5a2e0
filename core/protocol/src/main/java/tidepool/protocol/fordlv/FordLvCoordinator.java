package tidepool.protocol.fordlv;

import tidepool.base.Id128;
import tidepool.fabric.FabricException;
import tidepool.fabric.Session;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.FordCoordinator;
import tidepool.protocol.ford.FordOptions;
import tidepool.protocol.record.RecordTxn;
import tidepool.store.Catalog;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;

/** The FORD-LV coordinator of one strand, with the partitions that its session owns and its access to the Vcache. */
public class FordLvCoordinator extends FordCoordinator {
    private final FordLvOptions options;
    private final Session session;
    private final OwnedPartitions owned;
    private final OwnershipWords ownership;
    private final Vcache vcache;
    private boolean left;

    /** @param owned which this coordinator has joined, and leaves when it is closed */
    @SuppressWarnings("this-escape") // no overridden method is called: pool() only returns a field
    protected FordLvCoordinator(
            Session session, Catalog catalog, TxnCounter counters, FordLvOptions options, OwnedPartitions owned) {
        super(session, catalog, counters, FordOptions.DEFAULT);
        this.options = options;
        this.session = session;
        this.owned = owned;
        this.ownership = new OwnershipWords(lane, pool());
        boolean shared = options.vcache() == FordLvOptions.Sharing.GLOBAL;
        Id128 table = catalog.versionTable(shared, options.bytes());
        this.vcache = shared ? new GlobalVcache(lane, pool(), table) : new LocalVcache(owned);
    }

    @Override
    protected RecordTxn newTxn() {
        return new FordLvTxn(this, vcache);
    }

    protected Vcache vcache() {
        return vcache;
    }

    /** Returns the counts of this coordinator's use of its Vcache. */
    public VcacheCounts versionCounts() {
        return vcache.counts();
    }

    /**
     * Makes sure that this session owns the partition that is to be written, together with its whole table or alone.
     * Returns 0, or the number of the dead session that owns it and has to be recovered first. Fails if a living
     * session owns it.
     */
    int own(TableLayout table, int partition) {
        if (options.vcache() == FordLvOptions.Sharing.GLOBAL || owned.isOwned(table, partition)) return 0;
        int dead = ownBefore(table, partition);
        if (dead != 0) return dead;
        boolean whole = options.vcache() == FordLvOptions.Sharing.LOCAL;
        for (int p = whole ? 0 : partition; p < (whole ? owned.partitions() : partition + 1); p++) {
            int owner = ownership.claim(table, p, owned.session());
            if (owner == owned.session()) owned.own(table, p);
            else if (isOver(owner)) return owner;
            else throw elsewhere(table, p, owner);
        }
        return 0;
    }

    /**
     * A table whose rows move belongs to the owner of its predecessor. Otherwise one session could own the predecessor
     * and another one the table, and neither could write a row that moves.
     */
    private int ownBefore(TableLayout table, int partition) {
        return table.before() == null ? 0 : own(table.before(), partition);
    }

    private boolean isOver(int owner) {
        return session.fabric().isDead(owner) || session.fabric().control(0).isRevoked(owner);
    }

    private StoreException elsewhere(TableLayout table, int partition, int owner) {
        String what = options.vcache() == FordLvOptions.Sharing.LOCAL
                ? "table " + table.currentName()
                : "partition " + partition + " of table " + table.currentName();
        return new StoreException(
                StoreException.Reason.OWNED,
                what + " is owned by session " + owner + ", whose Vcache holds its versions: write it there");
    }

    @Override
    public void close() {
        try {
            if (!left && owned.leave(isBroken())) giveBack();
        } catch (FabricException e) {
            markBroken(e.getMessage()); // the recoverer of the session gives it back
        }
        left = true;
        super.close();
    }

    /**
     * Gives back all partitions that this session owns. None of its coordinators writes any more, and {@link #close}
     * first waits until its writes are released.
     */
    private void giveBack() {
        settle();
        for (TableLayout table : owned.tables())
            for (int p = 0; p < owned.partitions(); p++) {
                if (!owned.isOwned(table, p)) continue;
                owned.disown(table, p);
                ownership.giveBack(table, p, owned.session());
            }
    }
}
