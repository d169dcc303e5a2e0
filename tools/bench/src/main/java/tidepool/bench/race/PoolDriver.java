package tidepool.bench.race;

import tidepool.Worker;
import tidepool.fabric.Traffic;
import tidepool.spi.PoolAccess;
import tidepool.txn.Txn;
import tidepool.workload.measured.WorkloadClient;

/**
 * A driver that runs the transactions of a workload by a {@link Worker}, as an application would. Allocates nothing.
 */
final class PoolDriver implements ClientDriver, Worker.Work {
    private final Worker worker;
    private final WorkloadClient client;
    private final WarmupScan scan; // null if this driver scans nothing
    private final int maxAttempts;
    private int tried;
    private boolean abandoned;
    private Traffic traffic;
    private long verbsBefore;
    private long bytesBefore;
    private long verbs;
    private long bytes;

    /** @param maxAttempts the attempts after which a transaction is abandoned; 0 for never */
    PoolDriver(Worker worker, WorkloadClient client, WarmupScan scan, int maxAttempts) {
        this.worker = worker;
        this.client = client;
        this.scan = scan;
        this.maxAttempts = maxAttempts;
        count(PoolAccess.traffic(worker));
    }

    @Override
    public void warmUp() {
        if (scan != null) scan.run(worker);
        count(PoolAccess.traffic(worker));
    }

    @Override
    public int draw() {
        return client.draw();
    }

    @Override
    public TxnEnd run() {
        tried = 0;
        abandoned = false;
        boolean happened = worker.transact(this);
        count(PoolAccess.traffic(worker));
        if (happened) {
            client.committed();
            return client.missed() ? TxnEnd.MISSED : TxnEnd.COMMITTED;
        }
        client.gaveUp();
        return abandoned ? TxnEnd.ABANDONED : client.missed() ? TxnEnd.MISSED : TxnEnd.ROLLED_BACK;
    }

    /**
     * Counts the traffic of the last transaction. Its coordinator sends nothing else, so earlier traffic belongs to
     * earlier transactions.
     */
    private void count(Traffic now) {
        long verbsNow = now.allVerbs();
        long bytesNow = allBytes(now);
        boolean isSame = now == traffic; // after a failure of the fabric there is a new counter, without history
        verbs = isSame ? verbsNow - verbsBefore : 0;
        bytes = isSame ? bytesNow - bytesBefore : 0;
        traffic = now;
        verbsBefore = verbsNow;
        bytesBefore = bytesNow;
    }

    private static long allBytes(Traffic of) {
        return of.bytesRead() + of.bytesWritten() + of.backgroundBytesRead() + of.backgroundBytesWritten();
    }

    /** Runs one attempt. An abandoned transaction gives up before anything is sent. */
    @Override
    public boolean run(Txn txn) {
        if (maxAttempts > 0 && tried == maxAttempts) {
            abandoned = true;
            return false;
        }
        tried++;
        return client.run(txn);
    }

    @Override
    public int attempts() {
        return tried;
    }

    @Override
    public long roundTrips() {
        return worker.roundTrips();
    }

    @Override
    public long verbs() {
        return verbs;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        worker.close();
    }
}
