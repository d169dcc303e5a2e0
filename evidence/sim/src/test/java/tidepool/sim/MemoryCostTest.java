package tidepool.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * The costs that memory adds to a verb: a write buffer, regions in DRAM, a NIC that serves more slowly than it sends.
 */
class MemoryCostTest {
    private static final CostProfile.Memory OPTANE = CostProfile.CX5_OPTANE.memory();

    private static CostProfile gathering(int lines) {
        return CostProfile.CX5.with(
                "gathering",
                new CostProfile.Memory(
                        OPTANE.readNanos(),
                        OPTANE.readPicosPerByte(),
                        OPTANE.writePicosPerByte(),
                        OPTANE.lineBytes(),
                        OPTANE.partialWritePicos(),
                        OPTANE.persistNanos(),
                        lines));
    }

    /** Returns the virtual time of a round of {@code writes} small WRITEs at a distance of {@code step} bytes. */
    private static long nanosOf(CostProfile profile, boolean dram, int writes, long step) {
        try (SimPool world = new SimPool(3, 1, profile, Adversary.NONE)) {
            long[] nanos = new long[1];
            if (dram) world.fabric.keepInDram(0, 0);
            world.client("c", c -> {
                var round = c.lane.round(writes);
                long start = world.simulation.nowNanos();
                for (int i = 0; i < writes; i++) round.write(c.region(), i * step, 1);
                round.post().await();
                nanos[0] = world.simulation.nowNanos() - start;
            });
            world.simulation.run();
            return nanos[0];
        }
    }

    /** Mark, body and release of a record lie in one line: the medium writes it once. */
    @Test
    void writesToOneLineAreGathered() {
        int writes = 16;
        long apart = nanosOf(CostProfile.CX5_OPTANE, false, writes, 8);
        long gathered = nanosOf(gathering(4), false, writes, 8);
        long spread = nanosOf(gathering(4), false, writes, OPTANE.lineBytes());
        assertTrue(gathered < apart, gathered + " " + apart);
        assertEquals(apart, spread);
    }

    /** A log in DRAM costs as much as on a node of DRAM alone, except for bandwidth. */
    @Test
    void aRegionMayLieInDram() {
        long optane = nanosOf(CostProfile.CX5_OPTANE, false, 16, 256);
        long dram = nanosOf(CostProfile.CX5_OPTANE, true, 16, 256);
        long allDram = nanosOf(CostProfile.CX5, false, 16, 256);
        assertTrue(dram < optane, dram + " " + optane);
        assertTrue(dram <= allDram && allDram - dram <= 16, dram + " " + allDram);
    }

    @Test
    void aCardMayServeMoreSlowlyThanItAsks() {
        CostProfile.Nic nic = CostProfile.CX5.nic();
        CostProfile slow = new CostProfile(
                "slow",
                CostProfile.CX5.cpu(),
                new CostProfile.Nic(
                        nic.passageNanos(), nic.messagePicos(), 500_000, nic.atomicPicos(), nic.inlineBytes()),
                CostProfile.CX5.network(),
                CostProfile.CX5.pcie(),
                CostProfile.CX5.memory(),
                CostProfile.CX5.node(),
                CostProfile.CX5.timeouts());
        long more = nanosOf(slow, false, 10, 64) - nanosOf(slow, false, 9, 64);
        assertEquals(500, more);
    }

    @Test
    void aBufferForgetsItsOldestLines() {
        LineBuffer buffer = new LineBuffer(4);
        for (long line = 0; line < 4; line++) assertFalse(buffer.touch(line));
        for (long line = 0; line < 4; line++) assertTrue(buffer.touch(line));
        assertFalse(buffer.touch(4));
        assertFalse(buffer.touch(0));
        assertTrue(buffer.touch(2));
        assertFalse(new LineBuffer(0).touch(1));
        assertFalse(new LineBuffer(0).touch(1));
    }
}
