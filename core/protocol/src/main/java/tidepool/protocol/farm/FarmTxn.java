package tidepool.protocol.farm;

import tidepool.protocol.Step;
import tidepool.protocol.record.LogPhase;
import tidepool.protocol.redo.RedoCoordinator;
import tidepool.protocol.redo.RedoTxn;

/**
 * A transaction of FaRM in its one-sided form, corrected: {@code docs/internals/protocols/farm.md} says where and why.
 *
 * <pre>
 *   step      verbs (per connection; -> is an order kept for free by the fabric)  trips  a crash right after it leaves
 *   lookup    {@link tidepool.protocol.record.RecordTxn}                          0 or 1 nothing
 *   read      READ body -> READ LOCK -> READ VER of all accesses                  1      nothing
 *   lock      WRITE intent -> CAS LOCK 0->T                                       1      locks       -> freed
 *   validate  READ LOCK -> READ VER of everything that was read or is written     1      locks       -> freed
 *   log       {@link RedoTxn}                                                     1      some logs   -> dropped
 *   ----      commit point: all logs are acknowledged ----
 *   commit    images, awaited; then reported                                      1      some images -> rolled forward
 *   release   {@link RedoTxn}                                                     later  some locks  -> rolled forward
 * </pre>
 */
public class FarmTxn extends RedoTxn {
    protected FarmTxn(RedoCoordinator coordinator) {
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

    /** READ LOCK -> READ VER of everything that was read or is written. */
    @Override
    protected boolean validate() {
        at(Step.VALIDATE);
        return writes().count() == 0 ? super.validate() : validateAll();
    }
}
