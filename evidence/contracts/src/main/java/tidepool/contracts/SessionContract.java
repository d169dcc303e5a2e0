package tidepool.contracts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import tidepool.base.Waiting;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.fabric.Session;

/** Contract tests of sessions, their revocation, and epochs: the basis of repair after a crash. */
interface SessionContract extends ContractBase {

    /** Lock words and transaction ids carry the session number for ever, so it must never denote two sessions. */
    @Test
    default void sessionNumbersAreNeverUsedAgain() {
        try (ContractPool pool = pool()) {
            pool.run(() -> {
                Set<Integer> seen = new HashSet<>();
                for (int i = 0; i < 60; i++) {
                    ContractClient c = pool.client();
                    int number = c.session.number();
                    assertTrue(number > 0 && number < 1 << Session.NUMBER_BITS);
                    assertTrue(seen.add(number), "used twice: " + number);
                    if (i % 3 == 0) c.close();
                    if (i % 3 == 1) for (int node = 0; node < 3; node++) end(pool.fabric.control(node), number);
                }
            });
        }
    }

    /** Session numbers are unique also when many sessions attach at the same moment. */
    @Test
    default void sessionsThatAttachAtOnceGetDifferentNumbers() {
        try (ContractPool pool = pool()) {
            int[] numbers = new int[4 * 25];
            Runnable[] bodies = new Runnable[4];
            for (int who = 0; who < 4; who++) {
                int first = who * 25;
                bodies[who] = () -> {
                    for (int i = 0; i < 25; i++)
                        numbers[first + i] = pool.fabric.attach().number();
                };
            }
            pool.run(bodies);

            assertEquals(100, Arrays.stream(numbers).distinct().count());
        }
    }

    /** A session that closes cleanly leaves nothing to repair. */
    @Test
    default void closedSessionIsForgotten() {
        try (ContractPool pool = pool()) {
            pool.alone(stays -> {
                ContractClient leaves = pool.client();
                assertTrue(lists(pool, 0, leaves.session.number()));
                leaves.close();
                leaves.close();

                for (int node = 0; node < 3; node++) {
                    assertFalse(lists(pool, node, leaves.session.number()));
                    assertFalse(pool.fabric.control(node).isRevoked(leaves.session.number()));
                    assertTrue(lists(pool, node, stays.session.number()));
                }
            });
        }
    }

    /** After a revocation nothing of that session is carried out at that node: old links, new links, new lanes. */
    @Test
    default void revokedSessionIsRefused() {
        try (ContractPool pool = pool()) {
            pool.alone(victim -> {
                ContractClient watcher = pool.client();
                NodeControl control = pool.fabric.control(0);
                victim.put(64, 1);
                control.revoke(victim.session.number());
                assertTrue(control.isRevoked(victim.session.number()));
                assertTrue(lists(pool, 0, victim.session.number()));

                FabricException thrown = RefusalAssertions.by(Refusal.EPOCH, () -> victim.round
                        .write(victim.region(), 64, 2)
                        .write(victim.regions[1], 64, 3)
                        .post()
                        .await());
                assertSame(Effect.UNKNOWN, thrown.effect());
                assertSame(Effect.NOT_DONE, victim.round.verb(0).effect());
                assertSame(Effect.DONE, victim.round.verb(1).effect(), "only one node was told so far");
                assertEquals(1, watcher.word(64));
                RefusalAssertions.by(Refusal.EPOCH, () -> victim.link().reconnect());
                assertTrue(victim.link().isBroken());
                RefusalAssertions.by(Refusal.EPOCH, () -> victim.lane.connect(0));
                RefusalAssertions.by(Refusal.EPOCH, () -> victim.session.lane().connect(0));

                control.revoke(victim.session.number());
                assertTrue(control.isRevoked(victim.session.number()), "revoking twice does nothing more");
                watcher.put(64, 4);
                assertEquals(4, watcher.word(64), "others are not concerned");
            });
        }
    }

