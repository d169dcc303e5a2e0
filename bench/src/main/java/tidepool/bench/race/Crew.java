package tidepool.bench.race;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import tidepool.base.Clock;

/** The threads of one contender: each has its hands for all rounds, and all begin a round together. */
final class Crew implements AutoCloseable {
    /** Long enough that all have woken up. */
    private static final long LEAD_NANOS = 5_000_000;

    private final Contender contender;
    private final CrewOptions options;
    private final List<Station> stations = new ArrayList<>();

    Crew(Contender contender, CrewOptions options) {
        this.contender = contender;
        this.options = options;
        try {
            for (int i = 0; i < options.threads(); i++) {
                Station station = new Station(contender, options, i);
                stations.add(station);
                station.start();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Lets every hand go once over what it will remember. Waits. */
    void warmUp() {
        await(Order.warmUp());
    }

    /**
     * One round of all threads. Waits.
     *
     * @param progress is told now and then how it goes
     */
    RoundResult round(long nanos, Consumer<Progress> progress) {
        Map<String, Long> abortsBefore = contender.aborts();
        Map<String, Long> eventsBefore = contender.events();
        long start = Clock.system().nowNanos() + LEAD_NANOS;
        Order order = new Order(Order.What.WORK, start, start + nanos, options.intervalNanos());
        List<Tally> tallies = newTallies();
        List<TimePoint> series;
        try (Monitor monitor = new Monitor(tallies, start, nanos, progress)) {
            await(order, tallies);
            series = monitor.end();
        }
        long end = start;
        long bytes = 0;
        for (Tally tally : tallies) {
            end = Math.max(end, tally.lastEnd());
            bytes += tally.bytesAllocated();
        }
        return new RoundResult(
                Math.max(1, end - start),
                Tally.sum(tallies),
                Tally.sumUnserved(tallies),
                difference(contender.aborts(), abortsBefore),
                difference(contender.events(), eventsBefore),
                bytes,
                series,
                0);
    }

    private List<Tally> newTallies() {
        List<Tally> tallies = new ArrayList<>();
        for (int i = 0; i < stations.size(); i++)
            tallies.add(new Tally(contender.types().size()));
        return tallies;
    }

    private void await(Order order) {
        await(order, newTallies());
    }

    private void await(Order order, List<Tally> tallies) {
        List<CompletableFuture<Tally>> given = new ArrayList<>();
        for (int i = 0; i < stations.size(); i++) given.add(stations.get(i).give(order, tallies.get(i)));
        for (CompletableFuture<Tally> one : given) Station.result(one);
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

    /** Lets the hands go. Waits for those that have not failed; whoever has was heard already. */
    @Override
    public void close() {
        List<CompletableFuture<Tally>> given = new ArrayList<>();
        for (Station station : stations) if (!station.hasFailed()) given.add(station.give(Order.STOP, null));
        for (CompletableFuture<Tally> one : given) Station.result(one);
    }
}
