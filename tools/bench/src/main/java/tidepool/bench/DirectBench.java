package tidepool.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Consumer;
import tidepool.base.Clock;
import tidepool.base.Id128;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Session;

/**
 * Compares {@code mem} and {@code shm} with handwritten accesses to memory. Both walk over records at random. Their
 * samples alternate, so that a disturbance of the machine meets both.
 */
final class DirectBench {
    private static final long SMALL = 1L << 20;
    private static final long LARGE = 64L << 20;

    /** The size of its pool: both regions, their maps, and the node's own pages. */
    static final long NEEDED_BYTES = SMALL + LARGE + (8L << 20);

    private static final double MAX_RATIO = 1.5;
    private static final double MAX_EXTRA_NANOS = 40;
    private static final double MIN_SPEED_UP = 1.7;

    private final String name;
    private final String url;
    private final int samples;
    private final int roundsPerSample;
    private final Consumer<FabricResult> results;

    DirectBench(String name, String url, int samples, int roundsPerSample, Consumer<FabricResult> results) {
        this.name = name;
        this.url = url;
        this.samples = samples;
        this.roundsPerSample = roundsPerSample;
        this.results = results;
    }

    void run() {
        try (Fabric fabric = Fabric.open(url)) {
            Id128 small = fabric.control(0).createRegion(SMALL);
            Id128 large = fabric.control(0).createRegion(LARGE);
            for (Shape shape : Shape.values()) {
                if (shape != Shape.READ_OVERLAPPED) compare(fabric, small, SMALL, shape);
                compare(fabric, large, LARGE, shape);
            }
            twoThreads(fabric, small, SMALL);
            twoThreads(fabric, large, LARGE);
        }
    }

    private void compare(Fabric fabric, Id128 capability, long bytes, Shape shape) {
        try (Session session = fabric.attach();
                Lane lane = session.lane();
                Arena arena = Arena.ofShared()) {
            Region region = lane.connect(0).open(capability);
            MemorySegment memory = MappedRegion.of(url, region, arena);
            Loop ours = new RoundLoop(lane, region, shape, bytes, 1);
            Loop hand = new HandwrittenLoop(memory, lane.landing(Shape.LANDING_BYTES), shape, bytes, 1);
            Samples oursNanos = new Samples(samples);
            Samples handNanos = new Samples(samples);
            for (int i = 0; i < 10; i++) Sink.keep(ours.run(roundsPerSample) + hand.run(roundsPerSample));
            for (int i = 0; i < samples; i++) {
                handNanos.add(nanosPerRound(hand));
                oursNanos.add(nanosPerRound(ours));
            }
            report(shape, bytes, oursNanos, handNanos.median(), AllocationCounter.perRound(ours, roundsPerSample));
        }
    }

    private void report(Shape shape, long bytes, Samples ours, double limit, double allocated) {
        double nanos = ours.median();
        boolean large = bytes == LARGE;
        String bound = "";
        boolean holds = true;
        if (shape != Shape.READ_OVERLAPPED) {
            bound = large ? "ratio <= 1.5, 0 bytes" : "limit + 40 ns, 0 bytes";
            holds = (large ? nanos <= MAX_RATIO * limit : nanos <= limit + MAX_EXTRA_NANOS) && allocated == 0;
        }
        String operation = shape.text() + "/" + (large ? "64MB" : "1MB");
        results.accept(
                new FabricResult(name, operation, nanos, limit, nanos / limit, allocated, ours.spread(), bound, holds));
    }

    /**
     * Compares two threads, each with its own session, with one thread. They must share nothing that need not be
     * shared.
     */
    private void twoThreads(Fabric fabric, Id128 capability, long bytes) {
        Samples one = new Samples(samples);
        Samples two = new Samples(samples);
        for (int i = 0; i < samples; i++) {
            one.add(together(fabric, capability, bytes, 1));
            two.add(together(fabric, capability, bytes, 2));
        }
        double speedUp = one.median() / two.median();
        results.accept(new FabricResult(
                name,
                "read64-2threads/" + (bytes == LARGE ? "64MB" : "1MB"),
                two.median(),
                one.median(),
                speedUp,
                0,
                two.spread(),
                String.format(Locale.ROOT, "speed-up >= %.1f", MIN_SPEED_UP),
                speedUp >= MIN_SPEED_UP));
    }

    /** Returns nanoseconds per round of all threads together. */
    private double together(Fabric fabric, Id128 capability, long bytes, int threads) {
        CyclicBarrier barrier = new CyclicBarrier(threads);
        List<Thread> started = new ArrayList<>();
        double[] nanos = new double[threads];
        for (int t = 0; t < threads; t++) {
            int index = t;
            started.add(Thread.ofPlatform().name("bench-" + t).start(() -> {
                try (Session session = fabric.attach();
                        Lane lane = session.lane()) {
                    Region region = lane.connect(0).open(capability);
                    Loop loop = new RoundLoop(lane, region, Shape.READ, bytes, 1 + index);
                    Sink.keep(loop.run(roundsPerSample));
                    barrier.await();
                    nanos[index] = nanosPerRound(loop);
                } catch (Exception e) {
                    throw new IllegalStateException("the benchmark was disturbed", e);
                }
            }));
        }
        double sum = 0;
        for (Thread thread : started) join(thread);
        for (double each : nanos) sum += each;
        return sum / threads / threads;
    }

    private double nanosPerRound(Loop loop) {
        long start = Clock.system().nowNanos();
        long kept = loop.run(roundsPerSample);
        long nanos = Clock.system().nowNanos() - start;
        Sink.keep(kept);
        return (double) nanos / roundsPerSample;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
