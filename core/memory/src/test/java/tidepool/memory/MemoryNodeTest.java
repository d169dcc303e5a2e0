package tidepool.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Checksum64;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.memory.MemoryNodeException.Reason;

class MemoryNodeTest {
    private final ArenaStore store = ArenaStore.formatted(0);
    private final MemoryNode node = Nodes.node(store, 7, SessionLiveness.NEVER_DEAD);
    private final MemoryNode other = Nodes.node(store, 8, SessionLiveness.NEVER_DEAD);

    private static MemoryNodeException refused(Reason reason, Runnable call) {
        MemoryNodeException e = assertThrows(MemoryNodeException.class, call::run);
        assertEquals(reason, e.reason(), e.getMessage());
        return e;
    }

    // ---- regions

    @Test
    void regionMadeHereIsOpenedElsewhere() {
        Id128 capability = node.createRegion(10_000);

        NodeRegion here = node.openRegion(capability);
        NodeRegion there = other.openRegion(capability);
        Words.release(here.data(), 16, 42);
        assertEquals(42, Words.acquire(there.data(), 16));
        assertEquals(12_288, there.dataBytes());
        assertArrayEquals(new Id128[] {capability}, other.capabilities());
    }

    /** One wrong bit in a capability, and it opens nothing. */
    @Test
    void wrongCapabilityOpensNothing() {
        Id128 capability = node.createRegion(10_000);

        for (int bit = 0; bit < 64; bit++) {
            assertNull(node.openRegion(new Id128(capability.high() ^ 1L << bit, capability.low())));
            assertNull(node.openRegion(new Id128(capability.high(), capability.low() ^ 1L << bit)));
        }
        assertNull(node.openRegion(new Id128(0, 0)), "unused entries hold zeroes and open nothing");
        refused(Reason.KEY, () -> node.allocate(new Id128(0, 0), 1, 1));
        refused(Reason.KEY, () -> node.freeRegion(new Id128(0, 0)));
    }

    @Test
    void freedRegionIsGoneForAllSessionsAndItsNumberToo() {
        Id128 first = node.createRegion(10_000);
        NodeRegion held = other.openRegion(first);
        node.freeRegion(first);

        assertNull(node.openRegion(first));
        assertNull(other.openRegion(first));
        assertNull(other.region(0));
        assertFalse(held.isLive());
        assertFalse(store.regions.containsKey(0));
        refused(Reason.KEY, () -> node.freeRegion(first));
        refused(Reason.KEY, () -> other.allocate(first, 1, 1));
        Id128 second = other.createRegion(10_000);
        assertEquals(1, node.openRegion(second).number());
        assertNotEquals(first, second);
        assertArrayEquals(new Id128[] {null, second}, node.capabilities());
    }

    @Test
    void tableOfRegionsFillsUpAndSaysSo() {
        for (int i = 0; i < NodeLayout.REGIONS; i++)
            assertEquals(i, node.openRegion(node.createRegion(1)).number());

        assertEquals(
                "node 0 has all its 256 regions",
                refused(Reason.FULL, () -> node.createRegion(1)).getMessage());
        node.freeRegion(node.capabilities()[5]);
        assertEquals(255, other.statistics().regions());
        assertEquals(5, other.openRegion(other.createRegion(1)).number(), "the one that was freed");
        refused(Reason.FULL, () -> node.createRegion(1));
    }

