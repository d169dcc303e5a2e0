package tidepool.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tidepool.base.Words;

/** Pieces are zeroed and share no cache line; many of them share few blocks. */
final class LandingMemoryTest {
    private static final int LINE = 64;
    private static final long[] LENGTHS = {8, 64, 72, 200, 4096, 5000, 60_000, 65_536, 65_544, 1 << 20};

    private final LandingMemory memory = new LandingMemory();

    @Test
    void noTwoPiecesShareALine() {
        List<MemorySegment> pieces = new ArrayList<>();
        for (int i = 0; i < 200; i++) pieces.add(memory.piece(LENGTHS[i % LENGTHS.length]));
        Set<Long> lines = new HashSet<>();
        for (int i = 0; i < pieces.size(); i++) {
            MemorySegment piece = pieces.get(i);
            assertEquals(LENGTHS[i % LENGTHS.length], piece.byteSize());
            assertEquals(0, piece.address() % LINE);
            for (long at = 0; at < piece.byteSize(); at += Words.BYTES) {
                assertEquals(0, Words.plain(piece, at));
                Words.plain(piece, at, -1);
            }
            for (long at = 0; at < piece.byteSize(); at += LINE) assertTrue(lines.add(piece.address() + at));
        }
    }

    @Test
    void smallPiecesShareBlocks() {
        List<MemorySegment> pieces = new ArrayList<>();
        for (int i = 0; i < 1000; i++) pieces.add(memory.piece(8));
        Set<MemorySegment.Scope> blocks = new HashSet<>();
        for (MemorySegment piece : pieces) blocks.add(piece.scope());
        assertEquals(5, blocks.size()); // of 4, 8, 16, 32 and 64 KiB
    }

    @Test
    void threadsShareNothing() throws InterruptedException {
        int each = 20_000;
        List<Thread> threads = new ArrayList<>();
        List<List<MemorySegment>> all = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            List<MemorySegment> pieces = new ArrayList<>();
            all.add(pieces);
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < each; i++) pieces.add(memory.piece(8 + i % 100));
            }));
        }
        for (Thread thread : threads) thread.join();
        Set<Long> lines = new HashSet<>();
        for (List<MemorySegment> pieces : all) {
            assertEquals(each, pieces.size());
            for (MemorySegment piece : pieces)
                for (long at = 0; at < piece.byteSize(); at += LINE) assertTrue(lines.add(piece.address() + at));
        }
    }

    @Test
    void aPieceEndsWhereItEnds() {
        MemorySegment piece = memory.piece(8);
        memory.piece(8);
        assertThrows(IndexOutOfBoundsException.class, () -> Words.plain(piece, 8));
        assertThrows(IllegalArgumentException.class, () -> memory.piece(-8));
    }
}
