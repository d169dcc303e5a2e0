package tidepool.protocol.farm;

import tidepool.protocol.redo.RedoCoordinator;
import tidepool.protocol.redo.RedoTxn;

/**
 * A transaction of FaRM in its one-sided form, corrected: {@code docs/internals/protocols/farm.md} says where and why.
 *
 * <pre>
 *   phase     verbs (per connection; -> is an order kept for free by the fabric)  trips  a crash right after it leaves
 *   execute   READ body -> READ LOCK -> READ VER of all accesses, or a lookup     1      nothing
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
    protected boolean validate() {
        return writes().count() == 0 ? super.validate() : validateAll();
    }
}
