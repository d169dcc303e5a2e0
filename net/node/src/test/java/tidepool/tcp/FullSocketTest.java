package tidepool.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Carrier;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.FabricUrl;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.node.MemoryServer;
import tidepool.node.NodeCounter;
import tidepool.node.NodeLimits;
import tidepool.node.NodeOptions;
import tidepool.node.security.ClientAuthenticator;
import tidepool.testkit.TestCertificates;
import tidepool.wire.Transport;
import tidepool.wire.Transports;
import tidepool.wire.tls.TlsTransports;

/**
 * A full socket wakes its sender when it accepts more bytes. In these tests no other event does: the sleep of a reader,
 * the lease of a session and the time-out of slow readers last for hours. A sender that misses the event hangs on every
 * machine.
 */
class FullSocketTest {
    private static final Duration NEVER = Duration.ofHours(5);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Bytes of each buffer between the two ends. One verb fills each buffer many times. */
    private static final int NARROW = 16 << 10;

    /** The delay of each piece in the network, which is also the pace of the reader at the other end. */
    private static final long SLOW_NANOS = 50_000;

    private static final long VERY_SLOW_NANOS = 1_000_000;

    /** The number of READs of a bystander. */
    private static final int READS = 20;

    @TempDir
    private static Path folder;

    private static TestCertificates certificates;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<NarrowPipe> pipes = new ArrayList<>();
    private MemoryServer server;
    private Id128 capability;
    private Over over = Over.TCP;

    private enum Over {
        TCP(16 << 20),
        TLS(2 << 20); // smaller, because encryption is not what this tests

        /** The size of a region and of a large verb. */
        final int bytes;

        Over(int bytes) {
            this.bytes = bytes;
        }
    }

