package tidepool.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.Id128;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.fabric.Lane;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.node.security.NodeSecurity;
import tidepool.testkit.PrivateFiles;
import tidepool.wire.tls.Tokens;

/**
 * Pools whose nodes are listed in a roster: identities, epochs, and which answers are accepted when some nodes are
 * silent.
 */
class TcpRosterOpenerTest {
    private static final Duration LONG = Duration.ofHours(1);

    private static MemoryServer node(String identity, Duration lease) {
        return MemoryServer.start(NodeOptions.onLoopback(identity.substring(0, 1), 0, 64 << 20)
                .withLease(lease, LONG)
                .withIdentity(identity));
    }

    private static String at(MemoryServer server) {
        return "127.0.0.1:" + server.address().getPort();
    }

    private static Fabric open(long epoch, List<String> addresses, String... identities) {
        return TcpRosterOpener.open(
                FabricUrl.parse("tcp://" + String.join(",", addresses) + "/bank"), epoch, List.of(identities));
    }

    /**
     * A relay that an attacker has put into the roster could read every record. It has no token, and the true node
     * proves that it is at another address.
     */
    @Test
    void aRelayInTheRosterIsFoundOut(@TempDir Path folder) throws IOException {
        String token = Tokens.random();
        Path known = PrivateFiles.write(folder.resolve("credentials"), "alice " + token + " *:all\n");
        String alice = "/bank?user=alice&tokenFile=" + PrivateFiles.write(folder.resolve("token"), token);
        NodeSecurity security = NodeSecurity.of(known, null, null, null);
        NodeOptions options = NodeOptions.onLoopback("a", 0, 64 << 20)
                .withLease(LONG, LONG)
                .withIdentity("a#1")
                .withSecurity(security.authenticator(), security.transports());
        try (MemoryServer a = MemoryServer.start(options);
                CuttingProxy relay = new CuttingProxy(a.address())) {
            FabricUrl straight = FabricUrl.parse("tcp://" + at(a) + alice);
            FabricUrl relayed = FabricUrl.parse("tcp://" + relay.address() + alice);
            // a node without a configured address cannot detect the relay
            TcpRosterOpener.open(relayed, 1, List.of("a#1")).close();
            a.advertise(at(a));

            TcpRosterOpener.open(straight, 1, List.of("a#1")).close();
            FabricException found =
                    assertThrows(FabricException.class, () -> TcpRosterOpener.open(relayed, 1, List.of("a#1")));
            assertTrue(found.getMessage().contains("has registered at another address"), found.getMessage());
            a.advertise(relay.address()); // as a node with a translated address does
            TcpRosterOpener.open(relayed, 1, List.of("a#1")).close();
        }
        NodeOptions fixed =
                NodeOptions.onLoopback("p", 0, 64 << 20).withSecurity(security.authenticator(), security.transports());
        try (MemoryServer p = MemoryServer.start(fixed);
                CuttingProxy relay = new CuttingProxy(p.address())) {
            p.advertise(at(p));
            Fabric.open("tcp://" + relay.address() + alice).close(); // without a roster the client trusts the URL
        }
    }

    /** A node that came back empty under its old address must not be taken for the one that held data. */
    @Test
    void aNodeThatIsNotTheOneOfTheRosterIsRefused() {
        try (MemoryServer a = node("a#1", LONG);
                MemoryServer plain = MemoryServer.start(NodeOptions.onLoopback("p", 0, 64 << 20))) {
            FabricException other = assertThrows(FabricException.class, () -> open(1, List.of(at(a)), "a#2"));
            assertTrue(other.getMessage().contains("this is a#1, not a#2"), other.getMessage());
            FabricException none = assertThrows(FabricException.class, () -> open(1, List.of(at(plain)), "p#1"));
            assertTrue(none.getMessage().contains("not started to be in one"), none.getMessage());
            FabricException tcp = assertThrows(FabricException.class, () -> Fabric.open("tcp://" + at(a) + "/bank"));
            assertTrue(tcp.getMessage().contains("by zk://"), tcp.getMessage());
            assertEquals(0, a.status().pools().size(), "nothing was made");
            open(1, List.of(at(a)), "a#1").close();
            assertEquals(1, a.status().pools().size());
        }
    }

    /**
     * A client that has read the newer roster moves the nodes to its epoch. Clients that know only the older one can do
     * nothing any more.
     */
    @Test
    void aNewerRosterShutsOutSessionsOfAnOlderOne() {
        try (MemoryServer a = node("a#1", LONG);
                MemoryServer b = node("b#1", LONG);
                Fabric old = open(1, List.of(at(a), at(b)), "a#1", "b#1")) {
            int earlier = old.attach().number();
            Session session = old.attach();
            try (Fabric next = open(2, List.of(at(b)), "b#1")) {
                assertEquals(2, next.control(0).epoch());
                assertEquals(1, next.nodes());
                assertEquals(1, b.status().pools().getFirst().nodes(), "b is number 0 of 1 now");
                Session fresh = next.attach();
                assertTrue(fresh.number() > session.number(), "b has not given out these numbers before");
                assertThrows(FabricException.class, old::attach);
                FabricException late =
                        assertThrows(FabricException.class, () -> old.control(1).revoke(fresh.number()));
                assertEquals(Refusal.EPOCH, late.refusal());
                FabricException stale =
                        assertThrows(FabricException.class, () -> open(1, List.of(at(a), at(b)), "a#1", "b#1"));
                assertTrue(stale.getMessage().contains("is in epoch 2"), stale.getMessage());
                assertFalse(next.control(0).isRevoked(fresh.number()));
                assertTrue(earlier < session.number());
            }
        }
    }

    /** A node that is cut off from the others keeps answering, and its answers may be outdated. */
    @Test
    void nothingIsBelievedWhenOneOfTheNodesIsSilentForTheLease() throws IOException {
        try (MemoryServer a = node("a#1", Duration.ofSeconds(1));
                MemoryServer b = node("b#1", Duration.ofSeconds(1));
                CuttingProxy network = new CuttingProxy(b.address());
                Fabric fabric = open(1, List.of(at(a), network.address()), "a#1", "b#1")) {
            Id128 capability = fabric.control(0).createRegion(64);
            Session session = fabric.attach();
            Lane lane = session.lane();
            MemorySegment landing = lane.landing(8);
            Round round = lane.round(1);
            FabricException e = assertThrows(FabricException.class, () -> {
                Region region = lane.connect(0).open(capability);
                network.cut();
                while (true) round.read(region, 0, 8, landing, 0).post().await();
            });
            assertTrue(e.getMessage().contains("what others say may be old"), e.getMessage());
            assertEquals(1_000_000_000, fabric.believedNanos());
        }
    }
}
