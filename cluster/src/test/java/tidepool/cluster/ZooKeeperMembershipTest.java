package tidepool.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;
import tidepool.store.StoreException;
import tidepool.tcp.node.MemoryServer;
import tidepool.tcp.node.NodeOptions;

/** Against a real server of ZooKeeper in a process of its own. Each test has a pool of its own. */
@Timeout(120)
class ZooKeeperMembershipTest {
    private static final Duration LEASE = Duration.ofSeconds(1);

    @TempDir
    static Path folder;

    private static ZooKeepers zookeeper;

    @BeforeAll
    static void start() throws IOException {
        zookeeper = ZooKeepers.one(folder);
    }

    @AfterAll
    static void stop() {
        zookeeper.close();
    }

    private static ZkUrl url(String rest) {
        return ZkUrl.parse(zookeeper.url(rest));
    }

    private static NodeRegistration register(String pool, String identity, String address) {
        return NodeRegistration.register(
                url(pool),
                new NodeEntry(identity, address, identity.replaceAll("#.*", ""), LEASE, 1 << 20, 0),
                sentence -> {});
    }

    private static Roster create(String pool, String... names) {
        return PoolCreation.create(url(pool), List.of(names), Duration.ofMillis(1));
    }

    /** The place of a pool is found by its URL, with the options that were agreed on. */
    @Test
    void aPoolIsMadeOfRegisteredNodesAndOpenedByItsUrl() {
        try (NodeRegistration a = register("made", "a#1", "10.0.0.1:7400");
                NodeRegistration b = register("made", "b#1", "10.0.0.2:7400");
                NodeRegistration c = register("made", "c#1", "10.0.0.3:7400")) {
            Roster made = create("made?replicas=2&memory=1m", "c", "a#1", "10.0.0.2:7400");
            assertEquals(
                    List.of("c#1", "a#1", "b#1"),
                    made.members().stream().map(Roster.Member::identity).toList());
            FabricUrl url = FabricUrl.parse(zookeeper.url("made?memory=2m"));
            try (Membership membership = Membership.open(url)) {
                assertEquals(made, membership.latest());
                assertEquals(made, membership.read());
                PoolOptions options = PoolOptions.of(membership.complete(url));
                assertEquals(2, options.replicas());
                assertEquals(3, options.partitions());
                assertEquals(2 << 20, options.partitionBytes(), "what the URL says itself counts");
                assertTrue(membership.strangers().isEmpty());
            }
            assertTrue(a.lease().compareTo(Duration.ZERO) > 0);
            assertEquals(b.roster(), c.roster() == null ? b.roster() : c.roster());
        }
    }

    @Test
    void howAPoolIsFlushedIsAgreedOn() {
        try (NodeRegistration a = register("flushed", "a#1", "10.0.0.1:7400")) {
            create("flushed?replicas=1&flush=selective");
            FabricUrl without = FabricUrl.parse(zookeeper.url("flushed?reads=backup"));
            FabricUrl alike = FabricUrl.parse(zookeeper.url("flushed?flush=selective"));
            FabricUrl otherwise = FabricUrl.parse(zookeeper.url("flushed?flush=none"));
            try (Membership membership = Membership.open(without.without(List.of("reads")))) {
                assertEquals("selective", membership.complete(without).string("flush", ""));
                assertEquals("selective", membership.complete(alike).string("flush", ""));
                assertTrue(assertThrows(FabricException.class, () -> membership.complete(otherwise))
                        .getMessage()
                        .contains("made with flush=selective"));
            }
            assertTrue(a.lease().isPositive());
        }
        assertThrows(IllegalArgumentException.class, () -> create("wrong?flush=sometimes"));
    }

    /** One of two who change the roster at the same time wins, and both learn the outcome. */
    @Test
    void aRosterChangesByCompareAndSetAndIsHeardOf() throws InterruptedException {
        try (NodeRegistration node = register("changes", "a#1", "10.0.0.1:7400")) {
            Roster first = create("changes?replicas=1");
            try (ZooKeeperMembership one = ZooKeeperMembership.open(url("changes"));
                    ZooKeeperMembership other = ZooKeeperMembership.open(url("changes"))) {
                Roster next = RosterPlan.next(first);
                assertTrue(one.replace(first, next));
                assertFalse(other.replace(first, next), "it is not the newest any more");
                assertEquals(next, one.latest());
                while (!other.latest().equals(next)) Thread.sleep(10);
                assertEquals(next, other.news());
                assertTrue(other.replace(next, RosterPlan.steady(next)));
                assertEquals(RosterPlan.steady(next), one.read());
            }
            assertTrue(node.age().compareTo(Duration.ofHours(1)) < 0);
        }
    }

