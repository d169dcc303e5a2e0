package tidepool.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tidepool.Cell;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.TransactionBody;
import tidepool.base.Checks;
import tidepool.base.Waiting;
import tidepool.fabric.Traffic;
import tidepool.fabric.VerbKind;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.Step;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.txn.RangeScan;

/**
 * Measures the table of round trips: the verbs that a transaction of each shape sends until its outcome is known, with
 * cached addresses and without conflicts. The fabric counts them, so the figures are exact and equal on every machine.
 */
public final class RoundTrips {
    /** The number of keys of the shape {@code read-only-n}. */
    public static final int READ = 3;

    /** The simulator with nodes that keep journals, as nodes over TCP do. */
    private static final String JOURNALS = "sim-journals";

    private static final int LOADED = 10;

    /** Rows of the table that is scanned, which has several leaves, and rows of a scan, which lie in two leaves. */
    private static final int ORDERED = 300;

    private static final int SCANNED = 64;

    /** The shapes that write or read one row or a few, and those of ordered tables. */
    private static final List<String> SHAPES = List.of(
            "read-only-1",
            "read-only-n",
            "read-write",
            "read-write-ro",
            "insert",
            "delete",
            "scan-keys",
            "scan-rows",
            "insert-ordered");

    /** The time after which the background work of the previous transaction has ended and its locks are free. */
    private static final long SETTLE_NANOS = 100_000;

    /** The promised trips of each protocol for each of {@link #SHAPES}. */
    private static final Map<String, List<Integer>> PROMISED = promised();

    private RoundTrips() {}

    private static Map<String, List<Integer>> promised() {
        Map<String, List<Integer>> all = new LinkedHashMap<>();
        all.put("ford", List.of(1, 2, 2, 3, 3, 2, 2, 3, 3));
        all.put("ford?locking=separate", List.of(1, 2, 3, 4, 3, 3, 2, 3, 3));
        all.put("ford?commit=separate", List.of(1, 2, 3, 4, 4, 3, 2, 3, 4));
        all.put("ford?undo=parallel", List.of(1, 2, 3, 3, 4, 3, 2, 3, 4));
        all.put("ford?reads=backup", List.of(1, 2, 2, 3, 3, 2, 2, 3, 3));
        all.put("ford-lv", List.of(1, 1, 2, 2, 3, 2, 1, 2, 3));
        all.put("ford-lv?vcache=global", List.of(1, 1, 2, 2, 3, 2, 1, 2, 3));
        all.put("farm", List.of(1, 2, 5, 5, 5, 5, 2, 3, 5));
        all.put("drtmh", List.of(1, 2, 3, 4, 3, 3, 2, 3, 3));
        all.put("drtmh?report=commit", List.of(1, 2, 4, 5, 4, 4, 2, 3, 4));
        all.put("farmv2", List.of(1, 1, 4, 5, 4, 4, 1, 2, 4));
        all.put("motor", List.of(2, 2, 3, 4, 3, 3, 2, 4, 4));
        all.put("motor?isolation=snapshot", List.of(2, 2, 3, 3, 3, 3, 2, 4, 4));
        all.put("hdtx", List.of(1, 2, 2, 3, 3, 2, 2, 3, 3));
        all.put("hdtx?reads=locked", List.of(1, 2, 2, 2, 3, 2, 2, 3, 3));
        all.put("hdtx?release=client", List.of(1, 2, 2, 3, 3, 2, 2, 3, 3));
        all.put("hdtx?locks=spin", List.of(1, 2, 2, 3, 3, 2, 2, 3, 3));
        all.put("hdtx-published", List.of(1, 2, 2, 2, 3, 2, 2, 3, 3));
        all.put("ford?flush=selective", List.of(1, 2, 3, 3, 3, 3, 2, 3, 4));
        all.put("ford?flush=full", List.of(1, 2, 3, 3, 3, 3, 2, 3, 4));
        return all;
    }

