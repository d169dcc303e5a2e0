package tidepool.node.journal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.wire.Shortfall;

/**
 * The format of one change in a block. An entry holds the state after the change and not the operation, so a journal
 * can be replayed from any earlier state, and twice.
 *
 * <pre>
 *   word 0   kind (bits 0-7) | pool (8-15) | region (16-31; 65535: the node's own memory) | length (32-63)
 *   BYTES    word 1 offset; then length bytes, zeros up to a multiple of 8
 *   ZERO     word 1 offset, word 2 bytes
 *   CREATE   word 1 bytes of the region, which are zero
 *   DELETE   word 1 zero
 *   POOL     word 1 number of this node (bits 0-31) and nodes (32-63), words 2, 3 the pool's id; then its name of
 *            length bytes
 *   LIFE     word 1 number of the life that begins, word 2 losses of power so far; then, if length is 40: its nonce,
 *            and of the last start that found the journal too short: losses of power, segment, last block,
 *            acknowledged block
 *   CLOSE    word 1 zero: the last entry of this life
 *   END      word 1 the block that the journal must reach for this checkpoint; last entry of a checkpoint
 * </pre>
 */
public final class JournalEntry {
    static final int BYTES = 1;
    static final int ZERO = 2;
    static final int CREATE = 3;
    static final int DELETE = 4;
    static final int POOL = 5;
    static final int LIFE = 6;
    static final int CLOSE = 7;
    static final int END = 8;

    /** The region number that means the node's own memory. */
    public static final int META = 0xffff;

    /** Pools have numbers below this. */
    public static final int POOLS = 256;

    /** Bytes of the two words that every entry has. */
    static final int HEAD = 2 * Words.BYTES;

    private static final int MAX_NAME = 256;

    /** Bytes that a LIFE has in addition to those of format version 1. */
    static final int LIFE_MORE = 5 * Words.BYTES;

    private JournalEntry() {}

    static long head(int kind, int pool, int region, long length) {
        return kind | (long) pool << 8 | (long) region << 16 | length << 32;
    }

    static long padded(long length) {
        return (length + Words.BYTES - 1) & -Words.BYTES;
    }

    /**
     * Passes all entries between two offsets to the target, in order. Returns the offset of the first entry that is
     * malformed or that the target rejects, or else the end.
     */
    static long replay(MemorySegment memory, long from, long to, EntryVisitor target) {
        long at = from;
        while (at < to) {
            if (to - at < HEAD) return at;
            long head = Words.plain(memory, at);
            long first = Words.plain(memory, at + Words.BYTES);
            long bytes = bytes((int) head & 0xff, head >>> 32);
            if (bytes < 0 || bytes > to - at || !tell(memory, at, head, first, target)) return at;
            at += bytes;
        }
        return at;
    }

    private static long bytes(int kind, long length) {
        return switch (kind) {
            case BYTES -> HEAD + padded(length);
            case ZERO -> HEAD + Words.BYTES;
            case LIFE -> length != 0 && length != LIFE_MORE ? -1 : HEAD + Words.BYTES + length;
            case CREATE, DELETE, CLOSE, END -> HEAD;
            case POOL -> length > MAX_NAME ? -1 : HEAD + 2 * Words.BYTES + padded(length);
            default -> -1;
        };
    }

    private static boolean tell(MemorySegment memory, long at, long head, long first, EntryVisitor target) {
        int pool = (int) (head >>> 8) & 0xff;
        int region = (int) (head >>> 16) & 0xffff;
        long length = head >>> 32;
        return switch ((int) head & 0xff) {
            case BYTES -> target.bytes(pool, region, first, memory, at + HEAD, length);
            case ZERO -> length == 0 && target.zero(pool, region, first, Words.plain(memory, at + HEAD));
            case CREATE -> length == 0 && target.create(pool, region, first);
            case DELETE -> length == 0 && first == 0 && target.delete(pool, region);
            case POOL -> pool(memory, at, pool, first, (int) length, target);
            case LIFE -> target.life(life(memory, at + HEAD, first, length != 0));
            case CLOSE -> target.closed();
            default -> target.end(first);
        };
    }

    private static Life life(MemorySegment memory, long at, long number, boolean isWhole) {
        long losses = Words.plain(memory, at);
        if (!isWhole) return new Life(number, 0, losses, Shortfall.NONE);
        return new Life(
                number,
                Words.plain(memory, at + Words.BYTES),
                losses,
                new Shortfall(
                        Words.plain(memory, at + 2L * Words.BYTES),
                        Words.plain(memory, at + 3L * Words.BYTES),
                        Words.plain(memory, at + 4L * Words.BYTES),
                        Words.plain(memory, at + 5L * Words.BYTES)));
    }

    private static boolean pool(MemorySegment memory, long at, int pool, long place, int length, EntryVisitor target) {
        Id128 id = new Id128(Words.plain(memory, at + HEAD), Words.plain(memory, at + HEAD + Words.BYTES));
        byte[] utf8 = memory.asSlice(at + HEAD + 2 * Words.BYTES, length).toArray(ValueLayout.JAVA_BYTE);
        try {
            String name = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
            return target.pool(pool, name, id, (int) place, (int) (place >>> 32));
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
