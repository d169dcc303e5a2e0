package tidepool.protocol.fordlv;

import tidepool.protocol.Step;
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
 *   step      what                                                                trips
 *   lookup    as FORD                                                             0 or 1
 *   lock      as FORD                                                             1
 *   read      as FORD                                                             with lock
 *   announce  the Vcache learns what is about to be written; all locks are held   0 (global: 1 aside,
 *   validate  versions of what was read, in the Vcache; memory for those missing  for both), 1 if any is missing
 *   commit    as FORD                                                             1
 *   ----      commit point: all acknowledged ----
 *   settle    the Vcache learns the new versions; the locks are still held        0
 *   release   as FORD                                                             in background
 * </pre>
 */
public class FordLvTxn extends FordTxn {
    private final FordLvCoordinator coordinator;
    private final Vcache vcache;
    private boolean announced;

    @SuppressWarnings("this-escape") // the gate is not used before a transaction begins
    public FordLvTxn(FordLvCoordinator coordinator, Vcache vcache) {
        super(coordinator, FordOptions.DEFAULT);
        this.coordinator = coordinator;
        this.vcache = vcache;
        writeGate(this::mayWrite);
    }

    @Override
    protected boolean pipeline(int slot) {
        if (!lock()) return false;
        announce(); // before validation: in the reverse order write skew would be possible again
        if (!validate()) return false;
        if (writes().isEmpty()) return true;
        outcomeOpen(); // a failure of the fabric from here on: outcome unknown
        commit(slot);
        commitPoint(); // ---- every replica has acknowledged: only forward from here
        settle();
        release(slot);
        return true;
    }

    /** The session of this coordinator owns every partition in which it writes. */
    private boolean mayWrite(TableLayout table, int partition) {
        int dead;
        try {
            dead = coordinator.own(table, partition);
        } catch (StoreException e) {
            giveUp(AbortReason.OWNED_ELSEWHERE);
            throw e;
        }
        if (dead == 0) return true;
        blockedBySession(dead);
        return abort(AbortReason.OWNED_ELSEWHERE);
    }

    /** The Vcache learns what is about to be written. All locks are held. */
    protected void announce() {
        at(Step.ANNOUNCE);
        announced = !writes().isEmpty();
        for (int i = 0; i < writes().count(); i++) vcache.announce(writes().get(i), id());
    }

    /** Versions of what was read, in the Vcache; READ LOCK -> READ VER for those that are missing there. */
    @Override
    protected boolean validate() {
        at(Step.VALIDATE);
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
                    return abort(a.ifChanged());
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
        blockedBySession(vcache.holdingSession());
        return abort(reason);
    }

    /** The Vcache learns the new versions, before any lock is released. */
    private void settle() {
        at(Step.SETTLE);
        for (int i = 0; i < writes().count(); i++) vcache.settle(writes().get(i), id());
        announced = false;
    }

    /** As FORD, after what the Vcache has to send. */
    @Override
    protected void release(int slot) {
        at(Step.RELEASE);
        vcache.postAfter(makeRelease(slot));
    }

    /** Settles the old versions of announced objects, because their writes do not happen. The locks are still held. */
    @Override
    protected boolean abort(AbortReason why) {
        if (announced) {
            announced = false;
            for (int i = 0; i < writes().count(); i++)
                vcache.settle(writes().get(i), writes().get(i).version(memory()));
            vcache.exchange();
        }
        return super.abort(why);
    }
}
