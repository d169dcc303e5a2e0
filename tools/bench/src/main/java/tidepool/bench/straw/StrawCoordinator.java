package tidepool.bench.straw;

import tidepool.fabric.Traffic;
import tidepool.protocol.Coordinator;
import tidepool.store.TxnId;
import tidepool.txn.Txn;

/** The transactions of one thread on a {@link StrawStore}. Sends nothing, and cannot fail. */
final class StrawCoordinator implements Coordinator {
    private final StrawTxn txn;
    private final Traffic none = new Traffic();
    private final int number;
    private long begun;

    StrawCoordinator(StrawStore store, int number) {
        this.txn = new StrawTxn(store);
        this.number = number;
    }

    @Override
    public int number() {
        return 0;
    }

    @Override
    public Txn begin() {
        txn.begin(TxnId.of(number, ++begun));
        return txn;
    }

    @Override
    public Traffic traffic() {
        return none;
    }

    @Override
    public String whyBroken() {
        return null;
    }

    /** Rolls back a transaction that has not ended. Otherwise other threads would wait for its locks. */
    @Override
    public void close() {
        txn.rollback();
    }
}
