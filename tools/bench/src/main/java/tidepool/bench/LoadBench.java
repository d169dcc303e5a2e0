package tidepool.bench;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import tidepool.Table;
import tidepool.TableLoader;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.base.Randomness;
import tidepool.bench.node.TemporaryNodes;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.txn.Txn;

/**
 * The rate of a bulk load next to that of one insert per transaction, on one thread, with rows of 100 bytes. All
 * contenders insert the same rows into an empty table of their own pool. They work in turns, a slice of the rows each,
 * so that a disturbance of the machine meets all of them.
 */
public final class LoadBench {
    /** Rows of a turn. */
    private static final int SLICE = 5_000;

    private static final int BYTES = 100;
    private static final int NODES = 2;
    private static final long POOL_BYTES_PER_ROW = 1_000;
    private static final long POOL_BYTES = 64L << 20;

    /**
     * What is measured.
     *
     * @param protocol the protocol, with its switches as in a URL
     * @param fabric mem, shm or tcp, with memory nodes in processes of their own
     * @param rows the rows of each round
     * @param rounds the rounds, after one that does not count
     * @param batch the rows of a batch of the loader
     * @param isShuffled whether keys come in random order, otherwise in that of their numbers
     */
    public record Options(String protocol, String fabric, int rows, int rounds, int batch, boolean isShuffled) {}

    @SuppressWarnings("ArrayRecordComponent") // rows are not compared
    record Row(@Key long id, @Length(BYTES) byte[] content) {}

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Options options;
    private final Consumer<String> out;
    private final long[] keys;
    private final byte[] content = new byte[BYTES];
    private boolean isRight = true;

    public LoadBench(Options options, Consumer<String> out) {
        this.options = options;
        this.out = out;
        this.keys = new long[options.rows()];
        Arrays.setAll(keys, i -> i);
        if (options.isShuffled()) shuffle();
        Arrays.fill(content, (byte) 7);
    }

    private void shuffle() {
        Randomness random = new Randomness(1);
        for (int i = keys.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            long key = keys[i];
            keys[i] = keys[other];
            keys[other] = key;
        }
    }

    /** A way to insert rows. It has a pool of its own. */
    private abstract class Way implements AutoCloseable {
        final String name;
        private final TemporaryPool place;
        private final TemporaryNodes nodes; // null where no processes serve the pool
        final Tidepool pool;
        final Table<Row> table;
        private long wall;
        private long cpu;

        Way(String name) {
            this.name = name;
            long memory = POOL_BYTES + options.rows() * POOL_BYTES_PER_ROW;
            String parameters = "replicas=2&memory=" + memory + "&protocol="
                    + options.protocol().replace('?', '&');
            place = TemporaryPool.create(2 * memory);
            nodes = options.fabric().equals("tcp")
                    ? TemporaryNodes.start(
                            NODES, NODES * 2 * memory, place.folder(), System.getProperty("java.class.path"))
                    : null;
            pool = Tidepool.open(
                    switch (options.fabric()) {
                        case "tcp" -> nodes.url(parameters);
                        case "shm" -> place.url("nodes=" + NODES + "&" + parameters);
                        default -> "mem:?nodes=" + NODES + "&" + parameters;
                    });
            table = pool.table("rows", Row.class, options.rows());
        }

        /** Inserts the rows of a turn, and waits until they are committed. */
        abstract void insert(int from, int to);

        final void turn(int from, int to) {
            long cpuBegun = THREADS.getCurrentThreadCpuTime();
            long begun = System.nanoTime();
            insert(from, to);
            wall += System.nanoTime() - begun;
            cpu += THREADS.getCurrentThreadCpuTime() - cpuBegun;
        }

        @Override
        public void close() {
            isRight &= table.stream().count() == options.rows();
            pool.close();
            if (nodes != null) nodes.close();
            place.close();
        }
    }

    private final class Transacting extends Way {
        Transacting() {
            super("transact");
        }

        @Override
        void insert(int from, int to) {
            for (int i = from; i < to; i++) {
                Row row = new Row(keys[i], content);
                pool.transact(tx -> table.insert(tx, row));
            }
        }
    }

    private final class OnFields extends Way implements Worker.Work {
        private final Worker worker = pool.worker();
        private long key;

        OnFields() {
            super("worker");
        }

        @Override
        void insert(int from, int to) {
            for (int i = from; i < to; i++) {
                key = keys[i];
                worker.transact(this);
            }
        }

        @Override
        public boolean run(Txn txn) {
            int access = txn.insert(table.handle(), key);
            if (!txn.execute()) return false;
            MemorySegment.copy(content, 0, txn.memory(), ValueLayout.JAVA_BYTE, txn.value(access), BYTES);
            return true;
        }

        @Override
        public void close() {
            worker.close();
            super.close();
        }
    }

    private final class Loading extends Way {
        private final TableLoader<Row> loader = table.loader().batch(options.batch());

        Loading() {
            super("loader");
        }

        @Override
        void insert(int from, int to) {
            for (int i = from; i < to; i++) loader.add(new Row(keys[i], content));
            loader.flush();
        }

        @Override
        public void close() {
            loader.close();
            super.close();
        }
    }

    /** Runs all rounds and prints a line for each way. Returns whether every table had all rows. */
    public boolean run() {
        double[][] wall = new double[3][options.rounds()];
        double[][] cpu = new double[3][options.rounds()];
        String[] names = new String[3];
        for (int round = -1; round < options.rounds(); round++) {
            try (Way transacting = new Transacting();
                    Way onFields = new OnFields();
                    Way loading = new Loading()) {
                Way[] ways = {transacting, onFields, loading};
                for (int from = 0; from < options.rows(); from += SLICE)
                    for (Way way : ways) way.turn(from, Math.min(options.rows(), from + SLICE));
                for (int i = 0; i < ways.length && round >= 0; i++) {
                    names[i] = ways[i].name;
                    wall[i][round] = options.rows() * 1e9 / ways[i].wall;
                    cpu[i][round] = ways[i].cpu / 1e3 / options.rows();
                }
            }
        }
        out.accept(String.format(
                Locale.ROOT,
                "%-10s %12s %8s   %-22s %s",
                "",
                "rows/s",
                "CPU us",
                "loader is times as fast",
                "needs CPU of loader times"));
        for (int i = 0; i < names.length; i++)
            out.accept(String.format(
                    Locale.ROOT,
                    "%-10s %,12.0f %8.2f   %-22s %s",
                    names[i],
                    median(wall[i]),
                    median(cpu[i]),
                    ratio(wall[2], wall[i]),
                    ratio(cpu[i], cpu[2])));
        if (!isRight) out.accept("a table has not all rows");
        return isRight;
    }

    private static String ratio(double[] one, double[] other) {
        double[] ratios = new double[one.length];
        Arrays.setAll(ratios, i -> one[i] / other[i]);
        Arrays.sort(ratios);
        return String.format(Locale.ROOT, "%.2f (%.2f..%.2f)", median(ratios), ratios[0], ratios[ratios.length - 1]);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
