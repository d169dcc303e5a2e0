package tidepool.contracts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tidepool.base.InvariantException;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.fabric.Traffic;

/** Contract tests of wrong uses of rounds, lanes and sessions: the mistake is named, and the lane goes on. */
interface RoundContract extends ContractBase {

    /** An empty round would be a trip without effect. */
    @Test
    default void emptyRoundIsNotPosted() {
        mistake(InvariantException.class, "at least one verb", c -> c.round.post());
        mistake(InvariantException.class, "at least one verb", c -> c.round.postInBackground());
    }

    /** No result may be read before await, and await needs a posted round. */
    @Test
    default void awaitFollowsPost() {
        mistake(InvariantException.class, "await follows post", c -> c.round.await());
        mistake(InvariantException.class, "await follows post", c -> {
            Round fresh = c.lane.round(1);
            fresh.write(c.region(), 0, 1);
            fresh.await();
        });
        mistake(InvariantException.class, "await follows post", c -> {
            c.round.write(c.region(), 0, 1).post().await();
            c.round.await();
        });
    }

    /** A round under way cannot be changed: its verbs and buffers belong to the fabric. */
    @Test
    default void roundUnderWayIsNotBuiltAnew() {
        story(c -> {
            c.round.write(c.region(), 0, 1).post();
            InvariantException thrown = assertThrows(InvariantException.class, () -> c.round.write(c.region(), 8, 1));
            assertTrue(thrown.getMessage().contains("awaited or settled"), thrown.getMessage());
            assertThrows(InvariantException.class, c.round::post);
            c.round.await();
            c.round.write(c.region(), 8, 2).postInBackground();
            assertThrows(InvariantException.class, () -> c.round.fence(c.link()));
            assertThrows(InvariantException.class, () -> c.round.deadline(1));
            c.round.settle();

            assertEquals(1, c.word(0));
            assertEquals(2, c.word(8));
        });
    }

    /** Await counts a trip and settle does not, so neither replaces the other. */
    @Test
    default void backgroundRoundsAreSettledAndOthersAwaited() {
        story(c -> {
            c.round.write(c.region(), 0, 1).postInBackground();
            assertThrows(InvariantException.class, c.round::await);
            c.round.settle();
            c.round.write(c.region(), 8, 2).post();
            assertThrows(InvariantException.class, c.round::settle);
            c.round.await();

            assertEquals(1, c.word(0));
            assertEquals(2, c.word(8));
        });
    }

    /**
     * A round has room for the verbs it was made with. The first verb beyond it is named, and those before it can still
     * be posted.
     */
    @Test
    default void fullRoundTakesNoMoreVerbs() {
        story(c -> {
            Round two = c.lane.round(2);
            two.write(c.region(), 0, 1).write(c.region(), 8, 2);
            IllegalArgumentException thrown =
                    assertThrows(IllegalArgumentException.class, () -> two.write(c.region(), 16, 3));
            assertTrue(thrown.getMessage().contains("capacity=2"), thrown.getMessage());
            two.post().await();

            assertEquals(1, c.word(0));
            assertEquals(2, c.word(8));
            assertEquals(0, c.word(16));
        });
    }

    /** A lane belongs to one strand. A round that used links of another lane would use them from two strands. */
    @Test
    default void linkOfAnotherLaneIsNotUsed() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                ContractClient other = new ContractClient(c.session, pool.capabilities);
                assertThrows(IllegalArgumentException.class, () -> c.round.write(other.region(), 0, 1));
                assertThrows(IllegalArgumentException.class, () -> c.round.flush(other.link()));
                assertThrows(IllegalArgumentException.class, () -> c.round.fence(other.link()));
                c.round.write(c.region(), 8, 2).post().await();

