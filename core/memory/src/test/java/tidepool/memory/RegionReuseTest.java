package tidepool.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Checksum64;
import tidepool.base.Id128;
import tidepool.base.Words;

/** Region entries are reused for ever, and nothing of an earlier region opens a later one in its entry. */
class RegionReuseTest {
    private static final int SMALL = 4096;
    private static final int ROUNDS = 100_000;

    private final ArenaStore store = new ArenaStore();
    private boolean dead;

    private MemoryNode formatted(int session) {
        if (Words.plain(store.meta(), NodeLayout.MAGIC_AT) == 0) MemoryNode.format(store.meta(), 0);
        return Nodes.node(store, session, holder -> dead);
    }

    private static List<Id128> fill(MemoryNode node) {
        List<Id128> all = new ArrayList<>();
        for (int i = 0; i < NodeLayout.REGIONS; i++) all.add(node.createRegion(SMALL));
        return all;
    }

    @Test
    void entriesAreUsedAgainForEver() {
        MemoryNode node = Nodes.node(new Recycled(), Nodes.SESSION, SessionLiveness.NEVER_DEAD);
        List<Id128> all = fill(node);
        assertEquals(NodeLayout.REGIONS, node.usedEntries());
        for (int round = 0; round < ROUNDS; round++) {
            Id128 oldest = all.get(round % NodeLayout.REGIONS);
            NodeRegion before = node.openRegion(oldest);
            node.freeRegion(oldest);
            assertEquals(NodeLayout.REGIONS - 1, node.usedEntries());
            Id128 next = node.createRegion(SMALL);
            NodeRegion after = node.openRegion(next);
            assertEquals(before.number(), after.number(), "the entry that was free");
            assertFalse(before.isLive());
            assertTrue(after.isLive());
            assertNull(node.openRegion(oldest));
            all.set(round % NodeLayout.REGIONS, next);
        }
        assertThrows(MemoryNodeException.class, () -> node.createRegion(SMALL));
    }

    /** Another process that has the earlier region open sees it end, and opens the memory of the later one. */
    @Test
    void anEarlierRegionOfAnotherProcessIsNotTheLaterOne() {
        MemoryNode node = formatted(1);
        MemoryNode other = formatted(2);
        List<Id128> all = fill(node);
        NodeRegion seen = other.openRegion(all.get(17));
        assertTrue(seen.isLive());

        node.freeRegion(all.get(17));
        Id128 later = node.createRegion(2 * SMALL);

        assertFalse(seen.isLive());
        assertEquals(AccessCode.KEY, seen.access(0, 8));
        assertNull(other.openRegion(all.get(17)));
        NodeRegion again = other.openRegion(later);
        assertEquals(17, again.number());
        assertEquals(2 * SMALL, again.dataBytes());
        assertEquals(again, other.region(17));
        assertEquals(later, other.capabilities()[17]);
        Words.plain(again.data(), 0, 42);
        assertEquals(42, Words.plain(node.region(17).data(), 0));
        assertNotEquals(42, Words.plain(seen.data(), 0));
    }

    /** At whatever step the creator of the later region dies, the entry stays free, and the next creator uses it. */
    @Test
    void aMakerThatDiesLeavesTheEntryFree() {
        MemoryNode node = formatted(1);
        Id128 freed = fill(node).get(5);
        node.freeRegion(freed);
        long entry = NodeLayout.region(5);
        long state = Words.plain(store.meta(), entry + NodeLayout.REGION_STATE);
        // The state right before the last step of a creation: its memory, its capability, and the lock.
        store.create(5, NodeRegion.bytesFor(SMALL));
        Words.plain(store.meta(), entry + NodeLayout.REGION_CAPABILITY_HIGH, 1);
        Words.plain(store.meta(), entry + NodeLayout.REGION_CAPABILITY_LOW, 2);
        Words.plain(store.meta(), NodeLayout.CONTROL_LOCK, 9);
        dead = true;

        assertNull(node.openRegion(new Id128(1, 2)));
        Id128 made = node.createRegion(SMALL);

        assertEquals(5, node.openRegion(made).number());
        assertNull(node.openRegion(new Id128(1, 2)));
        assertNotEquals(state, Words.plain(store.meta(), entry + NodeLayout.REGION_STATE));
    }

    @Test
    void anEntryWhoseMemoryIsNotYetGoneIsNotUsed() {
        boolean[] gone = {false};
        Recycled memory = new Recycled() {
            @Override
            public boolean isReusable(int number) {
                return gone[0];
            }
        };
        MemoryNode node = Nodes.node(memory, Nodes.SESSION, SessionLiveness.NEVER_DEAD);
        node.freeRegion(fill(node).get(200));
        assertThrows(MemoryNodeException.class, () -> node.createRegion(SMALL));
        assertEquals(NodeLayout.REGIONS, node.usedEntries());
        gone[0] = true;
        assertEquals(NodeLayout.REGIONS - 1, node.usedEntries());
        assertEquals(200, node.openRegion(node.createRegion(SMALL)).number());
    }

    /** Programs of that version would not see a region in a reused entry. */
    @Test
    void aNodeOfTheVersionBeforeIsServedAndUsesNoEntryAgain() {
        MemoryNode.format(store.meta(), 0);
        store.meta().set(Words.U32, NodeLayout.VERSION_AT, NodeLayout.OLDEST_VERSION);
        Words.plain(
                store.meta(),
                NodeLayout.CHECKSUM,
                Checksum64.of(store.meta(), 0, NodeLayout.CONSTANT_PART, NodeLayout.MAGIC));
        MemoryNode node = formatted(1);
        Id128 first = fill(node).getFirst();
        node.freeRegion(first);

        MemoryNodeException refused = assertThrows(MemoryNodeException.class, () -> node.createRegion(SMALL));

        assertEquals(
                "node 0 has used all its 256 region entries, and a node of format version 1 uses none again: back the"
                        + " pool up and restore it into a new one",
                refused.getMessage());
        assertEquals(NodeLayout.REGIONS, node.usedEntries());
        assertTrue(node.region(7).isLive());
    }

    /** A store that keeps the memory of one region per number. */
    private static class Recycled implements RegionStore {
        private final ArenaStore first = ArenaStore.formatted(0);

        @Override
        public MemorySegment meta() {
            return first.meta();
        }

        @Override
        public MemorySegment create(int number, long bytes) {
            MemorySegment known = first.regions.get(number);
            return known != null ? known.fill((byte) 0) : first.create(number, bytes);
        }

        @Override
        public MemorySegment open(int number, long bytes) {
            return first.open(number, bytes);
        }

        @Override
        public void delete(int number) {
            // Kept for reuse.
        }
    }
}
