package tidepool.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tidepool.bench.net.PingMain;
import tidepool.bench.net.PongMain;
import tidepool.bench.node.TemporaryNodes;

/**
 * Compares {@code tcp} with raw messages of equal size between two processes. Ours is a memory node and a client, each
 * in its own JVM. The limit is two JVMs over one plain socket, at which both ends either spin or sleep. The one with
 * the faster median counts: on a machine with other work it is not the one that spins. Samples alternate, each time in
 * another order, because the preceding sample has an influence. Processes that are not measured sleep.
 */
final class TcpBench {
    private static final String SPINNING = "nio-spin";
    private static final String SLEEPING = "nio-select";
    private static final int COORDINATORS = 64;
    private static final long NODE_BYTES = 16 << 20;
    private static final int HEAP_MEGABYTES = 128;
    private static final double MAX_RATIO = 1.5;
    private static final double MIN_SHARE = 0.4;

    /**
     * The lowest count that matters. A round that allocates does it every time; the JVM itself allocates a little at
     * times.
     */
    private static final double MIN_ALLOCATION = 0.01;

    private static final int ALLOCATION_TRIPS = 20_000;

    /** Converts {@code --rounds} to the time of a sample, at some microseconds per round. */
    private static final int ROUNDS_PER_MILLI = 400;

    private static final int MIN_MILLIS = 20;
    private static final int WARM_UPS = 6;

    private final int samples;
    private final long millis;
    private final String classPath;
    private final Consumer<FabricResult> results;

    TcpBench(int samples, int roundsPerSample, String classPath, Consumer<FabricResult> results) {
        this.samples = samples;
        this.millis = Math.max(MIN_MILLIS, roundsPerSample / ROUNDS_PER_MILLI);
        this.classPath = classPath;
        this.results = results;
    }

    void run() {
        try (TemporaryPool place = TemporaryPool.create(1L << 20);
                TemporaryNodes node = TemporaryNodes.start(1, NODE_BYTES, place.folder(), classPath)) {
            run(place.folder(), node.url(""), 1);
            run(place.folder(), node.url(""), COORDINATORS);
        }
    }

    /**
     * Measures with separate client processes, as programs would be: one with a single waiting thread, or one with many
     * strands.
     */
    private void run(Path folder, String url, int underWay) {
        try (LineProcess spinner = start(folder, "pong", PongMain.class, SPINNING);
                LineProcess spinning = start(folder, "ping", PingMain.class, SPINNING, spinner.answer("ready"));
                LineProcess sleeper = start(folder, "pong", PongMain.class, SLEEPING);
                LineProcess sleeping = start(folder, "ping", PingMain.class, SLEEPING, sleeper.answer("ready"));
                LineProcess ours = start(folder, "client", PingMain.class, "fabric", url)) {
            List<LineProcess> raw = List.of(spinning, sleeping);
            for (LineProcess one : raw) one.answer("ready");
            ours.answer("ready");
            compare(ours, raw, underWay);
        }
    }

    private LineProcess start(Path folder, String name, Class<?> main, String... arguments) {
        return LineProcess.start(name, folder, classPath, HEAP_MEGABYTES, main, arguments);
    }

    private void compare(LineProcess ours, List<LineProcess> raw, int underWay) {
        List<LineProcess> all = new ArrayList<>(raw);
        all.add(ours);
        Map<LineProcess, Samples> nanos = new HashMap<>();
        for (LineProcess one : all) nanos.put(one, new Samples(samples));
        for (int i = 0; i < samples + WARM_UPS; i++) {
            Collections.rotate(all, 1);
            for (LineProcess one : all) {
                double sample = nanosPerMessage(one, underWay);
                if (one != ours) one.ask("rest", "done");
                if (i >= WARM_UPS) nanos.get(one).add(sample);
            }
        }
        double limit =
                raw.stream().mapToDouble(one -> nanos.get(one).median()).min().getAsDouble();
        String bytes = ours.ask("allocation " + ALLOCATION_TRIPS + " " + underWay, "done");
        double allocated = Double.parseDouble(bytes) / ALLOCATION_TRIPS / underWay;
        report(underWay, nanos.get(ours), limit, Math.max(0, allocated));
    }

    private void report(int underWay, Samples ours, double limit, double allocated) {
        double nanos = ours.median();
        boolean alone = underWay == 1;
        // With one round at a time the time counts, with many the rate.
        double ratio = alone ? nanos / limit : limit / nanos;
        boolean holds = (alone ? ratio <= MAX_RATIO : ratio >= MIN_SHARE) && allocated < MIN_ALLOCATION;
        results.accept(new FabricResult(
                "tcp",
                alone ? "read8" : "read8-" + underWay + "coordinators",
                nanos,
                limit,
                ratio,
                allocated,
                ours.spread(),
                alone ? "ratio <= 1.5, 0 bytes" : "rate >= 0.4, 0 bytes",
                holds));
    }

    private double nanosPerMessage(LineProcess ping, int underWay) {
        String[] done = ping.ask("exchange " + millis + " " + underWay, "done").split(" ", -1);
        return Double.parseDouble(done[1]) / Double.parseDouble(done[0]) / underWay;
    }
}