    /** The first who opens makes the pool, as soon as there are nodes enough; the others find it. */
    @Test
    void whoeverOpensMayMakeThePoolOfSoManyNodes() {
        try (NodeRegistration a = register("first", "a#1", "10.0.0.1:7400")) {
            CompletableFuture<Roster> opened = CompletableFuture.supplyAsync(() -> {
                try (ZooKeeperMembership pool = ZooKeeperMembership.open(url("first?nodes=2&replicas=2"))) {
                    return pool.latest();
                }
            });
            try (NodeRegistration b = register("first", "b#1", "10.0.0.2:7400");
                    ZooKeeperMembership again = ZooKeeperMembership.open(url("first?nodes=2"))) {
                assertEquals(opened.join(), again.latest());
                assertEquals(2, again.latest().members().size());
                assertTrue(b.lease().equals(a.lease()));
            }
        }
    }

    /** Proof of death, and what is none. */
    @Test
    void aMemberIsGoneWhenItsAddressRefusesAndMissingWhenItIsNotRegistered() throws InterruptedException {
        MemoryServer server =
                MemoryServer.start(NodeOptions.onLoopback("a", 0, 16 << 20).withIdentity("a#1"));
        String address = "127.0.0.1:" + server.address().getPort();
        NodeRegistration node = register("lives", "a#1", address);
        Roster roster = create("lives?replicas=1");
        Roster.Member member = roster.members().getFirst();
        try (ZooKeeperMembership membership = ZooKeeperMembership.open(url("lives"))) {
            assertFalse(membership.isGone(member));
            assertFalse(membership.isMissing(member));
            try (Fabric fabric = membership.open(roster)) {
                node.close();
                while (!membership.nodes().isEmpty()) Thread.sleep(10);
                assertFalse(membership.isMissing(member), "it answers us");
                assertTrue(membership.settleNanos() > 2_000_000_000L, "the lease, and what clocks may differ");
                assertEquals(1, fabric.nodes());
            }
            while (!membership.isMissing(member)) Thread.sleep(10);
            assertFalse(membership.isGone(member), "it is not registered, and may still serve somebody");
            try (NodeRegistration other = register("lives", "a#2", address)) {
                while (!membership.isGone(member)) Thread.sleep(10);
                assertEquals(
                        List.of("a#2"),
                        membership.strangers().stream()
                                .map(Roster.Member::identity)
                                .toList());
                assertTrue(other.age().compareTo(Duration.ofHours(1)) < 0);
            }
            server.close();
            while (!membership.isGone(member)) Thread.sleep(10);
        } finally {
            server.close();
        }
    }

    /** The node is told once, when the roster had it and does without it. */
    @Test
    void aNodeLearnsThatItWasRemoved() {
        CompletableFuture<String> removed = new CompletableFuture<>();
        ZkUrl url = url("removed");
        try (NodeRegistration a = NodeRegistration.register(
                        url, new NodeEntry("a#1", "10.0.0.1:7400", "a", LEASE, 1, 0), removed::complete);
                NodeRegistration b = register("removed", "b#1", "10.0.0.2:7400")) {
            Roster roster = create("removed?replicas=2");
            try (ZooKeeperMembership membership = ZooKeeperMembership.open(url)) {
                while (a.roster() == null || b.roster() == null) Thread.onSpinWait();
                assertTrue(membership.replace(roster, RosterPlan.without(roster, java.util.Set.of(0))));
            }
            assertTrue(removed.join().startsWith("a#1 was removed from the pool removed in epoch 2"), removed.join());
        }
    }

