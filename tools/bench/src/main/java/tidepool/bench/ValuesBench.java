package tidepool.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.TransactionTooLargeException;
import tidepool.base.Clock;
import tidepool.bench.node.TemporaryNodes;
import tidepool.schema.Key;

/**
 * {@code bench values}: the time of a put and of a get of one long value, by its length. Each put replaces the value
 * that it finds, so it also deletes the parts of the value before.
 */
public final class ValuesBench {
    private static final int NODES = 2;
    private static final int KEYS = 8;
    private static final long NODE_BYTES = 1L << 30;
    private static final long NANOS_PER_MICRO = 1_000;

    /** The table that is measured. */
    record Blob(@Key long id, String content) {}

    /** The result for a length: medians of a put and of a get. */
    public record Figure(int length, double putMicros, double getMicros) {
        /** Returns megabytes per second that are read. */
        double readRate() {
            return length / getMicros;
        }
    }

    private final String fabric;
    private final String parameters;
    private final List<Integer> lengths;
    private final long nanos;

    /**
     * Describes what is measured.
     *
     * @param fabric mem, shm or tcp
     * @param parameters of the pool, as in {@code protocol=motor}; perhaps empty
     * @param nanos how long each length is measured, puts and gets each
     */
    public ValuesBench(String fabric, String parameters, List<Integer> lengths, long nanos) {
        this.fabric = fabric;
        this.parameters = parameters;
        this.lengths = lengths;
        this.nanos = nanos;
    }

    /** Measures, and prints a line for each length. Returns what was measured. */
    public List<Figure> run(Consumer<String> out) {
        String options = "replicas=2&memory=256m&log=2m&timeout=60s" + (parameters.isEmpty() ? "" : "&" + parameters);
        return switch (fabric) {
            case "mem" -> measure("mem:?nodes=" + NODES + "&" + options, out);
            case "tcp" -> {
                try (TemporaryPool place = TemporaryPool.create(NODE_BYTES / 16);
                        TemporaryNodes nodes = TemporaryNodes.start(
                                NODES, NODE_BYTES, place.folder(), System.getProperty("java.class.path"))) {
                    yield measure(nodes.url(options), out);
                }
            }
            default -> {
                try (TemporaryPool place = TemporaryPool.create(2 * NODE_BYTES)) {
                    yield measure(place.url("nodes=" + NODES + "&" + options), out);
                }
            }
        };
    }

    private List<Figure> measure(String url, Consumer<String> out) {
        List<Figure> figures = new ArrayList<>();
        out.accept("     bytes      put us      get us    get MB/s");
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Blob> blobs = pool.table("blobs", Blob.class, 2000);
            for (int length : lengths) {
                try {
                    Figure figure = measure(pool, blobs, length);
                    figures.add(figure);
                    out.accept(String.format(
                            Locale.ROOT,
                            "%10d %11.1f %11.1f %11.1f",
                            length,
                            figure.putMicros,
                            figure.getMicros,
                            figure.readRate()));
                } catch (TransactionTooLargeException e) {
                    out.accept(String.format(Locale.ROOT, "%10d  too large: %s", length, e.getMessage()));
                }
            }
        }
        return figures;
    }

    private Figure measure(Tidepool pool, Table<Blob> blobs, int length) {
        String content = "tidepool".repeat(length / 8 + 1).substring(0, length);
        double put = median(id -> pool.transact(tx -> blobs.put(tx, new Blob(id, content))));
        double get = median(id -> {
            String found = pool.read(tx -> blobs.get(tx, id)).content();
            if (found.length() != length)
                throw new IllegalStateException("a value has another length: " + found.length());
        });
        return new Figure(length, put, get);
    }

    private interface Act {
        void on(long id);
    }

    /** Returns the median time of an act in microseconds; the first half of the time is for the compilers. */
    private double median(Act act) {
        for (long id = 0; id < KEYS; id++) act.on(id);
        long begin = Clock.current().nowNanos();
        long[] times = new long[1 << 20];
        int count = 0;
        for (long id = 0; ; id = (id + 1) % KEYS) {
            long before = Clock.current().nowNanos();
            act.on(id);
            long now = Clock.current().nowNanos();
            if (now - begin > nanos / 2 && count < times.length) times[count++] = now - before;
            if (now - begin > nanos && count > 0) break;
        }
        Arrays.sort(times, 0, count);
        return (double) times[count / 2] / NANOS_PER_MICRO;
    }
}
