package tidepool.protocol.motor;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.schema.Schema;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.RowFormat;
import tidepool.store.TableLayout;
import tidepool.store.motor.DeltaLayout;
import tidepool.store.motor.PackageLayout;
import tidepool.store.motor.TupleLayout;

/**
 * Consecutive version tuples (§4 of the paper). The slot of a row holds a cell for each version. The side of the row
 * holds the newest value, in the package, and the values that older versions had instead, as deltas in the bar. Any
 * version is one trip away from its tuple: READ the package and the deltas of all versions newer than the wanted one.
 * The deltas are undone in the package, the newest first.
 *
 * <pre>
 *   side of a row here:  | package as it is | bar as it is | package as it shall be | delta to be written |
 * </pre>
 */
public class TupleVersions implements VersionStructure {
    /** Up to this many deltas are read one by one; for more the whole bar is read. */
    private static final int FEW_DELTAS = 2;

    private final PoolRegions pool;
    private final TxnMemory memory;
    private final MotorOptions options;

    public TupleVersions(PoolRegions pool, TxnMemory memory, MotorOptions options) {
        this.pool = pool;
        this.memory = memory;
        this.options = options;
    }

    @Override
    public RowFormat format(Schema schema) {
        return options.format(schema);
    }

    // ---- selection of a version

    @Override
    public Selected select(VersionedRow row, long snapshot) {
        int best = newestUpTo(row, snapshot);
        row.selected = best;
        row.newest = snapshot == NEWEST;
        if (best < 0) return wasBornLater(row) ? Selected.ABSENT : Selected.GONE;
        long cell = cell(row, best);
        row.writer = TupleLayout.writer(here(), cell);
        return TupleLayout.isTombstone(here(), cell) ? Selected.ABSENT : Selected.VALUE;
    }

    /** Returns the cell with the greatest stamp up to a snapshot; -1 if there is none. Cells lie in no order. */
    protected int newestUpTo(VersionedRow row, long snapshot) {
        int best = -1;
        long newest = 0;
        for (int i = 0; i < versions(row); i++) {
            long stamp = TupleLayout.stamp(here(), cell(row, i));
            if (stamp <= newest || stamp > snapshot) continue;
            newest = stamp;
            best = i;
        }
        return best;
    }

    /** Returns whether there was no version at all before the oldest that is left. */
    private boolean wasBornLater(VersionedRow row) {
        for (int i = 0; i < versions(row); i++) {
            long cell = cell(row, i);
            if (TupleLayout.stamp(here(), cell) != 0 && TupleLayout.isBorn(here(), cell)) return true;
        }
        return false;
    }

    @Override
    public long newest(VersionedRow row) {
        int cell = newestUpTo(row, NEWEST);
        return cell < 0 ? 0 : TupleLayout.stamp(here(), cell(row, cell));
    }

    // ---- reading the value

    @Override
    public void addReads(Round round, VersionedRow row) {
        Region region = pool.primary(row.pointer);
        long at = Pointer.offset(row.table.side(row.pointer));
        long packageBytes = packageBytes(row.table);
        row.walked = row.newest ? 0 : newer(row);
        room(row, row.walked > 0 || row.staged >= 0 || row.together);
        if (row.together) return;
        if (row.walked > FEW_DELTAS) {
            round.read(region, at, row.table.format().sideBytes(), here(), row.side);
            return;
        }
        for (int i = 0, left = row.walked; left > 0; i++) {
            if (!isNewer(row, i)) continue;
            left--;
            long offset = packageBytes + TupleLayout.deltaOffset(here(), cell(row, i));
            long bytes = TupleLayout.deltaBytes(here(), cell(row, i));
            round.read(region, at + offset, bytes, here(), row.side + offset);
        }
        round.read(region, at, packageBytes, here(), row.side);
    }

    @Override
    public void addReadsOfAll(Round round, VersionedRow row) {
        room(row, true);
        long at = Pointer.offset(row.table.side(row.pointer));
        round.read(pool.primary(row.pointer), at, row.table.format().sideBytes(), here(), row.side);
    }

