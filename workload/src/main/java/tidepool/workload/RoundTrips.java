package tidepool.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tidepool.Cell;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.base.Waiting;
import tidepool.fabric.FabricUrl;
import tidepool.fabric.Traffic;
import tidepool.fabric.VerbKind;
import tidepool.fabric.sim.Adversary;
import tidepool.fabric.sim.CostProfile;
import tidepool.fabric.sim.SimFabric;
import tidepool.fabric.sim.Simulation;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.store.PoolOptions;

/**
 * Measures the table of round trips: what a transaction of each shape sends until its outcome is known, with addresses
 * cached and nobody in the way. The fabric counts, so the figures are exact and the same on every machine.
 */
public final class RoundTrips {
    /** Keys of the shape {@code read-only-n}. */
    public static final int READ = 3;

    private static final int LOADED = 10;

    /** Longer than anything in the background takes: nobody is in the way. */
    private static final long QUIET_NANOS = 100_000;

    private static final List<String> SHAPES =
            List.of("read-only-1", "read-only-n", "read-write", "read-write-ro", "insert");

    /**
     * A line of the design's table: round trips until the outcome is reported.
     *
     * @param protocol its name, and switches as they stand in a pool URL
     */
    private record Promise(String protocol, List<Integer> trips) {}

    private static final List<Promise> PROMISES = List.of(
            new Promise("farm", List.of(1, 2, 5, 5, 5)),
            new Promise("drtmh", List.of(1, 2, 3, 4, 3)),
            new Promise("drtmh&report=commit", List.of(1, 2, 4, 5, 4)),
            new Promise("ford", List.of(1, 2, 2, 3, 3)));

    private RoundTrips() {}

    /**
     * One shape on one fabric.
     *
     * @param shape {@code read-only-1}, {@code read-only-n}, {@code read-write}, {@code read-write-ro}, {@code insert}
     * @param paper round trips that the table of the design promises
     * @param traffic everything that was sent, also in the background
     */
    public record Row(String protocol, String fabric, String shape, int paper, Traffic traffic) {
        public long roundTrips() {
            return traffic.roundTrips();
        }

        /** {@code 3 READ, 1 CAS}. */
        public String verbs() {
            return verbs(false);
        }

        /** The same, for what goes on behind the outcome. */
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

    /** The protocols of the table, some with switches as they stand in a pool URL. */
    public static List<String> protocols() {
        return PROMISES.stream().map(Promise::protocol).toList();
    }

    /** Measures one of {@link #protocols()} on a fabric by its name: {@code mem}, {@code shm}, {@code sim}. */
    public static List<Row> measure(String protocol, String fabric) {
        return switch (fabric) {
            case "mem" -> measureAt(protocol, fabric, "mem:?nodes=3&");
            case "shm" -> measureShm(protocol);
            case "sim" -> measureSim(protocol);
            default -> throw new IllegalArgumentException("unknown fabric '" + fabric + "'; known: mem, shm, sim");
        };
    }

    private static List<Row> measureAt(String protocol, String fabric, String url) {
        try (Tidepool pool = Tidepool.open(url + "replicas=2&memory=1m&protocol=" + protocol)) {
            return measure(protocol, fabric, pool);
        }
    }

    private static List<Row> measureShm(String protocol) {
        try {
            Path folder = Files.createTempDirectory("tidepool-rtt-");
            try {
                return measureAt(protocol, "shm", "shm:" + folder.resolve("pool") + "?nodes=3&");
            } finally {
                Playground.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no place for a temporary pool: " + e.getMessage(), e);
        }
    }

    private static List<Row> measureSim(String protocol) {
        List<Row> rows = new ArrayList<>();
        try (Simulation simulation = new Simulation(1)) {
            SimFabric fabric = new SimFabric(simulation, 3, CostProfile.named("cx5"), Adversary.named("none"));
            PoolOptions d = PoolOptions.defaults();
            Protocol made = Protocols.of(FabricUrl.parse("sim:1?protocol=" + protocol));
            PoolOptions options = new PoolOptions(made.name(), 2, 0, 1 << 20, d.coordinators(), d.logSlotBytes());
            simulation.start(simulation.machine("client", 1), "client", () -> {
                try (Tidepool pool = Tidepool.open(fabric, options, made)) {
                    rows.addAll(measure(protocol, "sim", pool));
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
        List<Consumer<Transaction>> bodies = List.of(
                tx -> accounts.get(tx, 1),
                tx -> {
                    for (int id = 0; id < READ; id++) accounts.read(tx, id);
                },
                tx -> {
                    Cell<Account> cell = accounts.update(tx, 1);
                    cell.set(cell.get().plus(1));
                },
                tx -> {
                    Cell<Account> read = accounts.read(tx, 2);
                    Cell<Account> cell = accounts.update(tx, 1);
                    cell.set(cell.get().plus(read.get().cents()));
                },
                tx -> accounts.insert(tx, new Account(LOADED, 1)));
        List<Integer> trips = promised(protocol);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < SHAPES.size(); i++) {
            if (fabric.equals("sim")) Waiting.pause(QUIET_NANOS);
            Traffic before = pool.traffic().snapshot();
            pool.transact(bodies.get(i));
            Traffic sent = pool.traffic().since(before);
            rows.add(new Row(protocol, fabric, SHAPES.get(i), trips.get(i), sent));
        }
        return rows;
    }

    private static List<Integer> promised(String protocol) {
        for (Promise promise : PROMISES) if (promise.protocol().equals(protocol)) return promise.trips();
        throw new IllegalArgumentException(
                "the table has no protocol '" + protocol + "'; it has " + String.join(", ", protocols()));
    }
}
