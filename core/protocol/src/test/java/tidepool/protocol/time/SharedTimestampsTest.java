package tidepool.protocol.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import tidepool.base.Carrier;
import tidepool.base.Strand;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.fabric.VerbKind;
import tidepool.protocol.record.PoolRegions;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;

/**
 * Tests that coordinators of one process that ask for timestamps at once share a FAA, and that none gets a timestamp
 * that was sent before it asked.
 */
class SharedTimestampsTest {
    private static final PoolOptions POOL = new PoolOptions("motor", 1, 0, 1 << 20, 64, 16 * 1024);
    private static final int ROUNDS = 10;

    /** Times of requests and FAAs, by the timestamps given, in the order of one clock. */
    private static final class Seen {
        final TreeMap<Long, Long> sentAt = new TreeMap<>(); // by the timestamp of the sender
        final Map<Long, Long> askedAt = new TreeMap<>(); // by timestamp
        final List<Session> sessions = new ArrayList<>();
        private long clock;

        long now() {
            return ++clock;
        }

        long sent() {
            long all = 0;
            for (Session session : sessions) all += session.traffic().verbs(VerbKind.FAA);
            return all;
        }
    }

    /** Asks {@code times} times for a timestamp, in one strand of a process. */
    private static void ask(Seen seen, CounterTimestamps timestamps, Round round, int times) {
        for (int i = 0; i < times; i++) {
            long asked = seen.now();
            boolean mine = timestamps.take(round);
            long sent = seen.now();
            if (mine) round.aside().post().await();
            long stamp = timestamps.taken();
            assertEquals(null, seen.askedAt.put(stamp, asked), "given twice");
            if (mine) seen.sentAt.put(stamp, sent);
            assertTrue(timestamps.known() >= stamp);
        }
    }

    private static Seen play(long seed, int processes, int strands, int times) {
        return play(seed, Adversary.ORDER, processes, strands, times);
    }

    private static Seen play(long seed, Adversary adversary, int processes, int strands, int times) {
        Seen seen = new Seen();
        try (Simulation simulation = new Simulation(seed)) {
            SimFabric fabric = new SimFabric(simulation, 2, CostProfile.named("cx5"), adversary);
            for (int p = 0; p < processes; p++) {
                var machine = simulation.machine("c" + p, 1);
                simulation.start(machine, "open", () -> {
                    Session session = fabric.attach();
                    Catalog catalog = Catalog.open(fabric, session, POOL);
                    seen.sessions.add(session);
                    List<Runnable> all = new ArrayList<>();
                    for (int s = 0; s < strands; s++) {
                        Lane lane = session.lane();
                        CounterTimestamps timestamps = new CounterTimestamps(lane, new PoolRegions(lane, catalog));
                        all.add(() -> ask(seen, timestamps, lane.round(1), times));
                    }
                    for (Runnable one : all) simulation.start(machine, "ask", one);
                });
            }
            simulation.run();
        }
        assertEquals(processes * strands * times, seen.askedAt.size());
        return seen;
    }

    @Test
    void askersAtTheSameTimeShareAndNoStrandJoinsLate() {
        for (long seed = 1; seed <= 10; seed++) {
            Seen seen = play(seed, 1, 8, ROUNDS);

            assertTrue(seen.sent() < 8 * ROUNDS, "nobody shared");
            assertEquals(seen.sentAt.size(), seen.sent());
            seen.askedAt.forEach((stamp, asked) -> assertTrue(
                    asked < seen.sentAt.floorEntry(stamp).getValue(), "was sent before it was asked for: " + stamp));
        }
    }

    /**
     * The first strand finds no request in flight and asks alone. The rest depends on turns, which the seed decides. In
     * a burst one strand asks while the others stand still, so this run has no bursts.
     */
    @Test
    void eightAtOnceSendFew() {
        for (long seed = 1; seed <= 10; seed++) {
            Seen seen = play(seed, Adversary.ORDER.withBursts(0), 1, 8, 1);

            assertTrue(seen.sent() >= 2 && seen.sent() <= 4, "sent " + seen.sent());
            assertEquals(Set.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L), seen.askedAt.keySet());
        }
    }

    /** Different processes share only the pool. */
    @Test
    void processesShareNothing() {
        Seen seen = play(1, 4, 1, ROUNDS);

        assertEquals(4 * ROUNDS, seen.sent());
    }

    /** Several threads with many strands each: whatever they share, each gets its own timestamp. */
    @Test
    void threadsGetTheirOwn() throws InterruptedException {
        int threads = 3;
        int strands = 8;
        int times = 500;
        Queue<Long> given = new ConcurrentLinkedQueue<>();
        try (Fabric fabric = Fabric.open("mem:?nodes=1")) {
            Session session = fabric.attach();
            Catalog catalog = Catalog.open(fabric, session, POOL);
            List<Thread> started = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                Carrier carrier = new Carrier();
                for (int s = 0; s < strands; s++) {
                    Lane lane = session.lane();
                    CounterTimestamps timestamps = new CounterTimestamps(lane, new PoolRegions(lane, catalog));
                    Round round = lane.round(1);
                    carrier.start("ask", () -> {
                        for (int i = 0; i < times; i++) {
                            if (timestamps.take(round)) {
                                round.post();
                                if (i % 8 == 0) Strand.giveWay(); // so that a request is in flight
                                round.await();
                            }
                            given.add(timestamps.taken());
                        }
                    });
                }
                started.add(Thread.ofPlatform().start(carrier::run));
            }
            for (Thread thread : started) thread.join();
            Set<Long> distinct = new HashSet<>(given);

            assertEquals(threads * strands * times, given.size());
            assertEquals(given.size(), distinct.size());
            assertTrue(session.traffic().verbs(VerbKind.FAA) < given.size(), "nobody shared");
        }
    }
}
