package tidepool.bench.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.base.Clock;
import tidepool.base.Randomness;
import tidepool.bench.TemporaryPool;
import tidepool.schema.EightByteKeys;
import tidepool.schema.IndexSchema;
import tidepool.store.TableLayout;
import tidepool.txn.RangeScan;
import tidepool.txn.Txn;

/**
 * {@code bench index}: fills ordered tables in three orders, and scans one of them. Protocols and orders take turns in
 * every round.
 */
public final class IndexBench {
    private static final int NODES = 2;
    private static final long WARM_UP_ROWS = 20_000;
    private static final long BYTES_PER_ROW = 2_000;
    private static final long MORE_BYTES = 256L << 20;
    private static final int[] LENGTHS = {1, 10, 100, 1000};
    private static final int SCANS = 300;
    private static final String ROW = "%-12s %-10s %10s %9s %8s %9s %9s %7s %6s %8s %6s";
    private static final String SCAN = "%-12s %9s %9s %12s %9s %12s";

    private final IndexOptions options;
    private final Consumer<String> out;

    public IndexBench(IndexOptions options, Consumer<String> out) {
        this.options = options;
        this.out = out;
    }

    /** A fill and the shape that it left. */
    private record Filled(IndexFill fill, TreeShape shape) {}

    /** Runs all rounds and prints a line for each protocol and order. Fails if an index has not all rows. */
    public void run() {
        List<List<List<Filled>>> all = new ArrayList<>(); // by protocol and order
        List<String> scans = new ArrayList<>();
        for (int p = 0; p < options.protocols().size(); p++) {
            all.add(new ArrayList<>());
            for (int i = 0; i < KeyOrder.values().length; i++) all.getLast().add(new ArrayList<>());
        }
        for (int round = 0; round < options.rounds(); round++)
            for (int p = 0; p < options.protocols().size(); p++)
                inPool(options.protocols().get(p), round, all.get(p), scans);
        print(all, scans);
    }

    private void inPool(String protocol, int round, List<List<Filled>> results, List<String> scans) {
        long bytes = MORE_BYTES + BYTES_PER_ROW * options.rows();
        String parameters = "nodes=" + NODES + "&replicas=2&memory=" + (bytes / NODES & -64) + "&timeout=60s&protocol="
                + protocol.replace('?', '&');
        if (options.fabric().equals("mem")) {
            inPool("mem:?" + parameters, protocol, round, results, scans);
            return;
        }
        try (TemporaryPool place = TemporaryPool.create(2 * bytes)) {
            inPool(place.url(parameters), protocol, round, results, scans);
        }
    }

    private void inPool(String url, String protocol, int round, List<List<Filled>> results, List<String> scans) {
        try (Tidepool pool = Tidepool.open(url)) {
            long few = Math.min(WARM_UP_ROWS, options.rows());
            for (KeyOrder order : KeyOrder.values())
                fill(pool, "warm", order, few).fill.drop();
            for (KeyOrder order : KeyOrder.values()) {
                Filled filled = fill(pool, order.text(), order, options.rows());
                results.get(order.ordinal()).add(filled);
                if (order == KeyOrder.RANDOM && round == options.rounds() - 1)
                    scan(pool, protocol, filled.fill.table(), scans);
                filled.fill.drop();
            }
        }
    }

    private Filled fill(Tidepool pool, String name, KeyOrder order, long rows) {
        IndexFill fill = new IndexFill(pool, name, order, rows, options.threads());
        fill.run();
        return new Filled(fill, fill.requireWhole());
    }

    // ---- scans

    private void scan(Tidepool pool, String protocol, TableLayout table, List<String> lines) {
        for (int length : LENGTHS) {
            if (length > options.rows()) continue;
            Scan keys = new Scan(
                    new RangeScan(table, IndexSchema.PRIMARY).limit(length).keysOnly(), length);
            Scan rows = new Scan(new RangeScan(table, IndexSchema.PRIMARY).limit(length), length);
            lines.add(format(
                    SCAN,
                    protocol,
                    format("%,d", length),
                    format("%d", usual(pool, keys)),
                    format("%.1f", keys.medianMicros()),
                    format("%d", usual(pool, rows)),
                    format("%.1f", rows.medianMicros())));
        }
    }

    /** Runs a scan many times from random keys on. Returns its median of round trips. */
    private long usual(Tidepool pool, Scan scan) {
        Randomness random = new Randomness(7);
        Clock clock = Clock.system();
        long[] trips = new long[SCANS];
        try (Worker worker = pool.worker()) {
            for (int i = -SCANS; i < SCANS; i++) { // the first half warms up
                scan.from = EightByteKeys.hash(random.nextLong(options.rows())) - 1;
                long begun = clock.nowNanos();
                worker.read(scan);
                if (i < 0) continue;
                scan.nanos[i] = clock.nowNanos() - begun;
                trips[i] = worker.roundTrips();
            }
        }
        Arrays.sort(trips);
        return trips[SCANS / 2];
    }

    private static final class Scan implements Worker.Work {
        private final RangeScan range;
        private final int length;
        private final long[] nanos = new long[SCANS];
        private long from;

        Scan(RangeScan range, int length) {
            this.range = range;
            this.length = length;
        }

        @Override
        public boolean run(Txn txn) {
            range.from(from).begin();
            int found = 0;
            while (range.hasNext()) {
                if (!txn.scan(range)) return false;
                found += range.rows();
            }
            if (found > length) throw new IllegalStateException("a scan has more rows than its limit: " + found);
            return true;
        }

        double medianMicros() {
            Arrays.sort(nanos);
            return nanos[SCANS / 2] / 1e3;
        }
    }

    // ---- output

    private void print(List<List<List<Filled>>> all, List<String> scans) {
        out.accept(format(
                "%s: ordered tables take %,d rows; %d threads; rounds: %d, the middle one by its rate",
                options.fabric(), options.rows(), options.threads(), options.rounds()));
        out.accept(format(
                ROW,
                "protocol",
                "keys",
                "commits/s",
                "aborts/c",
                "p50 us",
                "p99.9 us",
                "max ms",
                "trips",
                "levels",
                "leaves",
                "fill %"));
        for (int p = 0; p < all.size(); p++)
            for (KeyOrder order : KeyOrder.values())
                row(options.protocols().get(p), order, all.get(p).get(order.ordinal()));
        out.accept("");
        out.accept(format(SCAN, "protocol", "scan of", "trips", "keys us", "trips", "rows us"));
        scans.forEach(out);
        out.accept("Ascending keys all go into the last leaf. Churning replaces a random row in each transaction. The"
                + " longest wait (max) is that of all rounds; aborts are attempts for each commit.");
    }

    private void row(String protocol, KeyOrder order, List<Filled> rounds) {
        List<Filled> sorted = rounds.stream()
                .sorted(Comparator.comparingDouble((Filled each) -> each.fill.perSecond()))
                .toList();
        Filled middle = sorted.get(sorted.size() / 2);
        double longest = rounds.stream()
                .mapToDouble(each -> each.fill.tally().longestMicros())
                .max()
                .orElse(0);
        out.accept(format(
                ROW,
                protocol,
                order.text(),
                format("%,.0f", middle.fill.perSecond()),
                format("%.4f", middle.fill.abortsPerCommit()),
                format("%.1f", middle.fill.tally().micros(50)),
                format("%.1f", middle.fill.tally().micros(99.9)),
                format("%.1f", longest / 1e3),
                format("%d", middle.fill.usualTrips()),
                format("%d", middle.shape.levels()),
                format("%,d", middle.shape.leaves()),
                format("%.0f", middle.shape.fill())));
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