    @Test
    void progressIsToldAndForgotten() {
        try (NodeRegistration node = register("fills", "a#1", "10.0.0.1:7400")) {
            Roster roster = create("fills?replicas=1");
            try (ZooKeeperMembership filler = ZooKeeperMembership.open(url("fills"));
                    ZooKeeperMembership looker = ZooKeeperMembership.open(url("fills"))) {
                filler.progress().filled(3, "a#1", 10, 40);
                FillProgress.Entry entry = looker.fillings().getFirst();
                assertEquals(3, entry.partition());
                assertEquals("a#1", entry.identity());
                assertEquals(10, entry.done());
                assertEquals(40, entry.all());
                assertEquals(
                        Duration.ofSeconds(6), new FillProgress.Entry(0, "a#1", 10, 40, Duration.ofSeconds(2)).left());
                filler.progress().filled(3, "a#1", 40, 40);
                assertTrue(looker.fillings().isEmpty());
                assertEquals(roster, looker.latest());
            }
            assertTrue(node.roster() == null || node.roster().equals(roster));
        }
    }

    // ---- what is wrong

    private static String refusal(org.junit.jupiter.api.function.Executable what) {
        return assertThrows(RuntimeException.class, what).getMessage();
    }

    @Test
    void badUrlsAreRefusedInASentence() {
        assertTrue(refusal(() -> ZkUrl.parse("zk:")).contains("zk://HOST:PORT"));
        assertTrue(refusal(() -> ZkUrl.parse("zk://a:2181/no pool")).contains("letters, digits"));
        assertTrue(refusal(() -> ZkUrl.parse("zk://a:70000/p")).contains("takes HOST:PORT"));
        assertTrue(refusal(() -> ZkUrl.parse("zk://a/p?color=red")).contains("color"));
        assertTrue(refusal(() -> ZkUrl.parse("zk://a/p?nodes=100")).contains("nodes takes"));
        assertEquals("zk://a:2181/main", ZkUrl.parse("zk://a").toString());
        assertTrue(refusal(() -> ZooKeeperMembership.open(ZkUrl.parse("zk://no.such.host.invalid:1/p")))
                .contains("no such host: no.such.host.invalid"));
    }

    @Test
    void aZooKeeperThatIsNotThereIsSaidWithinTheTime() {
        String sentence = refusal(() -> ZooKeeperMembership.open(ZkUrl.parse("zk://127.0.0.1:1/p?zkTimeout=300ms")));
        assertEquals("ZooKeeper at 127.0.0.1:1 does not answer within 300 ms", sentence);
    }

    @Test
    void aPoolThatDoesNotExistIsSaid() {
        assertTrue(refusal(() -> ZooKeeperMembership.open(url("nothing"))).contains("there is no pool nothing"));
        assertTrue(refusal(() -> create("nothing?replicas=2")).contains("2 nodes, and 0 have registered"));
        assertTrue(refusal(() -> create("nothing", "a", "b")).contains("no such nodes have registered"));
    }

    @Test
    void aPoolIsMadeOnce() {
        try (NodeRegistration node = register("once", "a#1", "10.0.0.1:7400")) {
            create("once?replicas=1");
            assertTrue(refusal(() -> create("once?replicas=1")).contains("there is a pool once already"));
            assertEquals(Duration.ofSeconds(1), node.lease());
        }
    }

    @Test
    void foreignDataIsNotTakenForARoster() {
        try (ZooKeeperClient client = new ZooKeeperClient(url("foreign"), LEASE)) {
            client.create("/tidepool/foreign/roster", "hello", false);
            client.create("/tidepool/foreign/nodes/x", "hello", true);
            StoreException e = assertThrows(StoreException.class, () -> ZooKeeperMembership.open(url("foreign")));
            assertTrue(e.getMessage().contains("not a roster"), e.getMessage());
            assertTrue(new NodeRegistry(client, new PoolPaths("foreign")).all().isEmpty());
        }
    }

    @Test
    void oneLifeOfANodeRegistersOnce() {
        try (NodeRegistration node = register("twice", "a#1", "10.0.0.1:7400")) {
            FabricException e = assertThrows(FabricException.class, () -> register("twice", "a#1", "10.0.0.1:7400"));
            assertTrue(e.getMessage().contains("registered already, by another process"), e.getMessage());
            assertEquals(LEASE, node.lease());
        }
    }
}
