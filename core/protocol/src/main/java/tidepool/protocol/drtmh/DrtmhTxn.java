package tidepool.protocol.drtmh;

import tidepool.protocol.record.LogPhase;
import tidepool.protocol.redo.RedoCoordinator;
import tidepool.protocol.redo.RedoTxn;

/**
 * A transaction of DrTM+H in its one-sided form, corrected: {@code docs/internals/protocols/drtmh.md} says where and
 * why.
 *
 * <pre>
 *   step      verbs (per connection; -> is an order kept for free by the fabric)  trips   a crash right after it leaves
 *   lookup    {@link tidepool.protocol.record.RecordTxn}                          0 or 1  nothing
 *   read      READ body -> READ LOCK -> READ VER of all accesses                  1       nothing
 *   lock      WRITE intent -> CAS LOCK 0->T -> READ VER: locks and validates      1       locks       -> freed
 *   validate  READ LOCK -> READ VER, only with a read set, after all locks        0 or 1  locks       -> freed
 *   log       {@link RedoTxn}                                                     1       some logs   -> dropped
 *   ----      commit point: all logs are acknowledged; reported ----
 *   commit    images                                                              later   some images -> rolled forward
 *   release   {@link RedoTxn}                                                     later   some locks  -> rolled forward
 * </pre>
 */
public class DrtmhTxn extends RedoTxn {
    protected DrtmhTxn(RedoCoordinator coordinator) {
        super(coordinator);
    }

    @Override
    protected boolean execute(int from) {
        return lookup(from) && read(from);
    }

    @Override
    protected boolean pipeline(int slot) {
        if (!lock()) return false;
        if (!validate()) return false;
        if (writes().isEmpty()) return true;
        outcomeOpen(); // a failure of the fabric from here on: outcome unknown
        log(slot, LogPhase.NO_STAMP);
        commitPoint(); // ---- all logs are acknowledged: only forward from here
        commit(slot);
        release(slot);
        return true;
    }
}
