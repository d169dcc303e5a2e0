package tidepool.workload.recorded;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import tidepool.base.Randomness;
import tidepool.workload.RecordedWorkload;

/** Threads of this process that run one workload, until they are stopped or have run as many as they should. */
final class ClientThreads {
    static final String ALLOCATED = "bytes allocated";

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** The client of each of these threads. */
    private static final ThreadLocal<RecordedWorkload.Client> CURRENT = new ThreadLocal<>();

    private final RecordedWorkload workload;
    private final RecordedWorkload.Pen pen;
    private final AtomicLong left;
    private final List<RecordedWorkload.Client> clients = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;
    private volatile Throwable failure;

    /** @param transactions how many are run in all; 0 for no limit */
    ClientThreads(RecordedWorkload workload, RecordedWorkload.Pen pen, long transactions) {
        this.workload = workload;
        this.pen = pen;
        this.left = new AtomicLong(transactions > 0 ? transactions : Long.MAX_VALUE);
    }

    void start(int count, Randomness random) {
        for (int i = 0; i < count; i++) clients.add(workload.client(pen, random.fork("client " + i)));
        for (RecordedWorkload.Client client : clients)
            threads.add(Thread.ofPlatform().start(() -> work(client)));
    }

    private void work(RecordedWorkload.Client client) {
        long before = allocatedBytes();
        CURRENT.set(client);
        try {
            while (!stopped && left.getAndDecrement() > 0) client.next();
        } catch (RuntimeException | Error e) {
            failure = e;
        }
        client.facts().add(ALLOCATED, allocatedBytes() - before);
    }

    /** The number in the history of the calling thread; -1 if it is none of these threads. */
    long currentProcess() {
        RecordedWorkload.Client client = CURRENT.get();
        return client == null ? -1 : client.process();
    }

    /** By this thread, since it began. */
    static long allocatedBytes() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    boolean isDone() {
        return failure != null || threads.stream().noneMatch(Thread::isAlive);
    }

    /** What ended a client that should have gone on; null if nothing did. */
    Throwable failure() {
        return failure;
    }

    /** Lets every client end its transaction, and waits for that. */
    void stop() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) thread.join();
    }

    /** Commits so far, or nearly so. */
    long commits() {
        long sum = 0;
        for (RecordedWorkload.Client client : clients) sum += client.tally().commits();
        return sum;
    }

    /** When all have stopped: what they came to. */
    void addTo(Progress progress) {
        for (RecordedWorkload.Client client : clients) {
            progress.tally.add(client.tally());
            progress.facts.add(client.facts());
        }
    }
}
