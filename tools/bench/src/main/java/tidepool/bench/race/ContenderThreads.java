package tidepool.bench.race;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import tidepool.base.Clock;

/** The threads of one contender. Each keeps its drivers for all rounds, and all begin a round together. */
final class ContenderThreads implements AutoCloseable {
    /** The lead of a start time, long enough for all threads to wake up. */
    private static final long LEAD_NANOS = 5_000_000;

    private final Contender contender;
    private final ThreadOptions options;
    private final List<ContenderThread> threads = new ArrayList<>();

    ContenderThreads(Contender contender, ThreadOptions options) {
        this.contender = contender;
        this.options = options;
        try {
            for (int i = 0; i < options.threads(); i++) {
                ContenderThread thread = new ContenderThread(contender, options, i);
                threads.add(thread);
                thread.start();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Lets every driver access once the rows that it will remember. Waits for all. */
    void warmUp() {
        await(WorkOrder.warmUp());
    }

    /**
     * Runs one round of all threads and waits for it.
     *
     * @param progress receives reports at intervals
     */
    RoundResult round(long nanos, Consumer<RoundProgress> progress) {
        Map<String, Long> abortsBefore = contender.aborts();
        Map<String, Long> eventsBefore = contender.events();
        long start = Clock.system().nowNanos() + LEAD_NANOS;
        WorkOrder order = new WorkOrder(WorkOrder.What.WORK, start, start + nanos, options.intervalNanos());
        List<ThreadTally> tallies = newTallies();
        List<TimePoint> series;
        try (Monitor monitor = new Monitor(tallies, start, nanos, progress)) {
            await(order, tallies);
            series = monitor.end();
        }
        long end = start;
        long bytes = 0;
        for (ThreadTally tally : tallies) {
            end = Math.max(end, tally.lastEnd());
            bytes += tally.bytesAllocated();
        }
        return new RoundResult(
                Math.max(1, end - start),
                ThreadTally.sum(tallies),
                ThreadTally.sumUnserved(tallies),
                difference(contender.aborts(), abortsBefore),
                difference(contender.events(), eventsBefore),
                bytes,
                series,
                0);
    }

    private List<ThreadTally> newTallies() {
        List<ThreadTally> tallies = new ArrayList<>();
        for (int i = 0; i < threads.size(); i++)
            tallies.add(new ThreadTally(contender.types().size()));
        return tallies;
    }

    private void await(WorkOrder order) {
        await(order, newTallies());
    }

    private void await(WorkOrder order, List<ThreadTally> tallies) {
        List<CompletableFuture<ThreadTally>> given = new ArrayList<>();
        for (int i = 0; i < threads.size(); i++) given.add(threads.get(i).give(order, tallies.get(i)));
        for (CompletableFuture<ThreadTally> one : given) ContenderThread.result(one);
    }

    private static Map<String, Long> difference(Map<String, Long> after, Map<String, Long> before) {
        Map<String, Long> difference = new TreeMap<>();
        Map<String, Long> earlier = new HashMap<>(before);
        after.forEach((name, count) -> {
            long more = count - earlier.getOrDefault(name, 0L);
            if (more != 0) difference.put(name, more);
        });
        return difference;
    }

    /** Ends the drivers. Waits for those that have not failed; failures were reported already. */
    @Override
    public void close() {
        List<CompletableFuture<ThreadTally>> given = new ArrayList<>();
        for (ContenderThread thread : threads) if (!thread.hasFailed()) given.add(thread.give(WorkOrder.STOP, null));
        for (CompletableFuture<ThreadTally> one : given) ContenderThread.result(one);
    }
}
