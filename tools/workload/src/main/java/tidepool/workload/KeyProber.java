package tidepool.workload;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;
import tidepool.workload.process.BoundedWait;

/**
 * Probes the keys that a dead process held, from the moment of its death until each of them has had a commit. It writes
 * back the values that it has read, so no history and no book changes. It works below the API and recovers no session,
 * so it measures the work of others. It runs on its own thread, so the killing thread continues meanwhile.
 */
final class KeyProber implements AutoCloseable {
    private static final long PAUSE_NANOS = 50_000;
    private static final long MAX_NANOS = 20_000_000_000L;

    private final Session session;
    private final Coordinator coordinator;
    private final LinkedBlockingQueue<Death> deaths = new LinkedBlockingQueue<>();
    private final List<Commit> commits = new ArrayList<>(); // guarded by itself, and so are the next two
    private int wanted;
    private int givenUp;
    private volatile boolean stopped;
    private final Thread thread;

    /** @param keys the keys that the session held when it died */
    private record Death(int session, Collection<AffectedKeys.Key> keys) {
        static final Death NONE = new Death(0, List.of());
    }

    /** The first commit on a key that a dead session had held. */
    record Commit(int session, long nanos) {}

    KeyProber(Fabric fabric) {
        session = fabric.attach();
        Catalog catalog = Catalog.open(fabric, session, PoolOptions.defaults());
        coordinator = new Ford().coordinator(session, catalog, new TxnCounter());
        thread = Thread.ofPlatform().name("prober").start(this::work);
    }

    /** Starts to probe these keys. */
    void want(int deadSession, Collection<AffectedKeys.Key> keys) {
        synchronized (commits) {
            wanted += keys.size();
        }
        deaths.add(new Death(deadSession, keys));
    }

    private void work() {
        try {
            for (Death death = deaths.take(); death != Death.NONE; death = deaths.take()) probe(death);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void probe(Death death) {
        List<AffectedKeys.Key> left = new ArrayList<>(death.keys());
        long start = System.nanoTime();
        while (!left.isEmpty() && !stopped && System.nanoTime() - start < MAX_NANOS) {
            for (Iterator<AffectedKeys.Key> keys = left.iterator(); keys.hasNext(); )
                if (commits(keys.next())) {
                    keys.remove();
                    answered(new Commit(death.session(), System.nanoTime()));
                }
            if (!left.isEmpty()) LockSupport.parkNanos(PAUSE_NANOS);
        }
        synchronized (commits) {
            givenUp += left.size();
        }
    }

    private boolean commits(AffectedKeys.Key key) {
        Txn txn = coordinator.begin();
        txn.update(key.table(), key.key());
        return txn.execute() && txn.commit() == Outcome.COMMITTED;
    }

    private void answered(Commit commit) {
        synchronized (commits) {
            commits.add(commit);
        }
    }

    /** Returns whether a key is still without a commit. */
    boolean isWaiting() {
        synchronized (commits) {
            return wanted > commits.size() + givenUp;
        }
    }

    /** Returns the number of keys that had no commit for twenty seconds, or until the end. */
    int unanswered() {
        synchronized (commits) {
            return wanted - commits.size();
        }
    }

    /** Returns the first commits so far. */
    List<Commit> commits() {
        synchronized (commits) {
            return List.copyOf(commits);
        }
    }

    /** Stops the prober and waits for its thread. Leaves nothing in the pool. Closing twice does nothing. */
    @Override
    public void close() {
        stopped = true;
        deaths.add(Death.NONE);
        try {
            BoundedWait.join(thread);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return; // the thread still uses the objects that would be closed
        }
        coordinator.close();
        session.close();
    }
}
