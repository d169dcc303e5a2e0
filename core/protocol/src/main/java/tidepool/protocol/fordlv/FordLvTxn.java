package tidepool.protocol.fordlv;

import tidepool.fabric.Round;
import tidepool.protocol.ford.FordOptions;
import tidepool.protocol.ford.FordTxn;
import tidepool.protocol.record.Access;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;

/**
 * A transaction of FORD with localized validation (§4.7), corrected: {@code docs/internals/protocols/ford-lv.md}.
 *
 * <pre>
 *   phase     what                                                                trips
 *   execute   as FORD                                                             1
 *   announce  the Vcache learns what is about to be written; all locks are held   0 (global: 1 aside,
 *   validate  versions of what was read, in the Vcache; memory for those missing  for both), 1 if any is missing
 *   commit    as FORD                                                             1
 *   settle    the Vcache learns the new versions; the locks are still held        0
 *   release   as FORD                                                             in background
 * </pre>
 */
class FordLvTxn extends FordTxn {
    private final FordLvCoordinator coordinator;
    private final Vcache vcache;
    private boolean announced;

    FordLvTxn(FordLvCoordinator coordinator, Vcache vcache) {
        super(coordinator, FordOptions.DEFAULT);
        this.coordinator = coordinator;
        this.vcache = vcache;
    }

    @Override
    protected boolean mayWrite(TableLayout table, int partition) {
        int dead;
        try {
            dead = coordinator.own(table, partition);
        } catch (StoreException e) {
            giveUp(AbortReason.OWNED_ELSEWHERE);
            throw e;
        }
        if (dead == 0) return true;
        blockedBySession(dead);
        return refuse(AbortReason.OWNED_ELSEWHERE);
    }

    /**
     * Announces the transaction's own writes before it validates its own reads. In the reverse order write skew would
     * be possible again.
     */
    @Override
    protected boolean validate() {
        return announce() && validateReads();
    }

    boolean announce() {
        announced = writes().count() > 0;
        for (int i = 0; i < writes().count(); i++) vcache.announce(writes().get(i), id());
        return true;
    }

    boolean validateReads() {
        boolean reads = needsValidation();
        for (int i = 0; i < accesses(); i++) if (reads && isAsked(access(i))) vcache.ask(access(i), id());
        if (!vcache.exchange()) return busy(AbortReason.READ_LOCKED);
        if (!reads) return true;
        boolean asked = false;
        for (int i = 0; i < accesses(); i++) {
            Access a = access(i);
            if (!isAsked(a)) continue;
            switch (vcache.look(a, id())) {
                case SAME -> a.settled = true;
                case CHANGED -> {
                    return refuse(AbortReason.READ_CHANGED);
                }
                // Memory decides, and names the writer. A writer that could not report its end to the Vcache leaves no
                // lock in memory.
                case BUSY -> {}
                case ABSENT -> asked = true;
            }
        }
        if (!super.validate()) return false;
        if (asked) fill();
        return true;
    }

    private boolean isAsked(Access a) {
        return !a.writes() && writes().find(a.witness) == null && vcache.covers(a);
    }

    /**
     * Fills the Vcache. Memory has answered that everything is as it was, so the next transaction need not ask memory.
     */
    private void fill() {
        for (int i = 0; i < accesses(); i++) {
            Access a = access(i);
            if (!a.settled && isAsked(a)) vcache.fill(a, id());
        }
        vcache.filled();
    }

    private boolean busy(AbortReason reason) {
        blockedBy(vcache.holder());
        return refuse(reason);
    }

    /** Settles the new versions in the Vcache before any lock is released. */
    @Override
    protected void afterCommitPoint(int slot) {
        for (int i = 0; i < writes().count(); i++) vcache.settle(writes().get(i), id());
        announced = false;
        super.afterCommitPoint(slot);
    }

    @Override
    protected void post(Round release) {
        vcache.postAfter(release);
    }

    /** Settles the old versions of announced objects, because their writes do not happen. The locks are still held. */
    @Override
    protected boolean refuse(AbortReason why) {
        if (announced) {
            announced = false;
            for (int i = 0; i < writes().count(); i++)
                vcache.settle(writes().get(i), writes().get(i).version(memory()));
            vcache.exchange();
        }
        return super.refuse(why);
    }
}
