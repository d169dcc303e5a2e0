package tidepool.bench.straw;

import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.bench.race.ClientDriver;
import tidepool.bench.race.TxnEnd;
import tidepool.protocol.Coordinator;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;
import tidepool.workload.measured.WorkloadClient;

/**
 * A driver that runs a client's transactions on the straw-man until they commit, with the pauses of Tidepool's clients.
 */
final class StrawDriver implements ClientDriver {
    private static final long MIN_PAUSE_NANOS = 200;
    private static final int PAUSE_DOUBLINGS = 12;

    private final Coordinator coordinator;
    private final WorkloadClient client;
    private final Randomness random;
    private int attempts;
    private long aborts;

    StrawDriver(Coordinator coordinator, WorkloadClient client, Randomness random) {
        this.coordinator = coordinator;
        this.client = client;
        this.random = random;
    }

    @Override
    public int draw() {
        return client.draw();
    }

    @Override
    public TxnEnd run() {
        for (attempts = 1; ; attempts++) {
            Txn txn = coordinator.begin();
            boolean wanted = client.run(txn);
            if (!wanted && txn.abortReason() == null) {
                txn.rollback();
                client.gaveUp();
                return client.missed() ? TxnEnd.MISSED : TxnEnd.ROLLED_BACK;
            }
            if (wanted && txn.commit() == Outcome.COMMITTED) {
                client.committed();
                return client.missed() ? TxnEnd.MISSED : TxnEnd.COMMITTED;
            }
            txn.rollback();
            aborts++;
            Waiting.pause(1 + random.nextLong(MIN_PAUSE_NANOS << Math.min(attempts, PAUSE_DOUBLINGS)));
        }
    }

    @Override
    public int attempts() {
        return attempts;
    }

    long aborts() {
        return aborts;
    }

    @Override
    public void close() {
        coordinator.close();
    }
}
