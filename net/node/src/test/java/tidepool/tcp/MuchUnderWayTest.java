package tidepool.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Carrier;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.node.MemoryServer;
import tidepool.node.NodeLimits;
import tidepool.node.NodeOptions;

/** Frames beyond the limit of a connection wait for room. None of them fails, changes its order or gets lost. */
@Timeout(120)
class MuchUnderWayTest {
    private static final long BYTES = 16 << 20;
    private static final int MORE_THAN_FLY = 3000;

    private final List<AutoCloseable> open = new ArrayList<>();
    private MemoryServer server;
    private Id128 capability;

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) open.get(i).close();
    }

    // ---- many rounds

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 4096})
    void roundsOfManyStrandsOnOneCarrierAreAllDone(int outstanding) {
        int strands = 300;
        TcpFabric fabric = fabric(start(outstanding), 0, "");
        Session session = fabric.attach();
        Carrier carrier = new Carrier();
        int[] done = new int[1];
        for (int i = 0; i < strands; i++)
            carrier.start("strand-" + i, () -> {
                Place place = new Place(session);
                Round[] rounds = new Round[4];
                for (int r = 0; r < rounds.length; r++)
                    rounds[r] = place.lane.round(1).fetchAndAdd(place.region, 0, 1, place.here, 8L * r);
                for (Round round : rounds) round.post();
                for (Round round : rounds) round.await();
                done[0] += rounds.length;
            });
        carrier.run();

        assertEquals(4 * strands, done[0]);
        assertEquals(4 * strands, new Place(session).word(0));
    }

    @Test
    void moreStrandsThanFlightsOpenTheirLinks() {
        int strands = 1100;
        TcpFabric fabric = fabric(start(4096), 0, "");
        Session session = fabric.attach();
        Carrier carrier = new Carrier();
        int[] opened = new int[1];
        for (int i = 0; i < strands; i++)
            carrier.start("strand-" + i, () -> {
                new Place(session);
                opened[0]++;
            });
        carrier.run();

        assertEquals(strands, opened[0]);
    }

    /** No thread waits for these rounds, and they arrive in their order. */
    @Test
    void backgroundRoundsArriveInOrderWithoutAWaiter() {
        TcpFabric fabric = fabric(start(64), 0, "");
        Place place = new Place(fabric.attach());
        for (int i = 1; i <= MORE_THAN_FLY; i++)
            place.lane
                    .round(2)
                    .write(place.region, 8, i)
                    .fetchAndAdd(place.region, 0, 1, place.here, 0)
                    .postInBackground();

        Place watcher = new Place(fabric.attach());
        while (watcher.word(0) < MORE_THAN_FLY) Thread.yield();
        assertEquals(MORE_THAN_FLY, watcher.word(8));
        assertEquals(0, place.lane.traffic().failedRounds());
    }

    /** The reader posts a follow-up round. Rounds that wait already were posted before it. */
    @Test
    void aFollowerTakesItsPlaceAfterWhatWaits() throws IOException {
        int waiting = 100;
        NarrowPipe pipe = pipe(start(2), 4096, 0);
        Place place = new Place(fabric(pipe.port(), 0, "").attach());
        pipe.stand(true);
        place.lane
                .round(1)
                .fetchAndAdd(place.region, 0, 1, place.here, 0)
                .postInBackground(place.lane.round(1).fetchAndAdd(place.region, 0, 1, place.here, 8));
        Round[] rounds = adders(place, waiting);
        for (Round round : rounds) round.post();
        pipe.stand(false);

        assertEquals(waiting, effects(rounds)[Effect.DONE.ordinal()]);
        while (place.word(0) < waiting + 2) Thread.yield();
        assertEquals(waiting + 1, Words.plain(place.here, 8), "additions before that of the follower");
    }

    /** A session that is closed has executed everything that was posted before. */
    @Test
    void closingSendsWhatWaits() {
        TcpFabric fabric = fabric(start(16), 0, "");
        Session session = fabric.attach();
        Place place = new Place(session);
        for (int i = 1; i <= MORE_THAN_FLY; i++)
            place.lane.round(1).fetchAndAdd(place.region, 0, 1, place.here, 0).postInBackground();
        session.close();

        assertEquals(MORE_THAN_FLY, new Place(fabric.attach()).word(0));
    }

    // ---- failures

    /**
     * Frames that waited when the connection broke were never sent and count as not done. The effects of frames that
     * were sent are unknown.
     */
    @Test
    void whatWaitsForABrokenConnectionIsNotDone() throws IOException {
        NarrowPipe pipe = pipe(start(16), 4096, 0);
        TcpFabric fabric = fabric(pipe.port(), 0, "");
        Place place = new Place(fabric.attach());
        pipe.stand(true);
        Round[] rounds = adders(place, 200);
        for (Round round : rounds) round.post();
        pipe.cut();
        pipe.stand(false);

        int[] effects = effects(rounds);
        long landed = new Place(fabric.attach()).word(0);
        assertTrue(effects[Effect.NOT_DONE.ordinal()] >= 200 - 16, "not done: " + effects[Effect.NOT_DONE.ordinal()]);
        assertTrue(landed >= effects[Effect.DONE.ordinal()], "landed: " + landed);
        assertTrue(landed <= 200 - effects[Effect.NOT_DONE.ordinal()], "landed: " + landed);
    }

    /** Deadlines apply to waiting frames, too. The connection stays up, and nothing of these frames arrives later. */
    @Test
    void whatWaitsPastItsDeadlineIsNotDone() throws IOException {
        NarrowPipe pipe = pipe(start(16), 4096, 0);
        TcpFabric fabric = fabric(pipe.port(), 0, "");
        Place place = new Place(fabric.attach());
        pipe.stand(true);
        Round[] rounds = adders(place, 200);
        for (Round round : rounds) round.deadline(100_000_000).post();
        int[] effects = effects(rounds);
        pipe.stand(false);

        assertTrue(effects[Effect.NOT_DONE.ordinal()] >= 200 - 16, "not done: " + effects[Effect.NOT_DONE.ordinal()]);
        long landed = place.word(0);
        assertTrue(landed <= 200 - effects[Effect.NOT_DONE.ordinal()], "landed: " + landed);
    }

    /** If a verb was split and sent in part, it is unknown how much has taken effect. */
    @Test
    void splitVerbThatWaitsIsUnknown() throws IOException {
        NarrowPipe pipe = pipe(start(2), 4096, 0);
        TcpFabric fabric = fabric(pipe.port(), 16 << 10, "");
        Place place = new Place(fabric.attach());
        MemorySegment large = place.lane.landing(BYTES);
        Round round = place.lane.round(3);
        pipe.stand(true);
        round.write(place.region, 0, BYTES, large, 0)
                .write(place.region, 0, 1)
                .deadline(200_000_000)
                .post();
        effects(round);
        assertEquals(Effect.UNKNOWN, round.verb(0).effect());
        assertEquals(Effect.NOT_DONE, round.verb(1).effect());
        pipe.stand(false);
    }

    /** A link that is opened again sends nothing that waited before. */
    @Test
    void refusalFailsTheRoundsThatWaitAfterIt() {
        TcpFabric fabric = fabric(start(2), 0, "");
        Place place = new Place(fabric.attach());
        Round bad = place.lane.round(1).write(place.region, BYTES, 1).post();
        Round[] rounds = adders(place, 100);
        for (Round round : rounds) round.post();
        assertEquals(1, effects(bad)[Effect.NOT_DONE.ordinal()]);
        int[] effects = effects(rounds);
        assertEquals(100, effects[Effect.NOT_DONE.ordinal()]);
        assertEquals(0, new Place(fabric.attach()).word(0));
    }

    // ---- set-up

    private int start(int outstanding) {
        NodeLimits limits = NodeLimits.DEFAULT;
        server = MemoryServer.start(NodeOptions.onLoopback("n0", 0, 1L << 28)
                .withLimits(new NodeLimits(
                        limits.connections(),
                        limits.connectionsPerClient(),
                        outstanding,
                        limits.frameBytes(),
                        limits.unsentBytes(),
                        limits.handshake(),
                        limits.slowReader())));
        open.add(server);
        return server.address().getPort();
    }

    private NarrowPipe pipe(int port, int bytes, long delayNanos) throws IOException {
        NarrowPipe pipe = new NarrowPipe(new InetSocketAddress("127.0.0.1", port), bytes, delayNanos);
        open.add(pipe);
        return pipe;
    }

    private TcpFabric fabric(int port, int sendBuffer, String options) {
        FabricUrl url = FabricUrl.parse("tcp://127.0.0.1:" + port + options);
        TcpUrl target = TcpUrl.of(url);
        TcpFabric fabric = new TcpFabric(target, new Dialer(target, ClientCredentials.of(url), sendBuffer));
        open.add(fabric);
        capability = fabric.control(0).createRegion(BYTES);
        return fabric;
    }

    private static Round[] adders(Place place, int count) {
        Round[] rounds = new Round[count];
        for (int i = 0; i < count; i++) rounds[i] = place.lane.round(1).fetchAndAdd(place.region, 0, 1, place.here, 0);
        return rounds;
    }

    /** Waits for the rounds. Returns the number of first verbs by effect. */
    private static int[] effects(Round... rounds) {
        int[] effects = new int[Effect.values().length];
        for (Round round : rounds) {
            try {
                round.await();
            } catch (FabricException e) {
                // the effects of its verbs say more
            }
            effects[round.verb(0).effect().ordinal()]++;
        }
        return effects;
    }

    private final class Place {
        final Lane lane;
        final Region region;
        final MemorySegment here;

        Place(Session session) {
            lane = session.lane();
            region = lane.connect(0).open(capability);
            here = lane.landing(64);
        }

        long word(long offset) {
            lane.round(1).read(region, offset, 8, here, 0).post().await();
            return Words.plain(here, 0);
        }
    }
}