    /** Every verb of a revoked session is refused, also a verb that carries no region. */
    @Test
    default void revocationStopsEveryVerb() {
        for (int kind = 0; kind < 8; kind++) {
            int verb = kind;
            try (ContractPool pool = pool()) {
                pool.alone(victim -> {
                    pool.paint();
                    long before = pool.fingerprint(0);
                    pool.fabric.control(0).revoke(victim.session.number());
                    switch (verb) {
                        case 0 -> victim.round.read(victim.region(), 0, 8, victim.here, 0);
                        case 1 -> victim.round.write(victim.region(), 0, 8, victim.here, 0);
                        case 2 -> victim.round.write(victim.region(), 0, 5);
                        case 3 -> victim.round.fetchAndAdd(victim.region(), 0, 5, victim.here, 0);
                        case 4 -> victim.round.maskedCompareAndSwap(victim.region(), 0, 0, 0, 5, -1, victim.here, 0);
                        case 5 -> victim.round.flush(victim.link());
                        case 6 -> victim.round.call(victim.link(), 0, victim.here, 0, 8, victim.here, 8, 8);
                        default -> victim.round.chain(victim.region(), 0);
                    }
                    RefusalAssertions.by(
                            Refusal.EPOCH, () -> victim.round.post().await());

                    assertSame(Effect.NOT_DONE, victim.round.verb(0).effect());
                    assertTrue(victim.landed(0) != ContractPool.painted(0));
                    assertEquals(before, pool.fingerprint(0));
                });
            }
        }
    }

    /** A recoverer relies on what it reads: nothing of the dead session lands after revoke has returned. */
    @Test
    default void nothingLandsAfterRevocation() {
        try (ContractPool pool = pool()) {
            AtomicInteger busy = new AtomicInteger();
            int stories = 60;
            for (int n = 0; n < stories; n++) {
                AtomicReference<ContractClient> victim = new AtomicReference<>();
                AtomicInteger turns = new AtomicInteger();
                AtomicInteger begun = new AtomicInteger();
                Litmus.Together together = new Litmus.Together(2);
                int min = 1 + n % 7;
                pool.run(
                        together.body(() -> {
                            ContractClient c = pool.client();
                            victim.set(c);
                            try {
                                for (boolean tooLate = false; !tooLate; ) {
                                    tooLate = together.anyEnded(); // the round below must be refused then
                                    c.fill(0, 32, begun.incrementAndGet());
                                    c.round
                                            .write(c.region(), 4096, 256, c.here, 0)
                                            .fetchAndAdd(c.region(), 64, 1, c.here, 512)
                                            .post()
                                            .await();
                                    turns.incrementAndGet();
                                }
                                throw new AssertionError("the revocation never arrived");
                            } catch (FabricException revoked) {
                                assertSame(Refusal.EPOCH, revoked.refusal(), revoked.getMessage());
                            }
                        }),
                        together.body(() -> {
                            ContractClient recoverer = pool.client();
                            while (turns.get() < min && !together.anyEnded()) Waiting.pause(500);
                            if (begun.get() > turns.get()) busy.incrementAndGet();
                            pool.fabric.control(0).revoke(victim.get().session.number());
                            long sum = recoverer.word(64);
                            long block = recoverer.fingerprint(0);
                            for (int i = 0; i < 20; i++) {
                                Waiting.pause(5_000);
                                assertEquals(sum, recoverer.word(64), "landed after revoke had returned");
                                assertEquals(block, recoverer.fingerprint(0), "landed after revoke had returned");
                            }
                            recoverer.close();
                        }));
            }
            Litmus.conclude(pool, "nothingLandsAfterRevocation", busy.get(), stories);
        }
    }

    /** A session is revoked at every node, also where it has never connected: it must not connect there afterwards. */
    @Test
    default void revocationPrecedesTheFirstConnection() {
        try (ContractPool pool = pool()) {
            pool.run(() -> {
                Session session = pool.fabric.attach();
                Lane lane = session.lane();
                lane.connect(0);
                for (int node = 0; node < 3; node++) pool.fabric.control(node).revoke(session.number());

                for (int node = 0; node < 3; node++) {
                    int there = node;
                    assertTrue(pool.fabric.control(node).isRevoked(session.number()), "node " + node);
                    RefusalAssertions.by(Refusal.EPOCH, () -> lane.connect(there));
                }
            });
        }
    }

    /** Lanes of one session that connect at the same moment are one session: one revocation stops all of them. */
    @Test
    default void revocationReachesLanesThatConnectedAtOnce() {
        for (int attempt = 0; attempt < 20; attempt++) {
            try (ContractPool pool = pool()) {
                Session[] session = new Session[1];
                ContractClient[] clients = new ContractClient[4];
                pool.run(() -> session[0] = pool.fabric.attach());
                Litmus.Together together = new Litmus.Together(clients.length);
                Runnable[] bodies = new Runnable[clients.length];
                for (int i = 0; i < bodies.length; i++) {
                    int who = i;
                    bodies[i] = together.body(() -> {
                        together.begin();
                        clients[who] = new ContractClient(session[0], pool.capabilities);
                    });
                }
                pool.run(bodies);

                pool.run(() -> {
                    int[] listed = pool.fabric.control(0).sessions();
                    assertEquals(
                            1,
                            Arrays.stream(listed)
                                    .filter(n -> n == session[0].number())
                                    .count());
                    pool.fabric.control(0).revoke(session[0].number());
                    for (ContractClient c : clients) RefusalAssertions.by(Refusal.EPOCH, () -> c.put(64, 1));
                });
            }
        }
    }

