package tidepool.lab;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.motor.TxnMemory;
import tidepool.protocol.motor.VersionStructure;
import tidepool.protocol.motor.VersionedRow;
import tidepool.protocol.record.PoolRegions;
import tidepool.schema.Schema;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.RowFormat;
import tidepool.store.TableLayout;

/**
 * Linked chains under Motor's protocol, for the comparison of version structures (Motor §7.3). The slot holds the
 * beginning of the chain, every version is a block outside the slot, and each step of a walk is a trip. New to old
 * begins at the newest version. Old to new begins at the oldest, and a new version also writes the link of the previous
 * one. Blocks are used as a ring, so a new version overwrites the oldest.
 *
 * <pre>
 *     content:  | newest stamp | newest block, versions there, TOMBSTONE |
 *     block:    | stamp | value n | checksum | next |
 * </pre>
 *
 * Only for figures: nothing is undone after a crash.
 */
final class LinkedChains implements VersionStructure {
    static final String KIND = "linked";
    static final long BLOCK_VALUE = Words.BYTES;

    private static final long CONTENT_BYTES = 2L * Words.BYTES;
    private static final long TOMBSTONE = 1L << 63;

    private final PoolRegions pool;
    private final TxnMemory memory;
    private final boolean newToOld;
    private final int versions;

    LinkedChains(PoolRegions pool, TxnMemory memory, boolean newToOld, int versions) {
        this.pool = pool;
        this.memory = memory;
        this.newToOld = newToOld;
        this.versions = versions;
    }

    static RowFormat formatOf(Schema schema, int versions) {
        return new RowFormat(KIND, versions, CONTENT_BYTES, versions * blockBytes(schema.length()));
    }

    static long blockBytes(long valueBytes) {
        return BLOCK_VALUE + valueBytes + 2L * Words.BYTES;
    }

    /** Writes the first version of a row, in block 0. */
    static void first(MemorySegment body, long content, MemorySegment side, long valueBytes, long key, long stamp) {
        put(body, content, stamp, 0, 1, false);
        seal(side, 0, valueBytes, key, stamp);
    }

    @Override
    public RowFormat format(Schema schema) {
        return formatOf(schema, versions);
    }

    // ---- reading

    @Override
    public Selected select(VersionedRow row, long snapshot) {
        long content = row.landed + ObjectLayout.CONTENT;
        long newest = Words.plain(here(), content);
        row.deltaOffset = snapshot;
        row.walked = 0;
        int back = newToOld ? 0 : count(content) - 1;
        row.selected = Math.floorMod(block(content) - back, versions);
        row.writer =
                newest <= snapshot ? Words.plain(here(), row.landed + ObjectLayout.BODY + ObjectLayout.BODY_WRITER) : 0;
        if (newest == 0) return Selected.ABSENT;
        return newest <= snapshot && isTombstone(content) ? Selected.ABSENT : Selected.VALUE;
    }

    @Override
    public void addReads(Round round, VersionedRow row) {
        room(row);
        // Old to new: the version before the one that is too new is the wanted one, so two buffers alternate.
        long to = row.side + (row.walked & 1) * blockBytes(row.table.valueBytes());
        round.read(pool.primary(row.pointer), at(row, row.selected), blockBytes(row.table.valueBytes()), here(), to);
    }

    /** Adds no reads. A chain is walked block by block, so no block can be read together with its beginning. */
    @Override
    public void addReadsOfAll(Round round, VersionedRow row) {
        row.together = false;
    }

    @Override
    public ReadState accept(VersionedRow row) {
        long content = row.landed + ObjectLayout.CONTENT;
        long bytes = blockBytes(row.table.valueBytes());
        long landed = row.side + (row.walked & 1) * bytes;
        if (!isWhole(landed, row.table.valueBytes(), row.key)) return ReadState.AGAIN;
        long stamp = Words.plain(here(), landed);
        boolean fits = stamp <= row.deltaOffset;
        row.value = landed + BLOCK_VALUE;
        row.walked++;
        if (newToOld) {
            if (fits) return ReadState.DONE;
            row.selected = Math.floorMod(row.selected - 1, versions);
            return row.walked < count(content) ? ReadState.MORE : ReadState.AGAIN;
        }
        if (!fits && row.walked == 1) return ReadState.AGAIN;
        if (!fits) row.value = row.side + (row.walked & 1) * bytes + BLOCK_VALUE; // the previous one
        if (!fits || row.walked == count(content)) return ReadState.DONE;
        row.selected = (row.selected + 1) % versions;
        return ReadState.MORE;
    }

