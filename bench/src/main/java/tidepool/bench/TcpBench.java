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
 * {@code tcp} against raw messages of the same size between two processes. Ours: a memory node and a client, each in a JVM
 * of its own. The limit: JVMs over one plain socket that both ends ask again and again, or over one that they sleep at,
 * whichever is faster by its median: on a machine with other work it is not the one that spins. Samples alternate, each time
 * in another order, because what comes right before matters, and whoever is not measured sleeps.
 */
final class TcpBench {
    private static final String SPINNING = "nio-spin";
    private static final String SLEEPING = "nio-select";
    private static final int COORDINATORS = 64;
    private static final long NODE_BYTES = 16 << 20;
    private static final int HEAP_MEGABYTES = 128;
    private static final double MOST_RATIO = 1.5;
    private static final double LEAST_SHARE = 0.4;

    /** A round that allocates does it every time; the JVM allocates a little now and then by itself. */
    private static final double LEAST_ALLOCATION = 0.01;

    private static final int ALLOCATION_TRIPS = 20_000;

    /** About as many rounds go into a sample as {@code --rounds} says, at some microseconds each. */
    private static final int ROUNDS_PER_MILLI = 400;

    private static final int LEAST_MILLIS = 20;
    private static final int WARM_UPS = 6;

    private final int samples;
    private final long millis;
    private final String classPath;
    private final Consumer<FabricResult> results;

    TcpBench(int samples, int roundsPerSample, String classPath, Consumer<FabricResult> results) {
        this.samples = samples;
        this.millis = Math.max(LEAST_MILLIS, roundsPerSample / ROUNDS_PER_MILLI);
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

    /** With clients of their own, as programs would be: one waits alone, or one has many strands. */
    private void run(Path folder, String url, int underWay) {
        try (ChildJvm spinner = start(folder, "pong", PongMain.class, SPINNING);
                ChildJvm spinning = start(folder, "ping", PingMain.class, SPINNING, spinner.answer("ready"));
                ChildJvm sleeper = start(folder, "pong", PongMain.class, SLEEPING);
                ChildJvm sleeping = start(folder, "ping", PingMain.class, SLEEPING, sleeper.answer("ready"));
                ChildJvm ours = start(folder, "client", PingMain.class, "fabric", url)) {
            List<ChildJvm> raw = List.of(spinning, sleeping);
            for (ChildJvm one : raw) one.answer("ready");
            ours.answer("ready");
            compare(ours, raw, underWay);
        }
    }

    private ChildJvm start(Path folder, String name, Class<?> main, String... arguments) {
        return ChildJvm.start(name, folder, classPath, HEAP_MEGABYTES, main, arguments);
    }

    private void compare(ChildJvm ours, List<ChildJvm> raw, int underWay) {
        List<ChildJvm> all = new ArrayList<>(raw);
        all.add(ours);
        Map<ChildJvm, Samples> nanos = new HashMap<>();
        for (ChildJvm one : all) nanos.put(one, new Samples(samples));
        for (int i = 0; i < samples + WARM_UPS; i++) {
            Collections.rotate(all, 1);
            for (ChildJvm one : all) {
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
        // Of one at a time the time counts, of many the rate.
        double ratio = alone ? nanos / limit : limit / nanos;
        boolean holds = (alone ? ratio <= MOST_RATIO : ratio >= LEAST_SHARE) && allocated < LEAST_ALLOCATION;
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

    private double nanosPerMessage(ChildJvm ping, int underWay) {
        String[] done = ping.ask("exchange " + millis + " " + underWay, "done").split(" ", -1);
        return Double.parseDouble(done[1]) / Double.parseDouble(done[0]) / underWay;
    }
}
