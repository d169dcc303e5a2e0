package tidepool.bench.growth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import tidepool.Tidepool;
import tidepool.bench.TemporaryPool;
import tidepool.bench.node.TemporaryNodes;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.store.ObjectLayout;
import tidepool.store.RowFormat;
import tidepool.store.SlotTrailer;

/**
 * {@code bench growth}: inserts into a table that was made for few rows and grows, next to the same inserts into a
 * table that was made for all of them. Both are filled in each round, in turns, so that a disturbance of the machine
 * meets both. A pause of both is one of the machine.
 */
public final class GrowthBench {
    private static final int NODES = 2;
    private static final int REPLICAS = 2;
    private static final long WARM_UP_ROWS = 64_000;
    private static final long LOGS = 96L << 20;
    private static final long BUCKET_HEAD = 64;

    /** The most slots for each row: buckets two thirds full, the last area, and overflow buckets. */
    private static final int SLOTS_PER_ROW = 3;

    private static final String ROW = "%-11s %11s %8s %8s %8s %9s %9s %9s %7s %9s %6s %6s %7s %6s %9s %9s";

    private final GrowthOptions options;
    private final Consumer<String> out;

    public GrowthBench(GrowthOptions options, Consumer<String> out) {
        this.options = options;
        this.out = out;
    }

    /** The rounds of one of both tables. */
    private static final class Column {
        final String name;
        final InsertTally inserts = new InsertTally();
        final InsertTally reads = new InsertTally();
        final List<FillRun> rounds = new ArrayList<>();

        Column(String name) {
            this.name = name;
        }

        void add(FillRun run) {
            rounds.add(run);
            inserts.add(run.inserts());
            reads.add(run.reads());
        }

        double median(ToDoubleFunction<FillRun> figure) {
            double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
            return sorted[sorted.length / 2];
        }
    }

    /** Runs all rounds, and prints a line for each table and the ratios. Fails if a table has not all rows. */
    public void run() {
        long bytes = options.bytes() == 0 ? neededBytes() : options.bytes();
        String parameters = "replicas=" + REPLICAS + "&memory=" + partitionBytes(bytes) + "&timeout=60s&protocol="
                + options.protocol().replace('?', '&');
        switch (options.fabric()) {
            case "mem" -> measure("mem:?nodes=" + NODES + "&" + parameters);
            case "tcp" -> {
                try (TemporaryPool place = TemporaryPool.create(1 << 20);
                        TemporaryNodes nodes = TemporaryNodes.start(
                                NODES, bytes, place.folder(), System.getProperty("java.class.path"))) {
                    measure(nodes.url(parameters));
                }
            }
            default -> {
                try (TemporaryPool place = TemporaryPool.create(bytes)) {
                    measure(place.url("nodes=" + NODES + "&" + parameters));
                }
            }
        }
    }

    /** Returns the bytes of two tables of the grown size, in all copies, with logs. */
    private long neededBytes() {
        Protocol protocol = Protocols.named(options.protocol());
        RowFormat format = protocol.rows(FillRun.schema("rows"));
        long slot = ObjectLayout.bytes(format.contentBytes()) + SlotTrailer.MAX_BYTES + format.sideStride();
        return LOGS + 2 * REPLICAS * options.grown() * (SLOTS_PER_ROW * slot + BUCKET_HEAD);
    }

    /** Returns the bytes of a copy of a partition, of which each node has one for each partition. */
    private static long partitionBytes(long bytes) {
        return (bytes - LOGS) / (NODES * REPLICAS) & -BUCKET_HEAD;
    }

    private void measure(String url) {
        Column grows = new Column("grows");
        Column large = new Column("made large");
        try (Tidepool pool = Tidepool.open(url)) {
            GrowthOptions warm = options.warmUp(WARM_UP_ROWS);
            fill(pool, "warm-up-large", warm.grown(), warm);
            fill(pool, "warm-up", warm.rows(), warm);
            for (int round = 1; round <= options.rounds(); round++) {
                boolean first = round % 2 == 1;
                if (first) grows.add(fill(pool, "grows", options.rows(), options));
                if (!options.isAlone()) large.add(fill(pool, "large", options.grown(), options));
                if (!first) grows.add(fill(pool, "grows", options.rows(), options));
            }
        }
        print(grows, large);
    }

    private static FillRun fill(Tidepool pool, String name, long madeFor, GrowthOptions options) {
        FillRun run = new FillRun(pool, name, madeFor, options.grown(), options.threads());
        run.run();
        run.requireComplete();
        run.drop();
        return run;
    }

    private void print(Column grows, Column large) {
        out.accept(format(
                "%s/%s: a table that was made for %,d rows takes %,d; %d threads insert, one reads; rounds: %d",
                options.protocol(),
                options.fabric(),
                options.rows(),
                options.grown(),
                options.threads(),
                options.rounds()));
        out.accept(format(
                ROW,
                "",
                "inserts/s",
                "p50 us",
                "p99 us",
                "p99.9 us",
                "max us",
                "its trips",
                "pause us",
                "CPU us",
                "most CPU",
                "trips",
                "verbs",
                "splits",
                "areas",
                "reads/s",
                "pause us"));
        row(grows);
        if (!options.isAlone()) compare(grows, large);
        out.accept("A pause is the time of a thread from the end of an insert, or of a read, to the end of the next."
                + " Most CPU, trips and verbs are those of the insert that needed most, with the splits that it made.");
    }

    private void compare(Column grows, Column large) {
        row(large);
        out.accept("grows / made large: inserts/s " + ratio(grows, large, FillRun::insertsPerSecond)
                + ", p50 " + ratio(grows, large, run -> run.inserts().micros(50))
                + ", p99 " + ratio(grows, large, run -> run.inserts().micros(99))
                + ", longest pause " + ratio(grows, large, run -> run.inserts().longestPauseMicros())
                + ", CPU " + ratio(grows, large, run -> run.inserts().cpuMicrosEach()));
    }

    private void row(Column column) {
        out.accept(format(
                ROW,
                column.name,
                format("%,.0f", column.median(FillRun::insertsPerSecond)),
                format("%.1f", column.inserts.micros(50)),
                format("%.1f", column.inserts.micros(99)),
                format("%.1f", column.inserts.micros(99.9)),
                format("%,.0f", column.inserts.longestMicros()),
                format("%,d", column.inserts.tripsOfLongest()),
                format("%,.0f", column.inserts.longestPauseMicros()),
                format("%.2f", column.inserts.cpuMicrosEach()),
                format("%,.0f", column.inserts.mostCpuMicros()),
                format("%,d", column.inserts.mostTrips()),
                format("%,d", column.inserts.mostVerbs()),
                format("%,.0f", column.median(FillRun::splits)),
                format("%.0f", column.median(FillRun::areas)),
                format("%,.0f", column.median(FillRun::readsPerSecond)),
                format("%,.0f", column.reads.longestPauseMicros())));
    }

    private static String ratio(Column one, Column other, ToDoubleFunction<FillRun> figure) {
        double[] ratios = new double[one.rounds.size()];
        Arrays.setAll(ratios, i -> figure.applyAsDouble(one.rounds.get(i)) / figure.applyAsDouble(other.rounds.get(i)));
        Arrays.sort(ratios);
        return format("%.2f (%.2f..%.2f)", ratios[ratios.length / 2], ratios[0], ratios[ratios.length - 1]);
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