    @Override
    public long newest(VersionedRow row) {
        return Words.plain(here(), row.landed + ObjectLayout.CONTENT);
    }

    // ---- writing

    @Override
    public void startEmpty(VersionedRow row) {
        room(row);
        row.value = mine(row) + BLOCK_VALUE;
        for (long i = 0; i < blockBytes(row.table.valueBytes()); i += Words.BYTES)
            Words.plain(here(), mine(row) + i, 0);
    }

    @Override
    public void startChanging(VersionedRow row) {
        MemorySegment.copy(here(), row.value - BLOCK_VALUE, here(), mine(row), blockBytes(row.table.valueBytes()));
        row.value = mine(row) + BLOCK_VALUE;
    }

    @Override
    public boolean prepare(VersionedRow row, long stamp, long writer) {
        long old = row.landed + ObjectLayout.CONTENT;
        long content = row.staged + ObjectLayout.BODY_CONTENT;
        switch (row.write) {
            case INSERT -> put(here(), content, stamp, 0, 1, false);
            case NEVER -> put(here(), content, stamp, 0, 0, true);
            case DELETE -> put(here(), content, stamp, block(old), count(old), true);
            default ->
                put(here(), content, stamp, (block(old) + 1) % versions, Math.min(count(old) + 1, versions), false);
        }
        row.selected = block(content);
        if (row.hasValue()) seal(here(), mine(row), row.table.valueBytes(), row.key, stamp);
        return false;
    }

    @Override
    public void addWrites(Round round, VersionedRow row, int node) {
        if (!row.hasValue()) return;
        Region region = pool.at(node, row.pointer);
        long bytes = blockBytes(row.table.valueBytes());
        round.write(region, at(row, row.selected), bytes, here(), mine(row));
        if (newToOld || row.write == VersionedRow.Write.INSERT) return;
        int before = Math.floorMod(row.selected - 1, versions);
        round.write(region, at(row, before) + bytes - Words.BYTES, row.selected + 1);
    }

    @Override
    public void undo(
            Round round, TableLayout table, long pointer, MemorySegment log, long image, long stamp, int copy) {
        throw OnlyForFigures.refused("a chain of versions");
    }

    // ---- places

    private MemorySegment here() {
        return memory.segment();
    }

    /** Takes memory for two landed blocks and the one to be written. */
    private void room(VersionedRow row) {
        if (row.side < 0) row.side = memory.take(3 * blockBytes(row.table.valueBytes()));
    }

    private static long mine(VersionedRow row) {
        return row.side + 2 * blockBytes(row.table.valueBytes());
    }

    private static long at(VersionedRow row, int block) {
        return Pointer.offset(row.table.side(row.pointer)) + block * blockBytes(row.table.valueBytes());
    }

    private static void put(MemorySegment at, long content, long stamp, int block, int count, boolean tombstone) {
        Words.plain(at, content, stamp);
        Words.plain(at, content + Words.BYTES, (tombstone ? TOMBSTONE : 0) | (long) count << 8 | block);
    }

    private int block(long content) {
        return (int) (Words.plain(here(), content + Words.BYTES) & 0xff);
    }

    private int count(long content) {
        return (int) (Words.plain(here(), content + Words.BYTES) >>> 8 & 0xff);
    }

    private boolean isTombstone(long content) {
        return Words.plain(here(), content + Words.BYTES) < 0;
    }

    private static void seal(MemorySegment at, long block, long valueBytes, long key, long stamp) {
        Words.plain(at, block, stamp);
        Words.plain(at, block + BLOCK_VALUE + valueBytes, Checksum64.of(at, block, BLOCK_VALUE + valueBytes, key));
        Words.plain(at, block + BLOCK_VALUE + valueBytes + Words.BYTES, 0);
    }

    private boolean isWhole(long block, long valueBytes, long key) {
        return Words.plain(here(), block + BLOCK_VALUE + valueBytes)
                == Checksum64.of(here(), block, BLOCK_VALUE + valueBytes, key);
    }
}