    /**
     * Returns the promised trips. Where nodes keep journals, a log that must outlast a loss of power travels with the
     * data, like any other log.
     */
    private static List<Integer> promised(String protocol, String fabric) {
        return PROMISED.get(fabric.equals(JOURNALS) && protocol.startsWith("ford?flush=") ? "ford" : protocol);
    }

    /** Returns the protocols, with switches, whose table can be measured. */
    public static List<String> protocols() {
        return List.copyOf(PROMISED.keySet());
    }

    /**
     * The result of one shape on one fabric.
     *
     * @param shape one of {@link #SHAPES}
     * @param paper round trips that the table of the design promises
     * @param traffic all traffic, also in the background
     */
    public record Row(String protocol, String fabric, String shape, int paper, Traffic traffic) {
        public long roundTrips() {
            return traffic.roundTrips();
        }

        /** Returns the share of each step that has sent verbs, in the order of the protocol's table, others last. */
        public List<StepShare> steps() {
            List<Step> order = new ArrayList<>(Protocols.named(protocol).steps());
            for (Step step : Step.values()) if (!order.contains(step)) order.add(step);
            return order.stream()
                    .map(step -> new StepShare(step, traffic.share(step.ordinal())))
                    .filter(step -> step.share.isAny())
                    .toList();
        }

        /** {@code 3 READ, 1 CAS}. */
        public String verbs() {
            return verbs(false);
        }

        /** Returns the verbs of background rounds, after the outcome. */
        public String backgroundVerbs() {
            return verbs(true);
        }

        private String verbs(boolean background) {
            List<String> parts = new ArrayList<>();
            for (VerbKind kind : VerbKind.values()) {
                long count = background ? traffic.backgroundVerbs(kind) : traffic.verbs(kind);
                if (count > 0) parts.add(count + " " + kind);
            }
            return parts.isEmpty() ? "none" : String.join(", ", parts);
        }
    }

    /** The trips, verbs and bytes of one step of the protocol's table. */
    public record StepShare(Step step, Traffic.Share share) {}

    /** Measures on a fabric by its name: {@code mem}, {@code shm}, {@code sim}, {@code sim-journals}. */
    public static List<Row> measure(String protocol, String fabric) {
        return switch (fabric) {
            case "mem" -> measureAt(protocol, fabric, "mem:?nodes=3&");
            case "shm" -> measureShm(protocol);
            case "sim" -> measureSim(protocol, fabric, Adversary.NONE);
            case JOURNALS -> measureSim(protocol, fabric, Adversary.NONE.withJournals(0));
            default ->
                throw new IllegalArgumentException(
                        "unknown fabric '" + fabric + "'; known: mem, shm, sim, " + JOURNALS);
        };
    }

    private static List<Row> measureAt(String protocol, String fabric, String url) {
        try (Tidepool pool = Tidepool.open(url + "replicas=2&memory=1m&protocol=" + protocol.replace('?', '&'))) {
            return measure(protocol, fabric, pool);
        }
    }