    @Test
    void aRevokedSessionGetsNoExtents() {
        Id128 region = node.createRegion(10 * 4096);
        node.sessions().attach(5, 1, 1);
        node.allocate(region, 4096, 5);
        node.sessions().revoke(5);
        assertEquals(
                "session 5 was revoked",
                refused(Reason.KEY, () -> node.allocate(region, 4096, 5)).getMessage());
        assertEquals(4096, node.statistics().allocatedBytes());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, (1L << 46) + 1, Long.MAX_VALUE})
    void regionsOfImpossibleSizeAreRefused(long bytes) {
        refused(Reason.ARGUMENT, () -> node.createRegion(bytes));
    }

    @Test
    void numbersOutsideTheTableAreNoRegions() {
        node.createRegion(1);

        for (int number : new int[] {-1, 1, 255, 256, Integer.MAX_VALUE, Integer.MIN_VALUE})
            assertNull(node.region(number), "number=" + number);
        assertNotNull(node.region(0));
    }

    /** A region whose memory is damaged cannot be opened, but it can be freed. */
    @Test
    void damagedRegionIsNamedAndCanBeFreed() {
        Id128 capability = node.createRegion(10_000);
        Words.plain(store.regions.get(0), RegionLayout.BYTES, 1);

        assertEquals(
                "region 0 has a damaged header",
                refused(Reason.CORRUPT, () -> other.openRegion(capability)).getMessage());
        other.freeRegion(capability);
        assertNull(node.openRegion(capability));
    }

    /** The other process freed it after its state was read: there is nothing to open, and that is no error. */
    @Test
    void regionFreedWhileBeingOpenedIsNone() {
        Id128 capability = node.createRegion(10_000);
        RegionStore late = opening(() -> node.freeRegion(capability));

        assertNull(Nodes.node(late, 9, SessionLiveness.NEVER_DEAD).openRegion(capability));
    }

    /** Connections compare regions by identity, so all threads must get the same object. */
    @Test
    void threadsThatOpenTogetherGetTheSameRegion() {
        node.createRegion(10_000);
        StartLine bothAreOpening = new StartLine(2);
        MemoryNode third = Nodes.node(opening(bothAreOpening::await), 9, SessionLiveness.NEVER_DEAD);
        NodeRegion[] seen = new NodeRegion[2];
        Together.run(2, t -> seen[t] = third.region(0));

        assertSame(seen[0], seen[1]);
        assertSame(seen[0], third.region(0));
    }

    /** Returns a store over the same memory that runs an action whenever a region is opened. */
    private RegionStore opening(Runnable happens) {
        return new RegionStore() {
            @Override
            public MemorySegment meta() {
                return store.meta();
            }

            @Override
            public MemorySegment create(int number, long bytes) {
                return store.create(number, bytes);
            }

            @Override
            public MemorySegment open(int number, long bytes) {
                happens.run();
                return store.open(number, bytes);
            }

            @Override
            public void delete(int number) {
                store.delete(number);
            }
        };
    }

    // ---- extents

    /** Four threads of two processes allocate and free: no byte is ever in two extents. */
    @Test
    void extentsOfSeveralProcessesDoNotOverlap() {
        // Large enough for 16 contiguous granules, wherever the three other threads hold 16 each.
        Id128 capability = node.createRegion(128 * 4096);
        Together.run(4, t -> {
            MemoryNode mine = t % 2 == 0 ? node : other;
            MemorySegment data = mine.openRegion(capability).data();
            for (int i = 0; i < 500; i++) holdForAMoment(mine, capability, data, 20 + t, 1 + i % 16);
        });

        new ExtentImage(store.regions.get(0)).assertHolds(new TreeMap<>(), "at the end");
    }

    private static void holdForAMoment(
            MemoryNode node, Id128 capability, MemorySegment data, int session, int granules) {
        Extent extent = node.allocate(capability, granules * 4096L, session);
        MemorySegment memory = data.asSlice(extent.offset(), extent.bytes());
        for (long i = 0; i < memory.byteSize(); i += 512) {
            assertEquals(0, Words.acquire(memory, i));
            Words.release(memory, i, session);
        }
        for (long i = 0; i < memory.byteSize(); i += 512) assertEquals(session, Words.acquire(memory, i));
        node.free(capability, extent);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void extentsOfNothingAreRefused(long bytes) {
        Id128 capability = node.createRegion(4096);
        refused(Reason.ARGUMENT, () -> node.allocate(capability, bytes, 1));
    }

    @Test
    void fullRegionSaysWhichOne() {
        Id128 capability = node.createRegion(4096);

        assertEquals(
                "no 4097 contiguous bytes are free: node=0 region=0",
                refused(Reason.FULL, () -> node.allocate(capability, 4097, 1)).getMessage());
        refused(Reason.FULL, () -> node.allocate(capability, Long.MAX_VALUE, 1));
        assertEquals(
                "not an allocated extent: node=0 region=0 Extent[offset=0, bytes=4096]",
                refused(Reason.ARGUMENT, () -> node.free(capability, new Extent(0, 4096)))
                        .getMessage());
    }

    // ---- epoch and sessions

    @Test
    void epochNeverMovesBack() {
        assertEquals(1, node.epoch());
        node.raiseEpoch(5);
        other.raiseEpoch(3);
        assertEquals(5, node.epoch());

        StartLine line = new StartLine(2);
        Together.run(2, t -> {
            for (int i = 10; i < 2_000; i += 2) {
                line.await();
                (t == 0 ? node : other).raiseEpoch(i + t);
                line.await();
                assertEquals(i + 1, node.epoch(), "the higher one wins");
            }
        });
    }

    @Test
    void sessionNumbersAreUsedOnceAndRunOut() {
        assertEquals(1, node.nextSession());
        assertEquals(2, other.nextSession());

        Words.plain(store.meta(), NodeLayout.NEXT_SESSION, NodeLayout.GIVEN_NUMBERS);
        assertEquals(NodeLayout.GIVEN_NUMBERS, node.nextSession());
        for (int i = 0; i < 2; i++) refused(Reason.FULL, node::nextSession);
        assertEquals(NodeLayout.GIVEN_NUMBERS, node.usedNumbers());
    }

    // ---- headers

    private static String openingRefused(MemorySegment meta) {
        RegionStore store = new RegionStore() {
            @Override
            public MemorySegment meta() {
                return meta;
            }

            @Override
            public MemorySegment create(int number, long bytes) {
                throw new AssertionError("a node that is refused is not changed");
            }

            @Override
            public MemorySegment open(int number, long bytes) {
                throw new AssertionError("a node that is refused is not used");
            }

            @Override
            public void delete(int number) {
                throw new AssertionError("a node that is refused is not changed");
            }
        };
        return refused(Reason.CORRUPT, () -> Nodes.node(store, 7, SessionLiveness.NEVER_DEAD))
                .getMessage();
    }

    /** Recomputes the checksum, as if a newer or wrong program had written the header. */
    private static void resign(MemorySegment meta) {
        Words.plain(meta, NodeLayout.CHECKSUM, Checksum64.of(meta, 0, 16, NodeLayout.MAGIC));
    }

    @Test
    void eachKindOfWrongHeaderHasItsSentence() {
        MemorySegment meta = store.meta();
        assertEquals("the memory of node 0 is too short: bytes=4096", openingRefused(meta.asSlice(0, 4096)));
        assertEquals("the memory of node 0 is too short: bytes=0", openingRefused(meta.asSlice(0, 0)));
        assertEquals(
                "not a Tidepool memory node: node=0",
                openingRefused(Arena.ofAuto().allocate(NodeLayout.BYTES, 8)));

        Words.plain(meta, 0, RegionLayout.MAGIC);
        assertEquals("not a Tidepool memory node: node=0", openingRefused(meta));
        Words.plain(meta, 0, NodeLayout.MAGIC);

        for (int version : new int[] {0, 3}) {
            meta.set(Words.U32, NodeLayout.VERSION_AT, version);
            resign(meta);
            assertEquals("node 0 has format version " + version + ", this program reads 1 to 2", openingRefused(meta));
        }
        meta.set(Words.U32, NodeLayout.VERSION_AT, 2);

        meta.set(Words.U32, NodeLayout.NODE, 3);
        assertEquals("the header of node 0 is damaged", openingRefused(meta));
        resign(meta);
        assertEquals("this is the memory of node 3, not of node 0", openingRefused(meta));
        meta.set(Words.U32, NodeLayout.NODE, 0);
        resign(meta);

        for (long count : new long[] {-1, 257, Integer.MAX_VALUE, 1L << 32}) {
            Words.plain(meta, NodeLayout.REGION_COUNT, count);
            assertTrue(openingRefused(meta).startsWith("node 0 cannot have "), "count=" + count);
        }
        Words.plain(meta, NodeLayout.REGION_COUNT, 256);
        Nodes.node(store, 7, SessionLiveness.NEVER_DEAD);
    }

    /** Every flipped bit of the constant part is noticed. */
    @Test
    void everyFlippedBitOfTheHeaderIsRefused() {
        MemorySegment meta = store.meta();
        for (long at : new long[] {0, 8, NodeLayout.CHECKSUM})
            for (int bit = 0; bit < 64; bit++) {
                long word = Words.plain(meta, at);
                Words.plain(meta, at, word ^ 1L << bit);
                openingRefused(meta);
                Words.plain(meta, at, word);
            }
        Nodes.node(store, 7, SessionLiveness.NEVER_DEAD);
    }

    @Test
    void statisticsAddUp() {
        Id128 capability = node.createRegion(100_000);
        Id128 gone = node.createRegion(100_000);
        node.allocate(capability, 10_000, 1);
        node.allocate(gone, 10_000, 1);
        node.freeRegion(gone);

        NodeStatistics now = other.statistics();
        assertEquals(1, now.regions());
        assertEquals(now.dataBytes(), now.allocatedBytes() + now.freeBytes());
        assertEquals(12_288, now.allocatedBytes());
        assertEquals(1, now.extents());
        assertTrue(now.totalBytes() > now.dataBytes());
    }
}