                assertEquals(0, other.word(0));
                assertEquals(2, other.word(8));
            });
        }
    }

    /** A fence without a verb after it is a mistake in the order of building. */
    @Test
    default void fenceHasAVerbAfterIt() {
        story(c -> {
            c.round.write(c.region(), 0, 1).fence(c.link());
            InvariantException thrown = assertThrows(InvariantException.class, c.round::post);
            assertTrue(thrown.getMessage().contains("fence"), thrown.getMessage());
            assertThrows(IllegalArgumentException.class, () -> c.round.fence(c.link()));
            c.round.write(c.regions[1], 0, 2);
            assertThrows(InvariantException.class, c.round::post, "the verb is on another link");
            c.round.write(c.region(), 8, 3).post().await();

            assertTrue(c.round.verb(2).fenced());
            assertFalse(c.round.verb(1).fenced());
            assertEquals(3, c.word(8));
        });
    }

    /** A local buffer that is too short, off the grid or on the heap is found before anything is sent. */
    @Test
    default void placesHereAreCheckedBeforeSending() {
        story(c -> {
            MemorySegment small = c.lane.landing(64);
            MemorySegment heap = MemorySegment.ofArray(new byte[64]);
            Round r = c.round;
            misplaced(() -> r.read(c.region(), 0, 72, small, 0));
            misplaced(() -> r.read(c.region(), 0, 64, small, 8));
            misplaced(() -> r.write(c.region(), 0, 64, small, -8));
            misplaced(() -> r.write(c.region(), 0, 56, small, 4));
            misplaced(() -> r.read(c.region(), 0, 48, small.asSlice(4), 0));
            misplaced(() -> r.compareAndSwap(c.region(), 0, 0, 1, small, 64));
            misplaced(() -> r.fetchAndAdd(c.region(), 0, 1, small, 60));
            misplaced(() -> r.read(c.region(), 0, 64, heap, 0));
            misplaced(() -> r.read(c.region(), 0, 8, null, 0));
            misplaced(() -> r.write(c.region(), 0, 8, null, 0));
            misplaced(() -> r.call(c.link(), 0, small, 0, 72, c.here, 0, 8));
            misplaced(() -> r.call(c.link(), 0, c.here, 0, 8, small, 0, 72));
            misplaced(() -> r.call(c.link(), 0, c.here, 0, 8, null, 0, 8));
            r.write(c.region(), 8, 64, small, 0).write(c.region(), 0, 1).post().await();

            assertEquals(2, r.count());
            assertEquals(1, c.word(0));
        });
    }

    /** Discarding a round drops its verbs, fences and deadline. */
    @Test
    default void discardedVerbsAreNeverSent() {
        story(c -> {
            c.round.deadline(1).write(c.region(), 0, 1).fence(c.link());
            c.round.discard();
            assertEquals(0, c.lane.traffic().allVerbs());
            c.round.write(c.region(), 8, 2).post();
            InvariantException thrown = assertThrows(InvariantException.class, c.round::discard);
            assertTrue(thrown.getMessage().contains("posted"), thrown.getMessage());
            c.round.await();
            c.round.discard();

            assertEquals(1, c.lane.traffic().allVerbs());
            assertEquals(0, c.lane.traffic().fenceTrips());
            assertFalse(c.round.verb(0).fenced());
            assertEquals(0, c.word(0));
            assertEquals(2, c.word(8));
        });
    }

    /** A mistake is not counted as traffic. */
    @Test
    default void mistakesAreNotCounted() {
        story(c -> {
            Traffic before = c.lane.traffic().snapshot();
            assertThrows(InvariantException.class, c.round::post);
            assertThrows(IllegalArgumentException.class, () -> c.round.read(c.region(), 0, 8, null, 0));
            c.round.fence(c.link());
            assertThrows(InvariantException.class, c.round::post);

            assertEquals(0, c.lane.traffic().since(before).allVerbs());
            assertEquals(0, c.lane.traffic().since(before).rounds());
        });
    }

    /** Connecting to a node number that does not exist fails. */
    @Test
    default void unknownNodeIsNamed() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                for (int node : new int[] {-1, 3, Integer.MAX_VALUE}) {
                    IllegalArgumentException thrown =
                            assertThrows(IllegalArgumentException.class, () -> c.lane.connect(node));
                    assertTrue(thrown.getMessage().contains("node=" + node), thrown.getMessage());
                    assertThrows(RuntimeException.class, () -> pool.fabric.control(node));
                }
            });
        }
    }

    /** A closed lane carries nothing more; it reports that it is closed, and that nothing was done. */
    @Test
    default void closedLaneCarriesNothing() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                ContractClient watcher = pool.client();
                c.put(64, 1);
                c.lane.close();
                c.lane.close();
                FabricException thrown = RefusalAssertions.failing(
                        Reason.CLOSED,
                        () -> c.round.write(c.region(), 64, 2).post().await());

                assertSame(Effect.NOT_DONE, thrown.effect());
                assertSame(Effect.NOT_DONE, c.round.verb(0).effect());
                assertEquals(1, watcher.word(64));
                Lane other = c.session.lane();
                assertFalse(other.connect(0).isBroken(), "the session lives on");
            });
        }
    }

    /** A closed session carries nothing more, and cannot be reopened by one of its lanes. */
    @Test
    default void closedSessionCarriesNothing() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                ContractClient watcher = pool.client();
                Session session = c.session;
                session.close();
                session.close();
                RefusalAssertions.failing(
                        Reason.CLOSED,
                        () -> c.round.write(c.region(), 64, 2).post().await());

                assertThrows(FabricException.class, () -> c.link().reconnect());
                assertThrows(FabricException.class, () -> c.lane.connect(0));
                assertThrows(FabricException.class, () -> session.lane().connect(0));
                assertEquals(0, watcher.word(64));
                assertEquals(
                        0,
                        java.util.Arrays.stream(pool.fabric.control(0).sessions())
                                .filter(n -> n == session.number())
                                .count());
            });
        }
    }

    /** A closed pool reports that it is closed to every later call. */
    @Test
    default void closedPoolSaysSo() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                Fabric fabric = pool.fabric;
                Session unused = fabric.attach();
                fabric.close();
                fabric.close();

                RefusalAssertions.failing(Reason.CLOSED, fabric::attach);
                RefusalAssertions.failing(Reason.CLOSED, () -> fabric.control(0).createRegion(8));
                RefusalAssertions.failing(
                        Reason.CLOSED,
                        () -> c.round.write(c.region(), 0, 1).post().await());
                assertThrows(FabricException.class, () -> unused.lane().connect(0));
                assertThrows(FabricException.class, () -> c.link().reconnect());
                assertThrows(FabricException.class, () -> c.link().open(pool.capabilities[0]));
                c.session.close();
                unused.close();
            });
        }
    }

    private void mistake(Class<? extends RuntimeException> type, String words, Consumer<ContractClient> act) {
        story(c -> {
            RuntimeException thrown = assertThrows(type, () -> act.accept(c));
            assertTrue(thrown.getMessage().contains(words), thrown.getMessage());
            c.put(64, 5);
            assertEquals(5, c.word(64), "the lane goes on");
        });
    }

    private static void misplaced(Runnable act) {
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, act::run);
        assertFalse(thrown.getMessage().isEmpty());
    }
}
