package tidepool.contracts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.memory.Extent;
import tidepool.memory.NodeStatistics;

/**
 * Contract tests of set-up and growth: regions are created and freed, extents are allocated from them, and the totals
 * agree.
 */
interface RegionContract extends ContractBase {

    /** A region has at least the bytes that were asked for, and all of them can be accessed. */
    @Test
    default void regionIsAsLargeAsAsked() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                for (long bytes : new long[] {1, 8, 4096, 4097, 1 << 20}) {
                    Region region = c.link().open(pool.fabric.control(0).createRegion(bytes));
                    assertTrue(region.bytes() >= bytes && Words.isAligned(region.bytes()));
                    c.round
                            .write(region, region.bytes() - 8, bytes)
                            .read(region, region.bytes() - 8, 8, c.here, 0)
                            .post()
                            .await();
                    assertEquals(bytes, c.landed(0));
                }
            });
        }
    }

    /** A region of no bytes, or of more than there are, is refused and leaves nothing allocated. */
    @Test
    default void nonsensicalRegionsAreRefused() {
        try (ContractPool pool = pool()) {
            pool.run(() -> {
                NodeControl control = pool.fabric.control(0);
                NodeStatistics before = control.statistics();
                for (long bytes : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE})
                    RefusalAssertions.by(Refusal.BOUNDS, () -> control.createRegion(bytes));

                assertEquals(before, control.statistics());
            });
        }
    }

    /** Many tables, many regions: each is its own memory. */
    @Test
    default void hundredRegionsAreApart() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                NodeControl control = pool.fabric.control(1);
                List<Region> regions = new ArrayList<>();
                for (int i = 0; i < 100; i++) regions.add(c.links[1].open(control.createRegion(4096)));
                for (int i = 0; i < 100; i++)
                    c.round.write(regions.get(i), 8, i + 1).post().await();

                HashSet<Integer> numbers = new HashSet<>();
                for (int i = 0; i < 100; i++) {
                    c.round.read(regions.get(i), 0, 24, c.here, 0).post().await();
                    assertEquals(0, c.landed(0));
                    assertEquals(i + 1, c.landed(8));
                    assertEquals(0, c.landed(16));
                    assertTrue(numbers.add(regions.get(i).number()));
                }
                assertEquals(101, control.statistics().regions());
                assertEquals(0, c.word(1, 8), "the scene's own region");
            });
        }
    }

    /** A pool grows while clients work in it, and they open the new region by its capability. */
    @Test
    default void regionAddedLaterIsFoundByAllSessions() {
        try (ContractPool pool = pool()) {
            pool.alone(early -> {
                early.put(0, 1);
                ContractClient adder = pool.client();
                Id128 capability = pool.fabric.control(0).createRegion(8192);
                Region added = adder.link().open(capability);
                adder.round.write(added, 64, 5).post().await();

                Id128[] listed = pool.fabric.control(0).regions();
                assertEquals(capability, listed[added.number()]);
                Region found = early.link().open(capability);
                early.round.read(found, 64, 8, early.here, 0).post().await();
                assertEquals(5, early.landed(0));
                assertEquals(1, early.word(0), "what was open stays open");
            });
        }
    }

    /** Opening a region twice does not create a second one. */
    @Test
    default void regionOpenedTwiceIsTheSameMemory() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                Region again = c.link().open(pool.capabilities[0]);
                c.round
                        .write(again, 64, 1)
                        .read(c.region(), 64, 8, c.here, 0)
                        .post()
                        .await();

                assertEquals(1, c.landed(0));
                assertEquals(c.region().number(), again.number());
            });
        }
    }

    /** Numbers of freed regions are not used again. Otherwise an old pointer could point into a new table. */
    @Test
    default void freedRegionLeavesItsNumberUnused() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                NodeControl control = pool.fabric.control(0);
                Id128 first = control.createRegion(4096);
                int number = c.link().open(first).number();
                control.freeRegion(first);
                Id128 second = control.createRegion(4096);

                assertTrue(c.link().open(second).number() != number);
                assertNull(control.regions()[number]);
                assertEquals(2, control.statistics().regions());
            });
        }
    }

    /** Extents lie in their region, are aligned to words, do not overlap, and are zero. */
    @Test
    default void extentsAreApartAndZero() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                NodeControl control = pool.fabric.control(0);
                List<Extent> extents = new ArrayList<>();
                for (long bytes : new long[] {1, 8, 4096, 5000, 12_288, 64})
                    extents.add(control.allocate(pool.capabilities[0], bytes, c.session.number()));
                for (Extent extent : extents) {
                    assertTrue(Words.isAligned(extent.offset()) && Words.isAligned(extent.bytes()));
                    dirty(c, extent);
                }
                control.free(pool.capabilities[0], extents.remove(3));
                extents.add(control.allocate(pool.capabilities[0], 5000, c.session.number()));

                Extent newest = extents.getLast();
                MemorySegment landing = c.lane.landing(newest.bytes());
                c.round
                        .read(c.region(), newest.offset(), newest.bytes(), landing, 0)
                        .post()
                        .await();
                assertEquals(
                        -1, landing.mismatch(c.lane.landing(newest.bytes())), "zero, also where others wrote before");
                assertApart(extents, ContractPool.BYTES);
            });
        }
    }

    /** Clients that allocate concurrently get different memory. */
    @Test
    default void allocationsAtOnceAreApart() {
        try (ContractPool pool = pool()) {
            Id128[] capability = new Id128[1];
            pool.run(() -> capability[0] = pool.fabric.control(0).createRegion(1 << 20));
            List<Extent> extents = Collections.synchronizedList(new ArrayList<>());
            Runnable body = () -> {
                ContractClient c = pool.client();
                NodeControl control = pool.fabric.control(0);
                for (int i = 0; i < 25; i++) {
                    extents.add(control.allocate(capability[0], 4096, c.session.number()));
                    Extent brief = control.allocate(capability[0], 8192, c.session.number());
                    control.free(capability[0], brief);
                }
            };
            pool.run(body, body, body, body);

            assertEquals(100, extents.size());
            assertApart(extents, 1 << 20);
            pool.run(() -> assertEquals(100, pool.fabric.control(0).statistics().extents()));
        }
    }

    /** A full region refuses an allocation, and grants one again after an extent was freed. */
    @Test
    default void fullRegionSaysSo() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                NodeControl control = pool.fabric.control(0);
                Extent all = control.allocate(pool.capabilities[0], ContractPool.BYTES, c.session.number());
                RefusalAssertions.failing(
                        Reason.UNAVAILABLE, () -> control.allocate(pool.capabilities[0], 8, c.session.number()));
                RefusalAssertions.failing(
                        Reason.UNAVAILABLE,
                        () -> control.allocate(pool.capabilities[0], Long.MAX_VALUE, c.session.number()));
                control.free(pool.capabilities[0], all);

                assertEquals(all, control.allocate(pool.capabilities[0], ContractPool.BYTES, c.session.number()));
            });
        }
    }

    /** Memory that was not allocated cannot be freed, and no extent can be freed twice. */
    @Test
    default void onlyExtentsThatWereGivenAreTakenBack() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                NodeControl control = pool.fabric.control(0);
                Extent given = control.allocate(pool.capabilities[0], 8192, c.session.number());
                Extent[] wrong = {
                    new Extent(given.offset() + 8, given.bytes()),
                    new Extent(given.offset(), given.bytes() - 8),
                    new Extent(given.offset() + 4096, 4096),
                    new Extent(given.offset() + 32_768, 4096),
                    new Extent(-4096, 4096),
                    new Extent(Long.MAX_VALUE - 4095, 4096)
                };
                for (Extent extent : wrong)
                    RefusalAssertions.by(Refusal.BOUNDS, () -> control.free(pool.capabilities[0], extent));
                RefusalAssertions.by(
                        Refusal.BOUNDS, () -> control.allocate(pool.capabilities[0], 0, c.session.number()));
                RefusalAssertions.by(Refusal.KEY, () -> control.free(pool.capabilities[1], given));
                control.free(pool.capabilities[0], given);

                RefusalAssertions.by(Refusal.BOUNDS, () -> control.free(pool.capabilities[0], given));
                assertEquals(0, control.statistics().extents());
            });
        }
    }

    /** The numbers shown to the operator add up at every step. */
    @Test
    default void statisticsAddUp() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                NodeControl control = pool.fabric.control(0);
                NodeStatistics empty = balanced(control);
                Extent extent = control.allocate(pool.capabilities[0], 4096, c.session.number());
                NodeStatistics one = balanced(control);
                assertEquals(empty.allocatedBytes() + extent.bytes(), one.allocatedBytes());
                assertEquals(1, one.extents());
                control.free(pool.capabilities[0], extent);
                assertEquals(empty, balanced(control));

                ContractClient other = pool.client();
                assertEquals(empty.sessions() + 1, balanced(control).sessions());
                control.revoke(other.session.number());
                assertEquals(empty.sessions(), balanced(control).sessions());
                assertEquals(1, balanced(control).revokedSessions());
                control.forget(other.session.number());
                assertEquals(empty, balanced(control));
            });
        }
    }

    private static NodeStatistics balanced(NodeControl control) {
        NodeStatistics now = control.statistics();
        assertEquals(now.dataBytes(), now.allocatedBytes() + now.freeBytes());
        assertTrue(now.totalBytes() >= now.dataBytes());
        return now;
    }

    private static void dirty(ContractClient c, Extent extent) {
        MemorySegment source = c.lane.landing(extent.bytes());
        source.fill((byte) 0x5A);
        c.round
                .write(c.region(), extent.offset(), extent.bytes(), source, 0)
                .post()
                .await();
    }

    private static void assertApart(List<Extent> extents, long bytes) {
        List<Extent> sorted = new ArrayList<>(extents);
        sorted.sort(Comparator.comparingLong(Extent::offset));
        long end = 0;
        for (Extent extent : sorted) {
            assertTrue(extent.offset() >= end, "overlap at " + extent);
            end = extent.offset() + extent.bytes();
        }
        assertTrue(end <= bytes, "beyond the region: " + end);
    }
}
