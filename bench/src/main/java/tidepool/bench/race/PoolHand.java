package tidepool.bench.race;

import tidepool.Worker;
import tidepool.fabric.Traffic;
import tidepool.protocol.Txn;
import tidepool.workload.measured.Client;

/** A client of a workload that runs its transactions by a {@link Worker}, as an application would. Allocates nothing. */
final class PoolHand implements Hand, Worker.Work {
    private final Worker worker;
    private final Client client;
    private final Sweep sweep; // null if it makes none
    private final int mostAttempts;
    private int tried;
    private boolean abandoned;
    private Traffic traffic;
    private long verbsBefore;
    private long bytesBefore;
    private long verbs;
    private long bytes;

    /** @param mostAttempts after so many a transaction is abandoned; 0 for never */
    PoolHand(Worker worker, Client client, Sweep sweep, int mostAttempts) {
        this.worker = worker;
        this.client = client;
        this.sweep = sweep;
        this.mostAttempts = mostAttempts;
        count(worker.traffic());
    }

    @Override
    public void warmUp() {
        if (sweep != null) sweep.run(worker);
        count(worker.traffic());
    }

    @Override
    public int draw() {
        return client.draw();
    }

    @Override
    public End run() {
        tried = 0;
        abandoned = false;
        boolean happened = worker.transact(this);
        count(worker.traffic());
        if (happened) {
            client.committed();
            return client.missed() ? End.MISSED : End.COMMITTED;
        }
        client.gaveUp();
        return abandoned ? End.ABANDONED : client.missed() ? End.MISSED : End.ROLLED_BACK;
    }

    /** Nothing else is sent by its coordinator, so what was sent before the last end belongs to others. */
    private void count(Traffic now) {
        long verbsNow = now.allVerbs();
        long bytesNow = allBytes(now);
        boolean isSame = now == traffic; // a failure of the fabric gives it another, of which nothing is known
        verbs = isSame ? verbsNow - verbsBefore : 0;
        bytes = isSame ? bytesNow - bytesBefore : 0;
        traffic = now;
        verbsBefore = verbsNow;
        bytesBefore = bytesNow;
    }

    private static long allBytes(Traffic of) {
        return of.bytesRead() + of.bytesWritten() + of.backgroundBytesRead() + of.backgroundBytesWritten();
    }

    /** One attempt. To be abandoned is to give up before anything was sent. */
    @Override
    public boolean run(Txn txn) {
        if (mostAttempts > 0 && tried == mostAttempts) {
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