    /** Returns how many versions have deltas that are to be undone. */
    private int newer(VersionedRow row) {
        int count = 0;
        for (int i = 0; i < versions(row); i++) if (isNewer(row, i)) count++;
        return count;
    }

    /** Returns whether a version has a delta that must be undone to reach the selected version. */
    private boolean isNewer(VersionedRow row, int i) {
        long cell = cell(row, i);
        return TupleLayout.stamp(here(), cell) > TupleLayout.stamp(here(), cell(row, row.selected))
                && TupleLayout.deltaBytes(here(), cell) > 0;
    }

    @Override
    public ReadState accept(VersionedRow row) {
        TableLayout table = row.table;
        row.value = row.side + PackageLayout.VALUE;
        if (!isPackageOf(row, packageStamp(row))) return ReadState.AGAIN;
        long below = NEWEST;
        for (int left = row.walked; left > 0; left--) {
            int next = newestBelow(row, below);
            long cell = cell(row, next);
            below = TupleLayout.stamp(here(), cell);
            long delta = row.side + packageBytes(table) + TupleLayout.deltaOffset(here(), cell);
            if (!isDeltaOf(row, delta, TupleLayout.deltaBytes(here(), cell), below)) return ReadState.AGAIN;
            undoDelta(table.schema(), cell, delta, row.value);
        }
        return ReadState.DONE;
    }

    private int newestBelow(VersionedRow row, long below) {
        int best = -1;
        for (int i = 0; i < versions(row); i++) {
            long stamp = TupleLayout.stamp(here(), cell(row, i));
            if (!isNewer(row, i) || stamp >= below) continue;
            if (best < 0 || stamp > TupleLayout.stamp(here(), cell(row, best))) best = i;
        }
        return best;
    }

    /** Returns whether the package that has landed belongs to the version that the tuple names. */
    protected boolean isPackageOf(VersionedRow row, long stamp) {
        return PackageLayout.isWhole(here(), row.side, row.table.valueBytes(), row.key, stamp);
    }

    protected boolean isDeltaOf(VersionedRow row, long delta, long bytes, long stamp) {
        return DeltaLayout.isWhole(here(), delta, bytes, row.key, stamp);
    }

    // ---- formats of packages and deltas; another structure may have other formats

    protected void sealPackage(VersionedRow row, long at, long stamp) {
        PackageLayout.seal(here(), at, row.table.valueBytes(), row.key, stamp);
    }

    protected long deltaBytes(Schema schema, long bitmap) {
        return DeltaLayout.bytes(schema, bitmap);
    }

    protected void makeDelta(VersionedRow row, long delta, long stamp, long bitmap, long before) {
        DeltaLayout.make(row.table.schema(), here(), delta, stamp, bitmap, before, row.key);
    }

    /** Puts the attributes of the delta of a cell into a value. */
    protected void undoDelta(Schema schema, long cell, long delta, long value) {
        DeltaLayout.undo(schema, here(), delta, value);
    }

    /**
     * Returns the stamp of the package. If the newest version was selected, it is no tombstone and its stamp is the
     * package's. Otherwise the package's version has to be searched.
     */
    private long packageStamp(VersionedRow row) {
        return row.newest
                ? TupleLayout.stamp(here(), cell(row, row.selected))
                : packageStamp(here(), cells(row), versions(row));
    }

    /** Returns the stamp of a tuple's package: that of the newest version that is no tombstone. */
    static long packageStamp(MemorySegment memory, long cells, int versions) {
        long newest = 0;
        for (int i = 0; i < versions; i++) {
            long cell = TupleLayout.cell(cells, i);
            if (!TupleLayout.isTombstone(memory, cell)) newest = Math.max(newest, TupleLayout.stamp(memory, cell));
        }
        return newest;
    }

    // ---- a new version

    @Override
    public void startEmpty(VersionedRow row) {
        room(row, true);
        row.value = row.side + PackageLayout.VALUE;
        for (long at = 0; at < packageBytes(row.table); at += Words.BYTES) Words.plain(here(), row.side + at, 0);
    }

