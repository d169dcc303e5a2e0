package tidepool.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.fabric.FabricException;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.schema.Key;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;

/**
 * The loss of ZooKeeper stops changes of the roster, and nothing else: one of three servers is killed, then all, then
 * they come back.
 */
@Timeout(300)
@Tag("full")
@Tag("process")
class ZooKeeperEnsembleTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    /** A row. */
    record Counter(@Key long id, long value) {}

    @Test
    void transactionsGoOnWithoutZooKeeperAndChangesComeBackWithIt() throws Exception {
        List<AutoCloseable> nodes = new ArrayList<>();
        try (ZooKeepers servers = ZooKeepers.three(folder)) {
            String url = servers.url("bank?replicas=2&memory=1m&coordinators=2&zkTimeout=60s");
            for (String name : List.of("a", "b")) {
                MemoryServer server = MemoryServer.start(NodeOptions.onLoopback(name, 0, 64 << 20)
                        .withLease(LONG, LONG)
                        .withIdentity(name + "#1"));
                nodes.add(server);
                String address = "127.0.0.1:" + server.address().getPort();
                NodeEntry entry = new NodeEntry(name + "#1", address, name, Duration.ofSeconds(20), 64 << 20, 0);
                nodes.addFirst(NodeRegistration.register(ZkUrl.parse(url), entry, removed -> {}));
            }
            RosterCreation.create(ZkUrl.parse(url), List.of("a", "b"), Duration.ofMinutes(1), _ -> {});
            ZkUrl impatient = ZkUrl.parse(servers.url("bank?zkTimeout=2s"));
            try (Tidepool pool = Tidepool.open(url);
                    ZooKeeperMembership membership = ZooKeeperMembership.open(ZkUrl.parse(url))) {
                Table<Counter> counters = pool.table("counters", Counter.class);
                pool.transact(tx -> counters.insert(tx, new Counter(1, 0)));
                servers.kill(1);
                count(pool, counters, 100);
                Roster first = membership.read();
                Roster next = RosterPlan.steady(RosterPlan.next(first));
                try (ZooKeeperMembership second = ZooKeeperMembership.open(ZkUrl.parse(url))) {
                    assertEquals(first, second.latest(), "two of three are enough");
                }
                servers.kill(0);
                servers.kill(2);
                count(pool, counters, 100);
                assertEquals(first, membership.latest());
                FabricException e = assertThrows(FabricException.class, () -> ZooKeeperMembership.open(impatient));
                assertTrue(e.getMessage().contains("does not answer within 2000 ms"), e.getMessage());
                count(pool, counters, 100);
                for (int i = 0; i < 3; i++) servers.start(i);
                while (!isReplaced(membership, first, next)) Thread.sleep(100);
                assertEquals(next, membership.read());
            }
        } finally {
            for (AutoCloseable node : nodes) node.close();
        }
    }

    @Test
    void whoAsksWhileItsServerDiesIsAnsweredByAnother() throws Exception {
        try (ZooKeepers servers = ZooKeepers.three(folder)) {
            ZkUrl url = ZkUrl.parse(servers.url("bank?zkTimeout=60s"));
            List<ZooKeeperClient> clients = new ArrayList<>();
            try {
                for (int i = 0; i < 6; i++) clients.add(new ZooKeeperClient(url, ZooKeeperClient.USUAL_SESSION));
                clients.getFirst().create("/asked", "text", false);
                for (int killed = 0; killed < 3; killed++) {
                    servers.kill(killed);
                    for (ZooKeeperClient client : clients) {
                        client.sync("/asked");
                        assertEquals("text", client.read("/asked").text());
                    }
                    servers.start(killed);
                    for (ZooKeeperClient client : clients) client.sync("/asked");
                }
            } finally {
                for (ZooKeeperClient client : clients) client.close();
            }
        }
    }

    /** Replaces the roster. It is the test's last use of the pool, because the nodes do not know the new epoch. */
    private static boolean isReplaced(ZooKeeperMembership membership, Roster from, Roster to) {
        try {
            return membership.replace(from, to) || membership.read().equals(to);
        } catch (FabricException e) {
            return false; // ZooKeeper is not back yet
        }
    }

    private static void count(Tidepool pool, Table<Counter> counters, int times) {
        long before = pool.read(tx -> counters.get(tx, 1).value());
        for (int i = 0; i < times; i++)
            pool.transact(tx -> {
                var cell = counters.update(tx, 1);
                cell.set(new Counter(1, cell.get().value() + 1));
            });
        assertEquals(before + times, (long) pool.read(tx -> counters.get(tx, 1).value()));
    }
}