    @BeforeAll
    static void makeCertificates() {
        certificates = new TestCertificates(folder).authority("ours").signed("ours", "node");
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) open.get(i).close();
    }

    /** The client's side. Without the event, each refill of its socket waits until the reader polls by itself. */
    @ParameterizedTest
    @EnumSource
    void aWriteMuchLargerThanTheSendBufferArrives(Over transport) throws IOException {
        over = transport;
        start(4096, false);
        Place direct = new Place(fabric(server.address().getPort(), 0).attach());
        Place narrow = new Place(fabric(pipe(SLOW_NANOS), NARROW).attach());

        within(narrow::write);
        within(direct::read);
    }

    /** The node's side: its answer fills its socket many times, and its client reads slowly. */
    @ParameterizedTest
    @EnumSource
    void anAnswerMuchLargerThanTheSendBufferOfTheNodeArrives(Over transport) throws IOException {
        over = transport;
        start(4096, true);
        Place direct = new Place(fabric(server.address().getPort(), 0).attach());
        Place narrow = new Place(fabric(pipe(SLOW_NANOS), 0).attach());
        within(direct::write);
        long writes = server.counters().value(NodeCounter.WRITES);

        within(narrow::read);

        writes = server.counters().value(NodeCounter.WRITES) - writes;
        int frames = over.bytes / NodeLimits.DEFAULT.frameBytes();
        assertTrue(writes > 2 * frames, "its socket was never full: writes=" + writes);
    }

    /**
     * A carrier waits for its socket in another way than a thread does. Small verbs of other strands must not starve.
     */
    @Test
    void largeVerbsOfAStrandPassWhileAnotherStrandReads() throws IOException {
        start(4096, true);
        Session session = fabric(pipe(SLOW_NANOS), NARROW).attach();
        Carrier carrier = new Carrier();
        int[] done = new int[1];
        carrier.start("large", () -> {
            Place place = new Place(session);
            place.write();
            place.read();
        });
        carrier.start("small", () -> {
            Place place = new Place(session);
            for (; done[0] < READS; done[0]++) place.word(8L * done[0]);
        });

        within(carrier::run);

        assertEquals(READS, done[0]);
    }

    /** A node accepts 16 rounds at a time. All others wait for room, which a late answer makes. */
    @Test
    void roundsOfManyStrandsWaitForRoomOnASlowNetwork() throws IOException {
        int strands = 100;
        int each = 4;
        start(16, false);
        Session session = fabric(pipe(VERY_SLOW_NANOS), NARROW).attach();
        Carrier carrier = new Carrier();
        int[] done = new int[1];
        for (int i = 0; i < strands; i++)
            carrier.start("strand-" + i, () -> {
                Place place = new Place(session);
                Round[] rounds = new Round[each];
                for (int r = 0; r < each; r++)
                    rounds[r] = place.lane.round(1).fetchAndAdd(place.region, 0, 1, place.here, 8L * r);
                for (Round round : rounds) round.post();
                for (Round round : rounds) round.await();
                done[0] += each;
            });

        within(carrier::run);

        assertEquals(strands * each, done[0]);
        assertEquals(strands * each, new Place(session).word(0));
    }

    // ---- bystanders

    /**
     * A full socket holds up its own link only. The network carries nothing of the large WRITE until READs from another
     * node are answered.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsOnAnotherLinkDoNotWaitForAFullSocket(boolean awaited) throws Exception {
        start(4096, false);
        NarrowPipe network = network(0);
        TcpFabric fabric = fabricOver(NARROW, network.port(), another());
        Session session = fabric.attach();
        Place large = new Place(session);
        Place bystander = new Place(session, 1, fabric.control(1).createRegion(64));
        network.stand(true);
        Round round = large.built(large.lane.landing(over.bytes));
        within(round::post);
        CompletableFuture<Void> waiter = awaited ? CompletableFuture.runAsync(round::await) : null;

        within(() -> bystander.words(READS));

        assertFalse(awaited ? waiter.isDone() : round.isComplete());
        network.stand(false);
        within(awaited ? waiter::join : round::await);
        within(large::read);
    }

    /** Strands share the reader of their carrier. */
    @Test
    void readsOfAStrandOnAnotherLinkDoNotWaitForAFullSocket() throws IOException {
        start(4096, false);
        NarrowPipe network = network(0);
        TcpFabric fabric = fabricOver(NARROW, network.port(), another());
        Id128 otherCapability = fabric.control(1).createRegion(64);
        Session session = fabric.attach();
        Carrier carrier = new Carrier();
        List<String> ends = new ArrayList<>();
        carrier.start("large", () -> {
            Place large = new Place(session);
            network.stand(true);
            Round round = large.built(large.lane.landing(over.bytes)).post();
            carrier.start("small", () -> {
                new Place(session, 1, otherCapability).words(READS);
                ends.add("small");
                network.stand(false);
            });
            round.await();
            ends.add("large");
        });

        within(carrier::run);

        assertEquals(List.of("small", "large"), ends);
    }

    /** Rounds that wait for room hold up their own link only. */
    @Test
    void readsOnAnotherLinkDoNotWaitForTheBacklog() throws IOException {
        start(16, false);
        NarrowPipe network = network(0);
        TcpFabric fabric = fabricOver(NARROW, network.port(), another());
        Session session = fabric.attach();
        Place many = new Place(session);
        Place bystander = new Place(session, 1, fabric.control(1).createRegion(64));
        network.stand(true);
        Round[] rounds = new Round[200];
        for (int i = 0; i < rounds.length; i++)
            rounds[i] = many.lane
                    .round(1)
                    .fetchAndAdd(many.region, 0, 1, many.here, 0)
                    .post();

        within(() -> bystander.words(READS));

        for (Round round : rounds) assertFalse(round.isComplete());
        network.stand(false);
        within(() -> {
            for (Round round : rounds) round.await();
        });
        assertEquals(rounds.length, many.word(0));
    }

    /** The node's side. A client that reads nothing holds up its own connection only. */
    @ParameterizedTest
    @EnumSource
    void readsOnAnotherConnectionDoNotWaitForASlowReader(Over transport) throws IOException {
        over = transport;
        start(4096, true);
        NarrowPipe network = network(0);
        Place slow = new Place(fabric(network.port(), 0).attach());
        Place bystander = new Place(fabric(server.address().getPort(), 0).attach());
        within(bystander::write);
        MemorySegment large = slow.lane.landing(over.bytes);
        network.standTowardsClient(true);
        long reads = server.counters().value(NodeCounter.VERBS_READ);
        Round round =
                slow.lane.round(1).read(slow.region, 0, over.bytes, large, 0).post();
        within(() -> {
            while (server.counters().value(NodeCounter.VERBS_READ) == reads) Thread.onSpinWait();
        });

        within(() -> bystander.words(READS));

        assertFalse(round.isComplete());
        network.standTowardsClient(false);
        within(round::await);
        slow.check(large);
    }

    /**
     * Runs the work within a time limit, for a sender that hangs. Closing the network and the node then ends the
     * sender, so that its session can be closed.
     */
    private void within(Executable work) throws IOException {
        try {
            assertTimeoutPreemptively(LIMIT, work, "no event has woken the sender");
        } catch (AssertionError e) {
            for (NarrowPipe pipe : pipes) pipe.close();
            server.close();
            throw e;
        }
    }

    // ---- set-up

    /** @param narrow whether the node's sockets have small buffers, too */
    private void start(int outstanding, boolean narrow) {
        NodeLimits usual = NodeLimits.DEFAULT;
        Transports plain = over == Over.TCP
                ? Transports.PLAIN
                : TlsTransports.forNode(certificates.certificate("node"), certificates.key("node"), null);
        server = MemoryServer.start(NodeOptions.onLoopback("n0", 0, 1L << 28)
                .withLease(NEVER, NEVER)
                .withSecurity(ClientAuthenticator.OPEN, narrow ? new NarrowAtNode(plain) : plain)
                .withLimits(new NodeLimits(
                        usual.connections(),
                        usual.connectionsPerClient(),
                        outstanding,
                        usual.frameBytes(),
                        usual.unsentBytes(),
                        usual.handshake(),
                        NEVER)));
        open.add(server);
    }

    private int pipe(long delayNanos) throws IOException {
        return network(delayNanos).port();
    }

    private NarrowPipe network(long delayNanos) throws IOException {
        NarrowPipe pipe = new NarrowPipe(server.address(), NARROW, delayNanos);
        open.add(pipe);
        pipes.add(pipe);
        return pipe;
    }

    /** Starts another node of the pool. Returns its port. */
    private int another() {
        MemoryServer node =
                MemoryServer.start(NodeOptions.onLoopback("n1", 0, 1L << 24).withLease(NEVER, NEVER));
        open.add(node);
        return node.address().getPort();
    }

    private TcpFabric fabric(int port, int sendBuffer) {
        return fabricOver(sendBuffer, port);
    }

    private TcpFabric fabricOver(int sendBuffer, int... ports) {
        String tls = over == Over.TCP ? "" : "&tls=on&ca=" + certificates.certificate("ours");
        String hosts =
                Arrays.stream(ports).mapToObj(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
        FabricUrl url = FabricUrl.parse("tcp://" + hosts + "?timeout=300min" + tls);
        TcpUrl target = TcpUrl.of(url);
        Dialer dialer = new Dialer(target, ClientCredentials.of(url), sendBuffer);
        TcpFabric fabric = new TcpFabric(target, dialer, NEVER.toNanos());
        open.add(fabric);
        if (capability == null) capability = fabric.control(0).createRegion(over.bytes);
        return fabric;
    }

    /** Transports of a node over sockets with a small send buffer. */
    private record NarrowAtNode(Transports inner) implements Transports {
        @Override
        public Transport accepted(SocketChannel channel) throws IOException {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, NARROW);
            return inner.accepted(channel);
        }

        @Override
        public Transport connected(SocketChannel channel, String host, int port) throws IOException {
            return inner.connected(channel, host, port);
        }
    }

    private final class Place {
        final Lane lane;
        final Region region;
        final MemorySegment here;

        Place(Session session) {
            this(session, 0, capability);
        }

        Place(Session session, int node, Id128 of) {
            lane = session.lane();
            region = lane.connect(node).open(of);
            here = lane.landing(64);
        }

        /** Reads words, one after the other. */
        void words(int count) {
            for (int i = 0; i < count; i++) word(8L * (i % 8));
        }

        long word(long offset) {
            lane.round(1).read(region, offset, 8, here, 0).post().await();
            return Words.plain(here, 0);
        }

        /** Fills the region by one verb. */
        void write() {
            built(lane.landing(over.bytes)).post().await();
        }

        /** Returns a round that will fill the region by one verb, from this memory. */
        Round built(MemorySegment large) {
            for (long at = 0; at < over.bytes; at += 8) Words.plain(large, at, ~at);
            return lane.round(1).write(region, 0, over.bytes, large, 0);
        }

        /** Reads the region by one verb and finds what {@link #write} wrote. */
        void read() {
            MemorySegment large = lane.landing(over.bytes);
            lane.round(1).read(region, 0, over.bytes, large, 0).post().await();
            check(large);
        }

        void check(MemorySegment large) {
            for (long at = 0; at < over.bytes; at += 8)
                if (Words.plain(large, at) != ~at) assertEquals(~at, Words.plain(large, at), "at=" + at);
        }
    }
}
