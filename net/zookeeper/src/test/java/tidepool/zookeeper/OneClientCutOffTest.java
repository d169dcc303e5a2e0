package tidepool.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.fabric.FabricUrl;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.spi.StewardListener;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;

/**
 * One of three clients is cut off from a member, and its steward leads. The vote of one client takes no member out.
 * When another node dies, that steward cannot begin the change, because the member does not answer it: it resigns, and
 * another client's steward carries out the change.
 */
@Timeout(180)
class OneClientCutOffTest {
    private static final String POOL = "bank";
    private static final String CUT_OFF = "cut-off";
    private static final int KEYS = 12;
    private static final long LIMIT_NANOS = 60_000_000_000L;
    private static final long LOOK_NANOS = 5_000_000;

    @TempDir
    Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final Map<String, List<AutoCloseable>> nodes = new HashMap<>();
    private String url;

    record Account(@Key long id, long balance) {}

    @BeforeEach
    void start() throws IOException {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
        Logger.getLogger("org.apache").setLevel(Level.OFF);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        LocalZooKeeper zookeeper = new LocalZooKeeper(folder, any);
        open.add(zookeeper);
        url = "zk://127.0.0.1:" + zookeeper.port() + "/" + POOL + "?zkTimeout=60s";
    }

    @AfterEach
    void stop() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) open.get(i).close();
    }

    @Test
    void theVoteOfOneClientIsNotEnough() throws Exception {
        SelectiveProxy proxy = new SelectiveProxy(node("c"), CUT_OFF);
        open.add(proxy);
        register("a", address(node("a")));
        register("b", address(node("b")));
        register("c", "127.0.0.1:" + proxy.port());
        register("d", address(node("d")));
        RosterCreation.create(
                ZkUrl.parse(url + "&replicas=2&memory=1m"),
                List.of("a", "b", "c", "d"),
                Duration.ofSeconds(60),
                _ -> {});
        Queue<String> failures = new ConcurrentLinkedQueue<>();
        AtomicInteger resigned = new AtomicInteger();
        ZooKeeperMembership leader = ZooKeeperMembership.open(ZkUrl.parse(url + "&user=" + CUT_OFF));
        open.add(leader);
        assertTrue(leader.lead());
        String patient = url + "&timeout=120s";
        try (Tidepool cutOff = open(counting(leader, resigned), failures);
                Tidepool one = Tidepool.open(patient);
                Tidepool two = Tidepool.open(patient);
                ZooKeeperClient zookeeper = new ZooKeeperClient(ZkUrl.parse(url), ZooKeeperClient.USUAL_SESSION)) {
            commit(cutOff, 1);
            proxy.cutOff();
            PoolPaths paths = new PoolPaths(POOL);
            until(() -> zookeeper.children(paths.clients()).size() == 3);
            until(() -> zookeeper.children(paths.votes()).stream().anyMatch(vote -> vote.startsWith("c#1@")));
            assertFalse(new ReachVotes(zookeeper, paths).isLost("c#1"), "one of three");

            commit(one, 2);
            commit(two, 3);

            assertEquals(1, roster(zookeeper).epoch());
            assertEquals(0, resigned.get(), "there was nothing to change");

            for (AutoCloseable part : nodes.get("d")) part.close();
            until(() ->
                    roster(zookeeper).position("d#1") < 0 && roster(zookeeper).steady());

            assertTrue(roster(zookeeper).position("c#1") >= 0, () -> "it was taken out: " + roster(zookeeper));
            assertTrue(resigned.get() > 0);
            long refused = failures.stream()
                    .filter(failure -> failure.matches("c#1 at .* does not answer; nothing was changed"))
                    .count();
            assertTrue(refused >= 3, failures::toString);
            commit(two, 4);
            commit(one, 5);
            assertTrue(roster(zookeeper).position("c#1") >= 0, () -> "it was taken out: " + roster(zookeeper));
            proxy.heal();
            commit(cutOff, 6);
        }
    }

    private static void commit(Tidepool pool, long balance) {
        Table<Account> accounts = pool.table("account", Account.class);
        for (long id = 0; id < KEYS; id++) {
            Account account = new Account(id, balance);
            pool.within(Duration.ofMinutes(2)).transact(tx -> accounts.put(tx, account));
        }
    }

    private static Roster roster(ZooKeeperClient zookeeper) {
        return Roster.parse(zookeeper.read(new PoolPaths(POOL).roster()).text());
    }

    private static void until(BooleanSupplier event) {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!event.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, "it did not happen");
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    // ---- set-up

    private MemoryServer node(String name) {
        MemoryServer server =
                MemoryServer.start(NodeOptions.onLoopback(name, 0, 32 << 20).withIdentity(name + "#1"));
        open.add(server);
        nodes.computeIfAbsent(name, _ -> new ArrayList<>()).add(server);
        return server;
    }

    private static String address(MemoryServer node) {
        return "127.0.0.1:" + node.address().getPort();
    }

    private void register(String name, String address) {
        NodeEntry entry = new NodeEntry(name + "#1", address, name, Duration.ofSeconds(60), 32 << 20, 0);
        NodeRegistration registration = NodeRegistration.register(ZkUrl.parse(url), entry, _ -> {});
        open.add(registration);
        nodes.get(name).add(registration);
    }

    private Tidepool open(Membership membership, Queue<String> failures) {
        FabricUrl whole = membership.complete(FabricUrl.parse(url));
        return PoolAccess.open(membership, PoolOptions.of(whole), Protocols.of(whole), Steward.Pace.USUAL, steward -> {
            steward.setListener(new StewardListener() {
                @Override
                public void failed(RuntimeException e) {
                    failures.add(String.valueOf(e.getMessage()));
                }
            });
            steward.start();
        });
    }

    /** Returns the membership with its resignations counted. */
    private static Membership counting(Membership membership, AtomicInteger resigned) {
        return (Membership) Proxy.newProxyInstance(
                Membership.class.getClassLoader(), new Class<?>[] {Membership.class}, (_, method, arguments) -> {
                    try {
                        Object result = method.invoke(membership, arguments);
                        if (method.getName().equals("resign")) resigned.incrementAndGet();
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
