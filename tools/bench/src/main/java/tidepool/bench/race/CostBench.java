package tidepool.bench.race;

import static tidepool.bench.race.RaceTable.format;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import tidepool.bench.JsonReport;
import tidepool.bench.TemporaryPool;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

/**
 * {@code bench cost}: the cost of a transaction as work grows. It varies the records, the records of a transaction, the
 * threads, and uniform and skewed keys. There is one pool for each number of records, inside this process. Each point
 * is the median of three rounds.
 */
public final class CostBench {
    private static final int ROUNDS = 3;
    private static final String ROW = "%7s %12s %-10s %8s %12s %12s %14s %8s %9s %9s %8s";

    private final CostOptions options;
    private final Consumer<String> out;
    private final Consumer<String> progress;
    private final List<CostPoint> points = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();

    /**
     * @param out takes the rows of the table as they are measured
     * @param progress takes the current activity
     */
    public CostBench(CostOptions options, Consumer<String> out, Consumer<String> progress) {
        this.options = options;
        this.out = out;
        this.progress = progress;
    }

    /** Measures all points. Waits for all rounds. */
    public void run() {
        out.accept(options.protocol() + "/" + options.fabric() + "; kvs, " + options.writes()
                + " % of the records of a transaction are written; median of " + ROUNDS + " rounds of "
                + options.millis() / 1e3 + " s; seed " + options.seed());
        out.accept(format(
                ROW,
                "threads",
                "records",
                "keys",
                "rec/txn",
                "ns/txn",
                "ns/record",
                "commits/s",
                "spread",
                "p99 us",
                "aborts/s",
                "trips"));
        for (long records : options.records()) measure(records);
        progress.accept("");
        out.accept("ns/txn is the time of one thread for each commit, aborted attempts included.");
        wrong.forEach(sentence -> out.accept("WRONG     " + sentence));
    }

    /** Returns whether every pool held what was committed. */
    public boolean isRight() {
        return wrong.isEmpty();
    }

    private void measure(long records) {
        RaceEntry entry = RaceEntry.ours(options.protocol(), options.fabric());
        ContenderOptions contender;
        var whole = Workloads.named(options.workload(records, 1, 0), Scale.PAPER);
        int threads = options.maxThreads();
        long bytes = options.fabric().equals("shm")
                ? PoolSize.of("shm", whole, threads).allBytes()
                : 0;
        try (TemporaryPool place = TemporaryPool.create(bytes)) {
            contender = new ContenderOptions(entry, whole, place.folder(), threads, threads, PoolShape.USUAL, 0);
            progress.accept(format("loading %,d records", records));
            try (PoolContender pool = new PoolContender(contender)) {
                warmUp(pool, records);
                for (int count : options.threads())
                    for (double zipf : options.zipf())
                        for (int objects : options.objects()) point(pool, count, records, zipf, objects);
                progress.accept(format("checking %,d records", records));
                for (String sentence : pool.check()) wrong.add(records + " records: " + sentence);
            }
        }
    }

    /**
     * Warms up, so that coordinators know the addresses of records, and the compiler has seen short and long
     * transactions.
     */
    private void warmUp(PoolContender pool, long records) {
        progress.accept(format("warming up with %,d records", records));
        boolean sweeps = true;
        for (int objects : options.objects()) {
            draw(pool, records, options.zipf().getFirst(), objects);
            try (ContenderThreads contenderThreads = contenderThreads(pool, options.maxThreads())) {
                if (sweeps) contenderThreads.warmUp();
                contenderThreads.round(options.warmUpMillis() * 1_000_000, now -> {});
            }
            sweeps = false;
        }
    }

    private void draw(PoolContender pool, long records, double zipf, int objects) {
        pool.draw(Workloads.named(options.workload(records, objects, zipf), Scale.PAPER));
    }

    private ContenderThreads contenderThreads(PoolContender pool, int threads) {
        return new ContenderThreads(pool, new ThreadOptions(threads, 1, 0, options.seed()));
    }

    private void point(PoolContender pool, int threads, long records, double zipf, int objects) {
        draw(pool, records, zipf, objects);
        Standing standing = new Standing(RaceEntry.ours(options.protocol(), options.fabric()), "", pool.types());
        try (ContenderThreads contenderThreads = contenderThreads(pool, threads)) {
            contenderThreads.round(options.warmUpMillis() * 1_000_000, now -> {});
            for (int i = 0; i < ROUNDS; i++)
                standing.add(contenderThreads.round(options.millis() * 1_000_000, now -> {}));
        }
        CostPoint point = new CostPoint(threads, records, zipf, objects, standing);
        points.add(point);
        progress.accept("");
        out.accept(row(point));
    }

    private static String row(CostPoint point) {
        Standing standing = point.standing();
        return format(
                ROW,
                point.threads(),
                format("%,d", point.records()),
                point.distribution(),
                point.objects(),
                format("%,.0f", point.nanosPerTransaction()),
                format("%,.0f", point.nanosPerRecord()),
                format("%,.0f", standing.commitsPerSecond()),
                format("%.0f %%", 100 * standing.spread()),
                format("%.1f", standing.latency().getValueAtPercentile(99) / 1e3),
                format("%,.0f", standing.abortsPerSecond()),
                format("%.2f", standing.perTransaction(TypeTally::roundTrips)));
    }

    public void writeJson(Path file) {
        JsonReport.write(file, "bench cost", points, CostBench::write);
    }

    private static void write(JsonGenerator json, CostPoint point) throws IOException {
        Standing standing = point.standing();
        Histogram latency = standing.latency();
        json.writeStringField("contender", standing.label());
        json.writeStringField("workload", "kvs");
        json.writeNumberField("threads", point.threads());
        json.writeNumberField("records", point.records());
        json.writeNumberField("zipf", point.zipf());
        json.writeNumberField("recordsPerTransaction", point.objects());
        json.writeNumberField("nanosPerTransaction", point.nanosPerTransaction());
        json.writeNumberField("nanosPerRecord", point.nanosPerRecord());
        json.writeNumberField("commitsPerSecond", standing.commitsPerSecond());
        json.writeNumberField("spread", standing.spread());
        json.writeNumberField("p50Micros", latency.getValueAtPercentile(50) / 1e3);
        json.writeNumberField("p99Micros", latency.getValueAtPercentile(99) / 1e3);
        json.writeNumberField("abortsPerSecond", standing.abortsPerSecond());
        json.writeNumberField("roundTripsPerTransaction", standing.perTransaction(TypeTally::roundTrips));
        json.writeNumberField("bytesAllocatedPerTransaction", standing.bytesAllocatedPerTransaction());
    }
}
