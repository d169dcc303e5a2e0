package tidepool.bench.straw;

import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.bench.race.End;
import tidepool.bench.race.Hand;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Outcome;
import tidepool.protocol.Txn;
import tidepool.workload.measured.Client;

/** Runs a client's transactions on the straw-man until they commit, with the pauses that ours make. */
final class StrawHand implements Hand {
    private static final long LEAST_PAUSE_NANOS = 200;
    private static final int PAUSE_DOUBLINGS = 12;

    private final Coordinator coordinator;
    private final Client client;
    private final Randomness random;
    private int attempts;
    private long aborts;

    StrawHand(Coordinator coordinator, Client client, Randomness random) {
        this.coordinator = coordinator;
        this.client = client;
        this.random = random;
    }

    @Override
    public int draw() {
        return client.draw();
    }

    @Override
    public End run() {
        for (attempts = 1; ; attempts++) {
            Txn txn = coordinator.begin();
            boolean wanted = client.run(txn);
            if (!wanted && txn.abortReason() == null) {
                txn.rollback();
                client.gaveUp();
                return client.missed() ? End.MISSED : End.ROLLED_BACK;
            }
            if (wanted && txn.commit() == Outcome.COMMITTED) {
                client.committed();
                return client.missed() ? End.MISSED : End.COMMITTED;
            }
            txn.rollback();
            aborts++;
            Waiting.pause(1 + random.nextLong(LEAST_PAUSE_NANOS << Math.min(attempts, PAUSE_DOUBLINGS)));
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