    @Override
    public void startChanging(VersionedRow row) {
        long mine = mine(row);
        MemorySegment.copy(here(), row.side, here(), mine, packageBytes(row.table));
        row.value = mine + PackageLayout.VALUE;
    }

    @Override
    public boolean prepare(VersionedRow row, long stamp, long writer) {
        boolean lost = false;
        row.deltaBytes = 0;
        long content = row.staged + ObjectLayout.BODY_CONTENT;
        switch (row.write) {
            case INSERT -> {
                clear(content, versions(row), NEWEST);
                lost = clear(cells(row), versions(row), NEWEST);
                TupleLayout.born(here(), TupleLayout.cell(content, 0), stamp, writer);
            }
            case NEVER -> {
                clear(content, versions(row), NEWEST); // no version at all: no package belongs to one
                lost = clear(cells(row), versions(row), NEWEST);
            }
            case DELETE -> TupleLayout.tombstone(here(), victim(row, content), stamp, writer);
            case UPDATE -> lost = update(row, content, stamp, writer);
            case NONE -> throw new IllegalStateException("a row that is only read is not written");
        }
        if (row.hasValue()) sealPackage(row, row.value - PackageLayout.VALUE, stamp);
        return lost;
    }

    private boolean update(VersionedRow row, long content, long stamp, long writer) {
        Schema schema = row.table.schema();
        long before = row.side + PackageLayout.VALUE;
        long bitmap = DeltaLayout.changed(schema, here(), before, row.value);
        row.deltaBytes = deltaBytes(schema, bitmap);
        row.deltaOffset = place(content, versions(row), barBytes(row.table), row.deltaBytes);
        long cell = victim(row, content);
        TupleLayout.clear(here(), cell);
        drop(content, row);
        boolean lost = drop(cells(row), row);
        TupleLayout.update(here(), cell, stamp, writer, row.deltaOffset, row.deltaBytes, bitmap);
        makeDelta(row, delta(row), stamp, bitmap, before);
        return lost;
    }

    /** Returns an empty cell, or the oldest (§4.3). */
    protected long victim(VersionedRow row, long content) {
        long oldest = TupleLayout.cell(content, 0);
        for (int i = 0; i < versions(row); i++) {
            long cell = TupleLayout.cell(content, i);
            if (TupleLayout.stamp(here(), cell) < TupleLayout.stamp(here(), oldest)) oldest = cell;
        }
        return oldest;
    }

    /** Returns where the next delta goes: after the last one, or to the beginning if it does not fit there. */
    private long place(long content, int versions, long barBytes, long bytes) {
        long end = lastEnd(here(), content, versions);
        return end + bytes <= barBytes ? end : 0;
    }

    /** Returns where the delta of the newest version that has one ends. */
    static long lastEnd(MemorySegment memory, long content, int versions) {
        long newest = 0;
        long end = 0;
        for (int i = 0; i < versions; i++) {
            long cell = TupleLayout.cell(content, i);
            long stamp = TupleLayout.stamp(memory, cell);
            if (stamp <= newest || TupleLayout.deltaBytes(memory, cell) == 0) continue;
            newest = stamp;
            end = TupleLayout.deltaOffset(memory, cell) + TupleLayout.deltaBytes(memory, cell);
        }
        return end;
    }

    /**
     * Drops versions that can no longer be reached. A version whose delta is overwritten can no longer be undone. All
     * older versions are reached only by undoing it, so they are lost. The version itself stays, as the oldest.
     */
    protected boolean drop(long content, VersionedRow row) {
        long lost = 0;
        for (int i = 0; i < versions(row); i++) {
            long cell = TupleLayout.cell(content, i);
            long offset = TupleLayout.deltaOffset(here(), cell);
            long bytes = TupleLayout.deltaBytes(here(), cell);
            boolean overlaps =
                    bytes > 0 && offset < row.deltaOffset + row.deltaBytes && row.deltaOffset < offset + bytes;
            if (overlaps) lost = Math.max(lost, TupleLayout.stamp(here(), cell));
        }
        return clear(content, versions(row), lost);
    }

