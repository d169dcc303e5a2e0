package tidepool.workload.recorded;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import tidepool.base.Randomness;
import tidepool.workload.RecordedWorkload;
import tidepool.workload.process.BoundedWait;

/** Threads of this process that run one workload until they are stopped or have run their number of transactions. */
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

    /** @param transactions the total to run; 0 for no limit */
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
        client.eventCounts().add(ALLOCATED, allocatedBytes() - before);
    }

    /** Returns the process number of the calling thread in the history; -1 if it is none of these threads. */
    long currentProcess() {
        RecordedWorkload.Client client = CURRENT.get();
        return client == null ? -1 : client.process();
    }

    /** Returns the bytes that this thread has allocated since it began. */
    static long allocatedBytes() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    boolean isDone() {
        return failure != null || threads.stream().noneMatch(Thread::isAlive);
    }

    /** Returns the error that ended a client early; null if there is none. */
    Throwable failure() {
        return failure;
    }

    /** Lets every client end its transaction, and waits for the threads. */
    void stop() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) BoundedWait.join(thread);
    }

    /** Returns the approximate number of commits so far. */
    long commits() {
        long sum = 0;
        for (RecordedWorkload.Client client : clients) sum += client.tally().commits();
        return sum;
    }

    /** Adds the totals of all clients. Called when all have stopped. */
    void addTo(RunProgress progress) {
        for (RecordedWorkload.Client client : clients) {
            progress.tally.add(client.tally());
            progress.eventCounts.add(client.eventCounts());
        }
    }
}
