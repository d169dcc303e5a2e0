package tidepool.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;

class VersionTableTest {
    private static final long ME = 1;
    private final MemorySegment memory = Arena.ofAuto().allocate(4 * VersionTable.SET_BYTES, 64);
    private final VersionTable table = new VersionTable(memory);

    @Test
    void whatIsNotThereIsAskedForAndFilled() {
        assertEquals(VersionTable.ABSENT, table.look(7, 100, 501, ME));
        assertTrue(table.fill(7, 100, 501, ME));
        assertEquals(VersionTable.SAME, table.look(7, 100, 502, ME));
        assertEquals(VersionTable.CHANGED, table.look(7, 99, 502, ME));
    }

    @Test
    void announcementStopsOthersAndNotOneself() {
        table.announce(7, 601, ME);

        assertEquals(VersionTable.BUSY, table.look(7, 100, 502, ME));
        assertEquals(601, table.holder());
        assertEquals(VersionTable.SAME, table.look(7, 100, 601, ME));
        table.settle(7, 601, ME);
        assertEquals(VersionTable.CHANGED, table.look(7, 100, 502, ME));
        assertEquals(VersionTable.SAME, table.look(7, 601, 502, ME));
    }

    /**
     * A reader sampled the old version before a writer came. It fills after the writer has finished, and even been
     * evicted.
     */
    @Test
    void lateFillIsRefused() {
        assertEquals(VersionTable.ABSENT, table.look(7, 100, 501, ME));
        table.announce(7, 601, ME);
        table.settle(7, 601, ME);
        assertFalse(table.fill(7, 100, 501, ME));
        for (long place = 1000; place < 1100; place++) table.settle(place, 1, ME);
        assertFalse(table.fill(7, 100, 501, ME));
        assertEquals(VersionTable.ABSENT, table.look(7, 100, 502, ME));
        assertTrue(table.evictions() > 0);
    }

    @Test
    void secondQuestionReplacesTheFirst() {
        assertEquals(VersionTable.ABSENT, table.look(7, 100, 501, ME));
        assertEquals(VersionTable.ABSENT, table.look(7, 100, 502, ME));
        assertFalse(table.fill(7, 100, 501, ME));
        assertTrue(table.fill(7, 100, 502, ME));
    }

    @Test
    void theDeadAreForgotten() {
        long dead = 5L << 40;
        table.announce(7, dead | 3, ME);
        table.announce(8, (6L << 40) | 3, ME);
        memory.set(tidepool.base.Words.U64, VersionTable.SET_BYTES, 5); // died while holding a set
        table.forget(dead, 0x7f_ffffL << 40, 5);

        assertEquals(VersionTable.ABSENT, table.look(7, 1, 900, ME));
        assertEquals(0, memory.get(tidepool.base.Words.U64, VersionTable.SET_BYTES));
    }

    @Test
    void heldSetNamesItsHolder() {
        for (long set = 0; set < 4; set++) memory.set(tidepool.base.Words.U64, set * VersionTable.SET_BYTES, 77);

        assertEquals(VersionTable.HELD, table.look(7, 1, 900, ME));
        assertEquals(77, table.holder());
        assertFalse(table.announce(7, 900, ME));
    }

    /** A copy that follows the reported changes equals the table, and none of its sets is locked. */
    @Test
    void everyChangeIsTold() {
        MemorySegment kept = Arena.ofAuto().allocate(memory.byteSize(), 64);
        VersionTable told = new VersionTable(memory, (at, length) -> MemorySegment.copy(memory, at, kept, at, length));
        Randomness random = new Randomness(7);
        for (long id = 1; id < 5_000; id++) {
            long place = 1 + random.nextInt(20);
            switch (random.nextInt(5)) {
                case 0 -> told.announce(place, id, ME);
                case 1 -> told.settle(place, id, ME);
                case 2 -> told.look(place, id - 1, id, ME);
                case 3 -> told.fill(place, id, id - 1, ME);
                default -> told.forget(id - 1, ~0L, 2 + random.nextInt(3));
            }
            if (random.chance(1, 50)) { // a session dies while holding a set, and a copy made at that moment shows it
                long set = random.nextInt(4) * (long) VersionTable.SET_BYTES;
                memory.set(tidepool.base.Words.U64, set, 5);
                kept.set(tidepool.base.Words.U64, set, 5);
                told.forget(0, 0, 5);
            }
            assertEquals(-1, memory.mismatch(kept), "after " + id);
        }
        for (long set = 0; set < kept.byteSize(); set += VersionTable.SET_BYTES)
            assertEquals(0, kept.get(tidepool.base.Words.U64, set));
    }

    /** Compares with a model that never evicts: if the table says SAME, it is true. */
    @Test
    void neverSaysSameOfWhatHasChanged() {
        Randomness random = new Randomness(42);
        Map<Long, Long> truth = new HashMap<>();
        int same = 0;
        for (long id = 1; id < 200_000; id++) {
            long place = 1 + random.nextInt(20);
            long current = truth.getOrDefault(place, 0L);
            if (random.chance(1, 3)) {
                table.announce(place, id, ME);
                boolean commits = random.nextBoolean();
                if (commits) truth.put(place, id);
                table.settle(place, commits ? id : current, ME);
                continue;
            }
            long seen = random.chance(1, 4) ? id - 1 : current;
            int answer = table.look(place, seen, id, ME);
            if (answer == VersionTable.SAME) same++;
            assertTrue(answer != VersionTable.SAME || seen == current);
            if (answer == VersionTable.ABSENT) table.fill(place, current, id, ME);
        }
        assertTrue(same > 1_000, "same " + same);
    }
}