    /** Empties the cells of all versions before {@code before}. Returns false if there are none. */
    private boolean clear(long content, int versions, long before) {
        boolean any = false;
        for (int i = 0; i < versions; i++) {
            long cell = TupleLayout.cell(content, i);
            long stamp = TupleLayout.stamp(here(), cell);
            if (stamp == 0 || stamp >= before) continue;
            TupleLayout.clear(here(), cell);
            any = true;
        }
        return any;
    }

    @Override
    public void addWrites(Round round, VersionedRow row, int node) {
        Region region = pool.at(node, row.pointer);
        long at = Pointer.offset(row.table.side(row.pointer));
        long packageBytes = packageBytes(row.table);
        if (row.deltaBytes > 0)
            round.write(region, at + packageBytes + row.deltaOffset, row.deltaBytes, here(), delta(row));
        if (row.hasValue()) round.write(region, at, packageBytes, here(), row.value - PackageLayout.VALUE);
    }

    // ---- undo

    /**
     * Restores a package, which may be torn, from its delta. The delta lies on a copy before the package is touched. An
     * attribute that the delta does not have is the same in the old value and in the new one. The delta lies after the
     * last one or at the beginning.
     */
    @Override
    public void undo(
            Round round, TableLayout table, long pointer, MemorySegment log, long image, long stamp, int copy) {
        long content = image + Words.BYTES + ObjectLayout.BODY_CONTENT;
        int versions = table.format().versions();
        long before = packageStamp(log, content, versions);
        if (before == 0) return; // an insert: no version refers to the value
        long key = Words.plain(log, image + Words.BYTES + ObjectLayout.BODY_KEY);
        long side = memory.take(table.format().sideBytes());
        Region region = pool.replica(pointer, copy);
        long at = Pointer.offset(table.side(pointer));
        round.read(region, at, table.format().sideBytes(), here(), side).post().await();
        long delta = deltaOf(table, side, lastEnd(log, content, versions), key, stamp);
        if (delta < 0) delta = deltaOf(table, side, 0, key, stamp);
        if (delta < 0) return; // the package was not touched, or a later writer has been here
        DeltaLayout.undo(table.schema(), here(), delta, side + PackageLayout.VALUE);
        PackageLayout.seal(here(), side, table.valueBytes(), key, before);
        round.write(region, at, packageBytes(table), here(), side).post().await();
    }

    private long deltaOf(TableLayout table, long side, long offset, long key, long stamp) {
        long delta = side + packageBytes(table) + offset;
        if (offset + DeltaLayout.bytes(0) > barBytes(table)) return -1;
        long bytes = DeltaLayout.bytes(table.schema(), DeltaLayout.bitmap(here(), delta));
        if (offset + bytes > barBytes(table)) return -1;
        return DeltaLayout.isWhole(here(), delta, bytes, key, stamp) ? delta : -1;
    }

    // ---- places

    protected final MemorySegment here() {
        return memory.segment();
    }

    /** @param whole whether the bar lands, too */
    private void room(VersionedRow row, boolean whole) {
        long max = whole ? row.table.format().sideBytes() : packageBytes(row.table);
        if (row.staged >= 0) max += packageBytes(row.table) + DeltaLayout.bytes(row.table.valueBytes());
        if (row.side >= 0 && row.sideBytes >= max) return;
        row.side = memory.take(max);
        row.sideBytes = max;
    }

    private long mine(VersionedRow row) {
        return row.side + row.table.format().sideBytes();
    }

    private long delta(VersionedRow row) {
        return mine(row) + packageBytes(row.table);
    }

    private static int versions(VersionedRow row) {
        return row.table.format().versions();
    }

    private static long cells(VersionedRow row) {
        return row.landed + ObjectLayout.CONTENT;
    }

    private static long cell(VersionedRow row, int i) {
        return TupleLayout.cell(cells(row), i);
    }

    static long packageBytes(TableLayout table) {
        return PackageLayout.bytes(table.valueBytes());
    }

    static long barBytes(TableLayout table) {
        return table.format().sideBytes() - packageBytes(table);
    }
}
