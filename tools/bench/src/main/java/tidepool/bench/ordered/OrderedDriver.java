package tidepool.bench.ordered;

import java.util.List;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.bench.race.ClientDriver;
import tidepool.bench.race.TxnEnd;
import tidepool.txn.Outcome;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.WorkloadClient;

/** A driver that runs a client's transactions on an ordered store until they commit, with pauses after conflicts. */
final class OrderedDriver implements ClientDriver {
    private static final long MIN_PAUSE_NANOS = 200;
    private static final int PAUSE_DOUBLINGS = 12;
    private static final List<String> READ_ONLY = List.of("order-status", "stock-level");

    private final OrderedTxn txn;
    private final WorkloadClient client;
    private final Randomness random;
    private final boolean[] isReadOnly;
    private int type;
    private int attempts;
    private long aborts;

    OrderedDriver(OrderedTxn txn, MeasuredWorkload workload, WorkloadClient client, Randomness random) {
        this.txn = txn;
        this.client = client;
        this.random = random;
        isReadOnly = new boolean[workload.types().size()];
        for (int i = 0; i < isReadOnly.length; i++)
            isReadOnly[i] = READ_ONLY.contains(workload.types().get(i));
    }

    @Override
    public int draw() {
        type = client.draw();
        return type;
    }

    @Override
    public TxnEnd run() {
        for (attempts = 1; ; attempts++) {
            txn.begin(isReadOnly[type]);
            boolean isWanted = client.run(txn);
            if (!isWanted && txn.abortReason() == null) {
                txn.rollback();
                client.gaveUp();
                return client.missed() ? TxnEnd.MISSED : TxnEnd.ROLLED_BACK;
            }
            if (isWanted && txn.commit() == Outcome.COMMITTED) {
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
}
