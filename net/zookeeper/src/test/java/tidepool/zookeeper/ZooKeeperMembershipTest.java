package tidepool.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;
import tidepool.store.StoreException;

/** Tests of the membership against a real ZooKeeper server in a process of its own. Each test has a pool of its own. */
@Tag("process")
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
        return RosterCreation.create(url(pool), List.of(names), Duration.ofMillis(1), _ -> {});
    }

    /** A pool is found by its URL, with the options that it was created with. */
    @Test
    void aPoolIsMadeOfRegisteredNodesAndOpenedByItsUrl() {
        try (NodeRegistration a = register("made", "a#1", "10.0.0.1:7400");
                NodeRegistration b = register("made", "b#1", "10.0.0.2:7400");
                NodeRegistration c = register("made", "c#1", "10.0.0.3:7400")) {
            Roster made = create("made?replicas=2&memory=1m", "c", "a#1", "10.0.0.2:7400");
            assertEquals(
                    List.of("c#1", "a#1", "b#1"),
                    made.members().stream().map(Roster.Member::identity).toList());
            FabricUrl url = FabricUrl.parse(zookeeper.url("made?memory=1024k"));
            try (Membership membership = Membership.open(url)) {
                assertEquals(made, membership.latest());
                assertEquals(made, membership.read());
                PoolOptions options = PoolOptions.of(membership.complete(url));
                assertEquals(2, options.replicas());
                assertEquals(3, options.partitions());
                assertEquals(1 << 20, options.partitionBytes());
                assertTrue(membership.strangers().isEmpty());
            }
            assertTrue(a.lease().compareTo(Duration.ZERO) > 0);
            assertEquals(b.roster(), c.roster() == null ? b.roster() : c.roster());
        }
    }

    /**
     * A URL with another shape than the pool has is refused by what ZooKeeper keeps, before a steward runs. A steward
     * with such a URL would make a third copy of everything, or refuse to.
     */
    @Test
    void aPoolOfAnotherShapeThanItWasMadeWithIsRefused() {
        try (NodeRegistration a = register("shaped", "a#1", "10.0.0.1:7400");
                NodeRegistration b = register("shaped", "b#1", "10.0.0.2:7400")) {
            create("shaped?replicas=2&memory=1m&coordinators=32");
            String[][] others = {
                {"replicas", "3", "2"},
                {"replicas", "1", "2"},
                {"partitions", "3", "2"},
                {"coordinators", "64", "32"},
                {"log", "32k", "65536"}
            };
            try (Membership membership = Membership.open(FabricUrl.parse(zookeeper.url("shaped")))) {
                for (String[] other : others) {
                    FabricUrl url = FabricUrl.parse(zookeeper.url("shaped?" + other[0] + "=" + other[1]));
                    String refused = assertThrows(StoreException.class, () -> membership.complete(url))
                            .getMessage();
                    assertTrue(
                            refused.startsWith("this pool was made with " + other[0] + "=" + other[2] + ", not with "),
                            refused);
                }
                FabricUrl alike = FabricUrl.parse(zookeeper.url("shaped?replicas=2&memory=1024k&partitions=0"));
                assertEquals(32, PoolOptions.of(membership.complete(alike)).coordinators());
                FabricUrl larger = FabricUrl.parse(zookeeper.url("shaped?memory=2m&replicas=2"));
                assertEquals(
                        1 << 20,
                        PoolOptions.of(membership.complete(larger)).partitionBytes(),
                        "the size with which it was made; the catalog has the size that it has now");
            }
            assertTrue(a.lease().isPositive() && b.lease().isPositive());
        }
    }

    /** A pool created of the nodes that happen to be up first would have its copies on too few machines. */
    @Test
    void aPoolIsMadeOfAsManyNodesAsItIsTold() {
        List<String> told = new CopyOnWriteArrayList<>();
        List<NodeRegistration> late = new CopyOnWriteArrayList<>();
        try (NodeRegistration c = register("counted", "c#1", "10.0.0.3:7400");
                NodeRegistration d = register("counted", "d#1", "10.0.0.4:7400")) {
            Roster made = RosterCreation.create(
                    url("counted?replicas=2&memory=1m&nodes=3"), List.of(), Duration.ofMinutes(2), sentence -> {
                        told.add(sentence);
                        late.add(register("counted", "b#1", "10.0.0.2:7400"));
                    });
            assertEquals(List.of("waiting for nodes: 2 of 3 have registered"), told);
            assertEquals(
                    List.of("b#1", "c#1", "d#1"),
                    made.members().stream().map(Roster.Member::identity).toList());
            late.add(register("fewer", "x#1", "10.0.0.1:7400"));
            late.add(register("fewer", "y#1", "10.0.0.2:7400"));
            late.add(register("fewer", "z#1", "10.0.0.3:7400"));
            assertEquals(
                    2, create("fewer?replicas=2&memory=1m&nodes=2").members().size());
            assertTrue(assertThrows(FabricException.class, () -> create("none?replicas=2&memory=1m&nodes=4"))
                    .getMessage()
                    .contains("is to be made of 4 nodes, and 0 have registered"));
            assertTrue(c.lease().isPositive() && d.lease().isPositive());
        } finally {
            late.forEach(NodeRegistration::close);
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

    /** Of two processes that change the roster at once, one wins, and both learn the outcome. */
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

    /** The first process that opens the pool creates it as soon as there are enough nodes; the others find it. */
    @Test
    void theFirstProcessThatOpensThePoolCreatesIt() {
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

    /** A node is dead when its address refuses connections. One that is only not registered may still serve clients. */
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
                assertTrue(fabric.believedNanos() >= 2_000_000_000L, "the lease of the node");
            }
            assertFalse(membership.isMissing(member), "it is asked, and answers");
            assertFalse(membership.isGone(member), "it is not registered, and may still serve somebody");
            server.close();
            while (!membership.isGone(member)) Thread.sleep(10);
            assertTrue(membership.isMissing(member));
        } finally {
            server.close();
        }
    }

    /** Otherwise a leader that is the only process that cannot reach some member would keep the pool from healing. */
    @Test
    void aLeaderThatResignsLeavesTheLeadToAnother() throws InterruptedException {
        try (NodeRegistration node = register("led", "a#1", "10.0.0.1:7400")) {
            create("led?replicas=1");
            try (ZooKeeperMembership one = ZooKeeperMembership.open(url("led"));
                    ZooKeeperMembership other = ZooKeeperMembership.open(url("led"))) {
                assertTrue(one.lead());
                assertFalse(other.lead());
                other.resign();
                assertTrue(one.lead(), "who does not lead takes the lead from nobody");

                one.resign();
                while (!other.lead()) Thread.sleep(10);
                assertFalse(one.lead());
            }
            assertTrue(node.lease() != null);
        }
    }

    /**
     * Two processes cannot serve at one address: the earlier one is gone, although the later one accepts connections.
     */
    @Test
    void aMemberIsGoneWhenAnotherNodeRegistersAtItsAddress() throws InterruptedException {
        MemoryServer server =
                MemoryServer.start(NodeOptions.onLoopback("a", 0, 16 << 20).withIdentity("a#2"));
        String address = "127.0.0.1:" + server.address().getPort();
        NodeRegistration node = register("replaced", "a#1", address);
        Roster.Member member = create("replaced?replicas=1").members().getFirst();
        node.close();
        try (ZooKeeperMembership membership = ZooKeeperMembership.open(url("replaced"))) {
            while (!membership.isMissing(member)) Thread.sleep(10);
            assertFalse(membership.isGone(member), "a node that is another refuses; that proves nothing");
            try (NodeRegistration other = register("replaced", "a#2", address)) {
                while (!membership.isGone(member)) Thread.sleep(10);
                assertEquals(
                        List.of("a#2"),
                        membership.strangers().stream()
                                .map(Roster.Member::identity)
                                .toList());
                assertTrue(other.age().compareTo(Duration.ofHours(1)) < 0);
            }
        } finally {
            server.close();
        }
    }

    /** The node is notified once, when the roster no longer contains it after it did. */
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
                assertTrue(membership.replace(roster, RosterPlan.without(roster, Set.of(0))));
            }
            assertTrue(removed.join().startsWith("a#1 was removed from the pool removed in epoch 2"), removed.join());
        }
    }

    /**
     * Most of the processes that have the pool open decide, at least two unless there is only one. Otherwise no single
     * process decides.
     */
    @Test
    void membersAreLostWhenMostProcessesCannotReachThem() throws InterruptedException {
        PoolPaths paths = new PoolPaths("votes");
        try (ZooKeeperClient one = new ZooKeeperClient(url("votes"), LEASE);
                ZooKeeperClient two = new ZooKeeperClient(url("votes"), LEASE)) {
            ReachVotes first = new ReachVotes(one, paths);
            ReachVotes second = new ReachVotes(two, paths);
            first.say(Set.of("a#1"));
            assertTrue(new ReachVotes(one, paths).isLost("a#1"), "it is the only one there is");
            assertFalse(new ReachVotes(one, paths).isLost("b#1"));
            second.say(Set.of());
            assertFalse(new ReachVotes(one, paths).isLost("a#1"), "one of two");
            second.say(Set.of("a#1", "b#1"));
            assertTrue(new ReachVotes(one, paths).isLost("a#1"), "both");
            assertFalse(new ReachVotes(one, paths).isLost("b#1"));
            try (ZooKeeperClient three = new ZooKeeperClient(url("votes"), LEASE)) {
                new ReachVotes(three, paths).say(Set.of());
                assertTrue(new ReachVotes(one, paths).isLost("a#1"), "two of three");
                first.say(Set.of());
                assertFalse(new ReachVotes(three, paths).isLost("a#1"), "one of three");
            }
            while (one.children(paths.clients()).size() > 2) Thread.sleep(10);
            first.say(Set.of("a#1"));
            assertTrue(new ReachVotes(two, paths).isLost("a#1"), "whoever leaves takes its word along");
        }
    }

    @Test
    void soManyAreEnough() {
        int[][] min = {{1, 1}, {2, 2}, {3, 2}, {4, 3}, {5, 3}, {6, 4}, {100, 51}};
        for (int[] pair : min)
            for (int against = 0; against <= pair[0]; against++)
                assertEquals(against >= pair[1], ReachVotes.isEnough(against, pair[0]), against + " of " + pair[0]);
        assertFalse(ReachVotes.isEnough(0, 0));
    }

    /** With zkUser, a process with other credentials can neither read nor change the pool's entries in ZooKeeper. */
    @Test
    void aPoolWithAUserIsClosedToOthers() throws IOException {
        String mine = "closed?replicas=1&zkUser=tide&zkTokenFile=" + secret("mine", "a-token-of-the-pool");
        String wrong = "closed?zkUser=tide&zkTokenFile=" + secret("wrong", "another-token");
        try (NodeRegistration node = register(mine, "a#1", "10.0.0.1:7400")) {
            Roster made = create(mine);
            try (ZooKeeperMembership membership = ZooKeeperMembership.open(url(mine))) {
                assertEquals(made, membership.read());
            }
            for (String other : List.of("closed", wrong)) {
                assertTrue(refusal(() -> ZooKeeperMembership.open(url(other))).contains("zkUser=NAME"), other);
                try (ZooKeeperClient client = new ZooKeeperClient(url(other), LEASE)) {
                    PoolPaths paths = new PoolPaths("closed");
                    for (String path : List.of(paths.roster(), paths.options(), paths.node("a#1"))) {
                        assertThrows(FabricException.class, () -> client.read(path), path);
                        assertThrows(FabricException.class, () -> client.replace(path, "mine now", -1), path);
                        assertThrows(FabricException.class, () -> client.delete(path), path);
                    }
                    assertThrows(FabricException.class, () -> client.create(paths.node("b#1"), "", true));
                    client.create(new PoolPaths("open-" + other.length()).roster(), "other pools may be made", false);
                }
            }
            assertEquals(LEASE, node.lease());
        }
        assertTrue(refusal(() -> ZooKeeperMembership.open(url("closed?zkUser=tide")))
                .contains("together"));
    }

    private static Path secret(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }

    /** A relay in the place of a node: the roster has another address than the node has registered. */
    @Test
    void aRosterWithAnotherAddressThanTheNodeRegisteredIsRefused() {
        try (NodeRegistration node = register("relayed", "a#1", "127.0.0.1:7400")) {
            Roster made = create("relayed?replicas=1");
            Roster relayed = new Roster(
                    made.epoch(), true, List.of(new Roster.Member("127.0.0.1:7499", "a#1")), made.partitions());
            try (ZooKeeperMembership membership = ZooKeeperMembership.open(url("relayed"))) {
                assertTrue(membership.replace(made, relayed));
                assertTrue(refusal(() -> membership.open(relayed)).contains("registered at 127.0.0.1:7400"));
            }
            assertEquals(LEASE, node.lease());
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

    // ---- refusals

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
