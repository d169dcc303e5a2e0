package tidepool.store.farmv2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import tidepool.base.Words;
import tidepool.schema.AttributeType;
import tidepool.schema.Schema;
import tidepool.store.ObjectLayout;

/** Replaced versions lie where links lead, and no other bytes are taken for them. */
class ChainLayoutTest {
    private static final long VALUE_BYTES = 24;
    private static final long KEY = 7;
    private static final int VERSIONS = 3;

    private final MemorySegment memory = Arena.ofAuto().allocate(4096, Words.BYTES);
    private final long body = 0;
    private final long content = body + ObjectLayout.BODY_CONTENT;
    private final long side = 1024;

    /**
     * Replaces the newest version as a writer does: it moves into a block, and the new version links to it. Returns
     * that block.
     */
    private int replace(long stamp, boolean tombstone) {
        long staged = 2048;
        int block = ChainLayout.follow(memory, staged, stamp, content, VERSIONS, tombstone);
        ChainLayout.makeBlock(memory, at(block), memory, body, VALUE_BYTES);
        MemorySegment.copy(memory, staged, memory, content, ChainLayout.VALUE);
        write(stamp);
        return block;
    }

    private void write(long stamp) {
        for (long i = 0; i < VALUE_BYTES; i += Words.BYTES)
            Words.plain(memory, content + ChainLayout.VALUE + i, 100 * stamp + i);
        Words.plain(memory, body + ObjectLayout.BODY_KEY, KEY);
        Words.plain(memory, body + ObjectLayout.BODY_WRITER, 1000 + stamp);
    }

    private long at(int block) {
        return side + ChainLayout.blockOffset(block, VALUE_BYTES);
    }

    private boolean isWhole(int block, long key, long stamp) {
        return ChainLayout.isWhole(memory, at(block), VALUE_BYTES, key, stamp);
    }

    @Test
    void linksLeadFromTheNewestToTheOldest() {
        ChainLayout.born(memory, content, 5);
        write(5);
        assertEquals(-1, ChainLayout.block(memory, content));
        assertEquals(0, replace(6, false));
        assertEquals(1, replace(9, true));
        assertTrue(ChainLayout.isTombstone(memory, content));
        assertEquals(9, ChainLayout.stamp(memory, content));
        assertEquals(6, ChainLayout.previous(memory, content));
        assertTrue(isWhole(1, KEY, 6));
        assertEquals(1006, ChainLayout.writerOf(memory, at(1)));
        assertEquals(600, Words.plain(memory, at(1) + ChainLayout.BLOCK_VALUE));
        assertEquals(0, ChainLayout.olderBlock(memory, at(1)));
        assertEquals(5, ChainLayout.previousOf(memory, at(1)));
        assertTrue(isWhole(0, KEY, 5));
        assertEquals(-1, ChainLayout.olderBlock(memory, at(0)));
    }

    /** The ring has wrapped around: the block that a link names holds a later version. */
    @Test
    void aVersionThatIsGoneIsNotTaken() {
        ChainLayout.born(memory, content, 5);
        write(5);
        replace(6, false);
        replace(7, false);
        assertTrue(isWhole(0, KEY, 5));
        assertEquals(0, replace(8, false));
        assertFalse(isWhole(0, KEY, 5));
        assertTrue(isWhole(0, KEY, 7));
    }

    @Test
    void halfABlockAndThatOfAnotherRowAreNotTaken() {
        ChainLayout.born(memory, content, 5);
        write(5);
        replace(6, false);
        assertFalse(isWhole(0, KEY + 1, 5));
        for (long i = 0; i < ChainLayout.blockBytes(VALUE_BYTES); i += Words.BYTES) {
            long was = Words.plain(memory, at(0) + i);
            Words.plain(memory, at(0) + i, ~was);
            assertFalse(isWhole(0, KEY, 5), "word at " + i);
            Words.plain(memory, at(0) + i, was);
        }
        assertTrue(isWhole(0, KEY, 5));
    }

    @Test
    void aFormatHasRoomForAllVersions() {
        Schema schema =
                Schema.builder("t").attribute("value", AttributeType.bytes(24)).build();
        assertEquals(
                (VERSIONS - 1) * ChainLayout.blockBytes(schema.length()),
                ChainLayout.format(schema, VERSIONS).sideBytes());
        assertThrows(IllegalArgumentException.class, () -> ChainLayout.format(schema, 1));
        assertThrows(IllegalArgumentException.class, () -> ChainLayout.format(schema, 16));
    }
}