    /** A recoverer forgets a session after repair; the session itself stays refused, however late it resumes. */
    @Test
    default void forgottenSessionDoesNotComeBack() {
        try (ContractPool pool = pool()) {
            pool.alone(zombie -> {
                int number = zombie.session.number();
                for (int node = 0; node < 3; node++) end(pool.fabric.control(node), number);

                for (int node = 0; node < 3; node++) {
                    int there = node;
                    assertFalse(pool.fabric.control(node).isRevoked(number));
                    assertFalse(lists(pool, node, number));
                    RefusalAssertions.by(Refusal.EPOCH, () -> zombie.put(there, 64, 1));
                    RefusalAssertions.by(Refusal.EPOCH, () -> zombie.links[there].reconnect());
                    RefusalAssertions.by(Refusal.EPOCH, () -> zombie.lane.connect(there));
                    assertFalse(lists(pool, node, number));
                }
                ContractClient newer = pool.client();
                assertTrue(newer.session.number() != number);
                assertEquals(0, newer.word(64));
            });
        }
    }

    /** Forgetting a live session would release its locks while it still uses them; the call is ignored. */
    @Test
    default void livingSessionIsNotForgotten() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                pool.fabric.control(0).forget(c.session.number());

                assertTrue(lists(pool, 0, c.session.number()));
                c.put(64, 1);
                assertEquals(1, c.word(64));
            });
        }
    }

    /** A session may be revoked without knowing whether it ever connected to the node. */
    @Test
    default void revokingAnAbsentSessionHarmsNoOtherSession() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                ContractClient gone = pool.client();
                gone.close();
                pool.fabric.control(0).revoke(gone.session.number());
                pool.fabric.control(0).forget(gone.session.number());

                c.put(64, 1);
                assertEquals(1, c.word(64));
            });
        }
    }

    /** A new epoch refuses every link of an older one; the clients connect again and go on. */
    @Test
    default void raisedEpochRefusesLinksUntilTheyReconnect() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                NodeControl control = pool.fabric.control(0);
                c.put(64, 1);
                long epoch = control.epoch();
                control.raiseEpoch(epoch + 1);
                assertEquals(epoch + 1, control.epoch());

                RefusalAssertions.by(Refusal.EPOCH, () -> c.put(64, 2));
                assertTrue(c.link().isBroken());
                c.put(1, 64, 3);
                ContractClient late = pool.client();
                assertEquals(1, late.word(64), "who connects now has the new epoch");
                c.link().reconnect();
                Region again = c.link().open(pool.capabilities[0]);
                c.round.write(again, 64, 4).post().await();
                assertEquals(4, late.word(64));
                assertEquals(3, late.word(1, 64));
            });
        }
    }

    /** Opening a region does not bypass an epoch. */
    @Test
    default void raisedEpochRefusesOpening() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                pool.fabric.control(0).raiseEpoch(pool.fabric.control(0).epoch() + 5);

                RefusalAssertions.by(Refusal.EPOCH, () -> c.link().open(pool.capabilities[0]));
                assertTrue(c.link().isBroken());
            });
        }
    }

    /** A late announcement of an older epoch changes nothing. */
    @Test
    default void epochNeverMovesBack() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                NodeControl control = pool.fabric.control(0);
                control.raiseEpoch(7);
                control.raiseEpoch(3);
                control.raiseEpoch(7);

                assertEquals(7, control.epoch());
                Link link = c.lane.connect(0);
                Region region = link.open(pool.capabilities[0]);
                c.round.write(region, 64, 1).post().await();
                control.raiseEpoch(6);
                c.round.write(region, 64, 2).post().await();
            });
        }
    }

    private static void end(NodeControl control, int session) {
        control.revoke(session);
        control.forget(session);
    }

    private static boolean lists(ContractPool pool, int node, int session) {
        return Arrays.stream(pool.fabric.control(node).sessions()).anyMatch(n -> n == session);
    }
}
