package tidepool.protocol.hdtx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import tidepool.base.Clock;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.record.PoolRegions;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;

/** The intervals of waiting requests: samples are clamped, and what a trip takes makes both graces longer. */
class QueuePollingTest {
    private static final long LEASE = 2_000_000;
    private static final long SERVICE = 1_000;

    /** Both bounds that follow from trips are longer than the ones that follow from this lease. */
    private static final long NO_LEASE = 1;

    private static final int MAX_READS = 8;
    private static final int LONG_READ = 64 * 1024;

    /** A number of requests in front that makes the pause of a request without measurements the longest. */
    private static final int MANY = 1000;

    /**
     * A queue that moved after a thread had no core for a millisecond is not that slow. Otherwise each such sample
     * would keep requests from their next poll for as long as it may be.
     */
    @Test
    void aServiceFarAboveTheAverageCountsAsFour() {
        QueuePolling polling = new QueuePolling(LEASE);
        polling.served(1, SERVICE);
        assertEquals(SERVICE, service(polling), "the first sample is the average");

        polling.served(2, 2_000 * SERVICE);

        assertEquals(SERVICE + 3 * SERVICE / 8, service(polling));
        polling.served(3, 3 * (SERVICE + 3 * SERVICE / 8));
        assertEquals(SERVICE + 3 * SERVICE / 8, service(polling), "a sample of the average changes nothing");
    }

    /** A request with two in front polls again after half of two services. */
    private static long service(QueuePolling polling) {
        return polling.pause(0, 2, 0);
    }

    /**
     * On a slow fabric a living holder is silent for longer than a lease. Otherwise requests would ask for its session
     * again and again, skip living heads, and leave their lines. A single long trip counts as four.
     */
    @Test
    void tripsMakeTheGracesLonger() {
        try (Simulation simulation = new Simulation(1)) {
            SimFabric fabric = new SimFabric(simulation, 1, CostProfile.named("cx5"), Adversary.NONE);
            simulation.start(simulation.machine("client", 1), "client", () -> {
                Session session = fabric.attach();
                Lane lane = session.lane();
                Catalog catalog = Catalog.open(fabric, session, new PoolOptions("hdtx", 1, 1, 1 << 20, 8, 4096));
                Region region = new PoolRegions(lane, catalog).primary(0);
                MemorySegment landing = lane.landing(LONG_READ);
                Round round = lane.round(MAX_READS);
                QueuePolling polling = new QueuePolling(NO_LEASE);

                long trip = await(polling, round.read(region, 0, Long.BYTES, landing, 0));
                assertEquals(64 * trip, polling.holderNanos());
                assertEquals(16 * trip, polling.headNanos());

                for (int i = 0; i < MAX_READS; i++) round.read(region, 0, LONG_READ, landing, 0);
                long longTrip = await(polling, round);
                assertTrue(longTrip > 4 * trip, "the trips took " + trip + " and " + longTrip + " ns");
                assertEquals(64 * (trip + (3 * trip >> 3)), polling.holderNanos());
            });
            simulation.run();
        }
    }

    private static long await(QueuePolling polling, Round round) {
        long begun = Clock.current().nowNanos();
        polling.await(round);
        return Clock.current().nowNanos() - begun;
    }

    /** On a fast fabric the lease decides. The grace of a head is apart from it: a 32nd. */
    @Test
    void withoutLongTripsTheLeaseDecides() {
        QueuePolling polling = new QueuePolling(LEASE);

        assertEquals(LEASE, polling.holderNanos());
        assertEquals(LEASE / 32, polling.headNanos());
    }

    /** The first four poll twice in a grace, so that one of them skips a dead head in time. All others save polls. */
    @Test
    void theFirstFewWatchTheHead() {
        QueuePolling polling = new QueuePolling(LEASE);
        polling.served(1, LEASE);

        for (int place = 0; place < 4; place++) assertEquals(LEASE / 64, polling.pause(place, MANY, 0), "" + place);
        assertEquals(LEASE / 4, polling.pause(4, MANY, 0));
    }

    /** Pauses without a ticket double, up to 256 times the first. */
    @Test
    void pausesWithoutATicketDouble() {
        QueuePolling polling = new QueuePolling(LEASE);

        for (int looks = 0; looks < 8; looks++)
            assertEquals(2 * polling.backOff(looks), polling.backOff(looks + 1), "" + looks);
        assertEquals(polling.backOff(8), polling.backOff(9));
    }
}
