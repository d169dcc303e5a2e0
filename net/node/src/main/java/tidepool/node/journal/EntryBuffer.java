package tidepool.node.journal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import tidepool.base.Id128;
import tidepool.base.Words;

/** A block under construction: space for its header, then entries, back to back. One thread at a time owns it. */
public final class EntryBuffer {
    private static final int FIRST_BYTES = 1 << 16;

    private MemorySegment memory = take(FIRST_BYTES);
    private long end = JournalLayout.BLOCK_BYTES;

    /** Makes an empty buffer. */
    public EntryBuffer() {}

    // ---- entries

    void word(int pool, int region, long offset, long value) {
        long at = room(JournalEntry.HEAD + Words.BYTES);
        Words.plain(memory, at, JournalEntry.head(JournalEntry.BYTES, pool, region, Words.BYTES));
        Words.plain(memory, at + Words.BYTES, offset);
        Words.plain(memory, at + JournalEntry.HEAD, value);
    }

    void bytes(int pool, int region, long offset, MemorySegment from, long fromAt, long length) {
        long padded = JournalEntry.padded(length);
        long at = room(JournalEntry.HEAD + padded);
        Words.plain(memory, at, JournalEntry.head(JournalEntry.BYTES, pool, region, length));
        Words.plain(memory, at + Words.BYTES, offset);
        if (padded != length) Words.plain(memory, at + JournalEntry.HEAD + padded - Words.BYTES, 0);
        MemorySegment.copy(from, fromAt, memory, at + JournalEntry.HEAD, length);
    }

    void zero(int pool, int region, long offset, long length) {
        long at = room(JournalEntry.HEAD + Words.BYTES);
        Words.plain(memory, at, JournalEntry.head(JournalEntry.ZERO, pool, region, 0));
        Words.plain(memory, at + Words.BYTES, offset);
        Words.plain(memory, at + JournalEntry.HEAD, length);
    }

    void create(int pool, int region, long bytes) {
        plain(JournalEntry.CREATE, pool, region, bytes);
    }

    void delete(int pool, int region) {
        plain(JournalEntry.DELETE, pool, region, 0);
    }

    void pool(int pool, String name, Id128 id, int number, int nodes) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        long padded = JournalEntry.padded(utf8.length);
        long at = room(JournalEntry.HEAD + 2 * Words.BYTES + padded);
        Words.plain(memory, at, JournalEntry.head(JournalEntry.POOL, pool, 0, utf8.length));
        Words.plain(memory, at + Words.BYTES, number | (long) nodes << 32);
        Words.plain(memory, at + JournalEntry.HEAD, id.high());
        Words.plain(memory, at + JournalEntry.HEAD + Words.BYTES, id.low());
        if (padded != 0) Words.plain(memory, at + JournalEntry.HEAD + Words.BYTES + padded, 0);
        MemorySegment.copy(
                MemorySegment.ofArray(utf8), 0, memory, at + JournalEntry.HEAD + 2 * Words.BYTES, utf8.length);
    }

    void life(Life life) {
        long at = room(JournalEntry.HEAD + Words.BYTES + JournalEntry.LIFE_MORE);
        Words.plain(memory, at, JournalEntry.head(JournalEntry.LIFE, 0, 0, JournalEntry.LIFE_MORE));
        Words.plain(memory, at + Words.BYTES, life.number());
        long more = at + JournalEntry.HEAD;
        Words.plain(memory, more, life.powerLosses());
        Words.plain(memory, more + Words.BYTES, life.nonce());
        Words.plain(memory, more + 2L * Words.BYTES, life.shortfall().at());
        Words.plain(memory, more + 3L * Words.BYTES, life.shortfall().segment());
        Words.plain(memory, more + 4L * Words.BYTES, life.shortfall().sequence());
        Words.plain(memory, more + 5L * Words.BYTES, life.shortfall().acknowledged());
    }

    void close() {
        plain(JournalEntry.CLOSE, 0, 0, 0);
    }

    void end(long block) {
        plain(JournalEntry.END, 0, 0, block);
    }

    private void plain(int kind, int pool, int region, long first) {
        long at = room(JournalEntry.HEAD);
        Words.plain(memory, at, JournalEntry.head(kind, pool, region, 0));
        Words.plain(memory, at + Words.BYTES, first);
    }

    /** Appends all entries of another buffer. */
    void append(EntryBuffer other) {
        long length = other.end - JournalLayout.BLOCK_BYTES;
        long at = room(length);
        MemorySegment.copy(other.memory, JournalLayout.BLOCK_BYTES, memory, at, length);
    }

    private long room(long bytes) {
        long at = end;
        if (at + bytes > memory.byteSize()) grow(at + bytes);
        end = at + bytes;
        return at;
    }

    private void grow(long min) {
        MemorySegment to = take(Math.max(min, 2 * memory.byteSize()));
        MemorySegment.copy(memory, 0, to, 0, end);
        memory = to;
    }

    /** Buffers grow rarely and move between threads, so the garbage collector frees their memory. */
    private static MemorySegment take(long bytes) {
        return Arena.ofAuto().allocate(bytes, Words.BYTES);
    }

    // ---- the block

    boolean isEmpty() {
        return end == JournalLayout.BLOCK_BYTES;
    }

    /** Returns the bytes of the block so far, its header included. */
    long bytes() {
        return end;
    }

    MemorySegment memory() {
        return memory;
    }

    /** Writes the header; returns the checksum. */
    long seal(long sequence, long durable, long previous, long seed) {
        memory.set(Words.U32, JournalLayout.BLOCK_MAGIC_AT, JournalLayout.BLOCK_MAGIC);
        memory.set(Words.U32, JournalLayout.BLOCK_LENGTH, (int) end);
        Words.plain(memory, JournalLayout.BLOCK_SEQUENCE, sequence);
        Words.plain(memory, JournalLayout.BLOCK_DURABLE, durable);
        Words.plain(memory, JournalLayout.BLOCK_PREVIOUS, previous);
        long checksum = JournalLayout.checksum(memory, 0, end, seed);
        Words.plain(memory, JournalLayout.BLOCK_CHECKSUM, checksum);
        return checksum;
    }

    /** Empties the buffer. A buffer that grew beyond {@code usualBytes} gives its memory back. */
    void clear(long usualBytes) {
        end = JournalLayout.BLOCK_BYTES;
        if (memory.byteSize() > Math.max(usualBytes, FIRST_BYTES)) memory = take(FIRST_BYTES);
    }
}