    private static List<Row> measureShm(String protocol) {
        try {
            Path folder = Files.createTempDirectory("tidepool-rtt-");
            try {
                return measureAt(protocol, "shm", "shm:" + folder.resolve("pool") + "?nodes=3&");
            } finally {
                WorkerSite.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no place for a temporary pool: " + e.getMessage(), e);
        }
    }

    private static List<Row> measureSim(String protocol, String name, Adversary adversary) {
        List<Row> rows = new ArrayList<>();
        try (Simulation simulation = new Simulation(1)) {
            SimFabric fabric = new SimFabric(simulation, 3, CostProfile.named("cx5"), adversary);
            PoolOptions d = PoolOptions.defaults();
            Protocol made = Protocols.named(protocol);
            PoolOptions options = new PoolOptions(made.name(), 2, 0, 1 << 20, d.coordinators(), d.logSlotBytes());
            simulation.start(simulation.machine("client", 1), "client", () -> {
                try (Tidepool pool = PoolAccess.open(fabric, options, made)) {
                    rows.addAll(measure(protocol, name, pool));
                }
            });
            simulation.run();
        }
        return rows;
    }

    private static List<Row> measure(String protocol, String fabric, Tidepool pool) {
        Table<Account> accounts = pool.table("accounts", Account.class, 100);
        for (int id = 0; id < LOADED; id++) {
            Account account = new Account(id, id);
            pool.transact(tx -> accounts.insert(tx, account));
        }
        for (int id = 0; id < LOADED; id++) {
            int key = id;
            pool.transact(tx -> accounts.get(tx, key));
        }
        List<Row> rows = new ArrayList<>();
        add(rows, protocol, fabric, pool, tx -> accounts.get(tx, 1));
        add(rows, protocol, fabric, pool, tx -> {
            for (int id = 0; id < READ; id++) accounts.read(tx, id);
        });
        add(rows, protocol, fabric, pool, tx -> {
            Cell<Account> cell = accounts.update(tx, 1);
            cell.set(cell.get().plus(1));
        });
        add(rows, protocol, fabric, pool, tx -> {
            Cell<Account> read = accounts.read(tx, 2);
            Cell<Account> cell = accounts.update(tx, 1);
            cell.set(cell.get().plus(read.get().cents()));
        });
        add(rows, protocol, fabric, pool, tx -> accounts.insert(tx, new Account(LOADED, 1)));
        add(rows, protocol, fabric, pool, tx -> accounts.delete(tx, 2));
        measureScans(rows, protocol, fabric, pool);
        return rows;
    }

    private static void measureScans(List<Row> rows, String protocol, String fabric, Tidepool pool) {
        Table<OrderedAccount> ordered = pool.table("ordered", OrderedAccount.class, ORDERED + 100);
        for (int from = 0; from < ORDERED; from += 50) {
            int first = from;
            pool.transact(tx -> {
                for (int id = first; id < first + 50; id++) ordered.insert(tx, new OrderedAccount(2L * id, id));
            });
        }
        RangeScan keys = scan(ordered).keysOnly();
        RangeScan values = scan(ordered);
        for (int i = 0; i < 2; i++) { // the second time, places of leaves and rows are known
            pool.transact(tx -> read(tx, values));
            long id = 2L * ORDERED + i;
            pool.transact(tx -> ordered.insert(tx, new OrderedAccount(id, 1)));
        }
        add(rows, protocol, fabric, pool, tx -> read(tx, keys));
        add(rows, protocol, fabric, pool, tx -> read(tx, values));
        add(rows, protocol, fabric, pool, tx -> ordered.insert(tx, new OrderedAccount(2L * ORDERED + 2, 1)));
    }

    private static RangeScan scan(Table<OrderedAccount> ordered) {
        return new RangeScan(ordered.handle(), "primary").from(ORDERED / 2L).limit(SCANNED);
    }

    private static void read(Transaction tx, RangeScan scan) {
        scan.begin();
        while (scan.hasNext()) PoolAccess.scan(tx, scan);
        Checks.invariant(scan.rows() == SCANNED, "rows of a scan", scan.rows());
    }

    private static void add(
            List<Row> rows, String protocol, String fabric, Tidepool pool, TransactionBody<RuntimeException> body) {
        int shape = rows.size();
        int paper = promised(protocol, fabric).get(shape);
        rows.add(row(protocol, fabric, SHAPES.get(shape), paper, pool, body));
    }

    private static Row row(
            String protocol,
            String fabric,
            String shape,
            int paper,
            Tidepool pool,
            TransactionBody<RuntimeException> body) {
        Waiting.pause(SETTLE_NANOS);
        Traffic before = PoolAccess.traffic(pool).snapshot();
        pool.transact(body);
        return new Row(protocol, fabric, shape, paper, PoolAccess.traffic(pool).since(before));
    }
}
