package tidepool.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.base.InvariantException;
import tidepool.base.Words;
import tidepool.memory.ExtentImage.Held;
import tidepool.memory.MemoryNodeException.Reason;

/** Two processes share a node; session 7 dies while it holds the control lock, and session 8 takes over. */
class ControlLockTest {
    private static final int DEAD = 7;
    private static final int ALIVE = 8;

    private final ArenaStore store = ArenaStore.formatted(0);
    private final MemoryNode dead = Nodes.node(store, DEAD, session -> false);
    private final MemoryNode alive = Nodes.node(store, ALIVE, session -> session == DEAD);

    private long lock() {
        return Words.acquire(store.meta(), NodeLayout.CONTROL_LOCK);
    }

    private void diesHoldingTheLock() {
        Words.volatileSet(store.meta(), NodeLayout.CONTROL_LOCK, DEAD);
    }

    private ExtentImage image(int region) {
        return new ExtentImage(store.regions.get(region));
    }

    /** The dead session had reserved granules and not yet published them: these are freed, and no others. */
    @Test
    void takeoverClearsWhatADeadSessionReserved() {
        Id128 capability = dead.createRegion(100_000);
        dead.allocate(capability, 5000, DEAD);
        diesHoldingTheLock();
        for (int d = 1; d < 6; d++) image(0).word(4 + d, 1L << 62 | d);

        Extent extent = alive.allocate(capability, 4096 * 20, ALIVE);

        assertEquals(new Extent(2 * 4096, 20 * 4096), extent);
        TreeMap<Long, Held> expected = new TreeMap<>();
        expected.put(0L, new Held(DEAD, 2));
        expected.put(2L, new Held(ALIVE, 20));
        image(0).assertHolds(expected, "after the takeover");
        assertEquals(0, lock());
    }

    /** Without a takeover the reserved granules would stay lost, so the repair freed them. */
    @Test
    void withoutRepairTheGranulesWouldBeLost() {
        Id128 capability = dead.createRegion(100_000);
        for (int d = 1; d < 6; d++) image(0).word(4 + d, 1L << 62 | d);

        assertThrows(AssertionError.class, () -> image(0).whole("not repaired"));
        assertEquals(
                Reason.FULL,
                assertThrows(MemoryNodeException.class, () -> alive.allocate(capability, 4096 * 20, ALIVE))
                        .reason());
    }

    /** Memory was created for a region, and perhaps its entry filled in, but it was never counted. */
    @Test
    void takeoverGivesBackARegionThatWasHalfCreated() {
        Id128 first = dead.createRegion(50_000);
        dead.createRegion(60_000);
        Words.volatileSet(store.meta(), NodeLayout.REGION_COUNT, 1); // back to the moment before the last word
        diesHoldingTheLock();

        alive.allocate(first, 1, ALIVE);

        assertFalse(store.regions.containsKey(1), "its memory is given back");
        assertEquals(
                NodeLayout.REGION_UNUSED, Words.plain(store.meta(), NodeLayout.region(1) + NodeLayout.REGION_STATE));
        assertEquals(1, alive.regionCount());
        Id128 next = alive.createRegion(70_000);
        assertEquals(1, alive.openRegion(next).number());
        assertEquals(73_728, alive.openRegion(next).dataBytes());
    }

    /** Without a takeover, as when the creator got an exception, the next creation overwrites the leftover. */
    @Test
    void nextCreationReplacesALeftover() {
        dead.createRegion(60_000);
        image(0).data().fill((byte) -1);
        Words.volatileSet(store.meta(), NodeLayout.REGION_COUNT, 0);
        assertNull(alive.region(0));

        Id128 capability = alive.createRegion(60_000);

        NodeRegion region = alive.openRegion(capability);
        assertEquals(0, region.number());
        assertTrue(image(0).isZero(0, image(0).granules()));
        assertEquals(1, alive.regionCount());
    }

    /** The entry said freed, but the memory was still there. */
    @Test
    void takeoverGivesBackARegionThatWasHalfFreed() {
        dead.createRegion(50_000);
        Id128 other = dead.createRegion(50_000);
        Words.volatileSet(store.meta(), NodeLayout.region(0) + NodeLayout.REGION_STATE, NodeLayout.REGION_FREED);
        diesHoldingTheLock();

        alive.free(other, alive.allocate(other, 1, ALIVE));

        assertFalse(store.regions.containsKey(0));
        assertTrue(store.regions.containsKey(1));
        assertNull(alive.region(0));
        assertNotNull(alive.region(1));
    }

    /** A repair that fails must not leave the lock in the state after a successful one. */
    @Test
    void failedRepairLeavesTheLockWithTheDeadSession() {
        Id128 capability = dead.createRegion(50_000);
        diesHoldingTheLock();
        image(0).word(3, 1L << 63);

        for (int i = 0; i < 2; i++)
            assertEquals(
                    Reason.CORRUPT,
                    assertThrows(MemoryNodeException.class, () -> alive.allocate(capability, 1, ALIVE))
                            .reason());
        assertEquals(DEAD, lock());

        image(0).word(3, 0);
        alive.allocate(capability, 1, ALIVE);
        assertEquals(0, lock());
    }

    /** A refused control call releases the lock. Otherwise the next one would wait for ever. */
    @Test
    void refusedCallsReleaseTheLock() {
        Id128 capability = dead.createRegion(50_000);
        Id128 unknown = new Id128(1, 2);
        for (Runnable call : List.<Runnable>of(
                () -> dead.allocate(unknown, 1, DEAD),
                () -> dead.allocate(capability, 1 << 20, DEAD),
                () -> dead.allocate(capability, 0, DEAD),
                () -> dead.free(capability, new Extent(0, 1)),
                () -> dead.freeRegion(unknown))) {
            assertThrows(MemoryNodeException.class, call::run);
            assertEquals(0, lock());
        }
    }

    /** The holder is alive and does not release the lock: an error names it, and the wait ends. */
    @Test
    void lockOfALivingSessionIsWaitedForAndThenNamed() {
        Id128 capability = alive.createRegion(50_000);
        Words.volatileSet(store.meta(), NodeLayout.CONTROL_LOCK, 9);
        Thread.currentThread().interrupt(); // pauses return at once, so that the test does not take ten seconds

        MemoryNodeException e = assertThrows(MemoryNodeException.class, () -> alive.allocate(capability, 1, ALIVE));

        assertTrue(Thread.interrupted());
        assertEquals(Reason.BUSY, e.reason());
        assertEquals("session 9 holds the control lock", e.getMessage());
        assertEquals(9, lock());
    }

    @Test
    void onlyTheHolderReleases() {
        ControlLock mine = new ControlLock(store.meta(), ALIVE, session -> false);
        Words.volatileSet(store.meta(), NodeLayout.CONTROL_LOCK, 9);

        assertThrows(InvariantException.class, mine::release);
        assertEquals(9, lock());
        assertThrows(IllegalArgumentException.class, () -> new ControlLock(store.meta(), 0, session -> false));
    }

    /** Several sessions find the same dead holder: one repairs, the others wait for it. */
    @Test
    void oneOfManyTakesOver() {
        for (int round = 0; round < 200; round++) {
            diesHoldingTheLock();
            int[] repairs = new int[1]; // guarded by the lock
            int[] turns = new int[1];
            Together.run(4, t -> {
                ControlLock lock = new ControlLock(store.meta(), 10 + t, session -> session == DEAD);
                lock.acquire(() -> repairs[0]++);
                turns[0]++;
                lock.release();
            });

            assertEquals(1, repairs[0]);
            assertEquals(4, turns[0]);
            assertEquals(0, lock());
        }
    }
}
