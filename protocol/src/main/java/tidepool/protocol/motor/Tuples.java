package tidepool.protocol.motor;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.RowFormat;
import tidepool.store.TableInfo;
import tidepool.store.motor.DeltaLayout;
import tidepool.store.motor.PackageLayout;
import tidepool.store.motor.TupleLayout;
import tidepool.store.schema.Schema;

/**
 * Consecutive version tuples (§4 of the paper): all versions of a row in its slot, the newest value and what older ones had
 * instead beside it. Any version is one trip away from its tuple: READ the package, and the deltas of all versions behind the
 * wanted one; they are undone in it from the newest on.
 *
 * <pre>
 *   side of a row here:  | package as it is | bar as it is | package as it shall be | delta to be written |
 * </pre>
 */
public class Tuples implements VersionStructure {
    /** So many deltas are read one by one; for more the whole bar is. */
    private static final int FEW_DELTAS = 2;

    private final PoolRegions pool;
    private final Memory memory;
    private final MotorOptions options;

    public Tuples(PoolRegions pool, Memory memory, MotorOptions options) {
        this.pool = pool;
        this.memory = memory;
        this.options = options;
    }

    @Override
    public RowFormat format(Schema schema) {
        return options.format(schema);
    }

    // ---- which version

    @Override
    public Selected select(Row row, long snapshot) {
        int best = newestUpTo(row, snapshot);
        row.selected = best;
        row.newest = snapshot == NEWEST;
        if (best < 0) return wasBornLater(row) ? Selected.ABSENT : Selected.GONE;
        long cell = cell(row, best);
        row.writer = TupleLayout.writer(here(), cell);
        return TupleLayout.isTombstone(here(), cell) ? Selected.ABSENT : Selected.VALUE;
    }

    /** The cell with the greatest stamp up to a snapshot; -1 if there is none. Cells lie in no order. */
    protected int newestUpTo(Row row, long snapshot) {
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

    /** Whether there was no version at all before the oldest that is left. */
    private boolean wasBornLater(Row row) {
        for (int i = 0; i < versions(row); i++) {
            long cell = cell(row, i);
            if (TupleLayout.stamp(here(), cell) != 0 && TupleLayout.isBorn(here(), cell)) return true;
        }
        return false;
    }

    @Override
    public long newest(Row row) {
        int cell = newestUpTo(row, NEWEST);
        return cell < 0 ? 0 : TupleLayout.stamp(here(), cell(row, cell));
    }

    // ---- its value

    @Override
    public void addReads(Round round, Row row) {
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
    public void addReadsOfAll(Round round, Row row) {
        room(row, true);
        long at = Pointer.offset(row.table.side(row.pointer));
        round.read(pool.primary(row.pointer), at, row.table.format().sideBytes(), here(), row.side);
    }

    /** How many versions have deltas that are to be undone. */
    private int newer(Row row) {
        int count = 0;
        for (int i = 0; i < versions(row); i++) if (isNewer(row, i)) count++;
        return count;
    }

    /** Whether a version has a delta that is to be undone to come to the selected one. */
    private boolean isNewer(Row row, int i) {
        long cell = cell(row, i);
        return TupleLayout.stamp(here(), cell) > TupleLayout.stamp(here(), cell(row, row.selected))
                && TupleLayout.deltaBytes(here(), cell) > 0;
    }

    @Override
    public Step accept(Row row) {
        TableInfo table = row.table;
        row.value = row.side + PackageLayout.VALUE;
        if (!isPackageOf(row, packageStamp(row))) return Step.AGAIN;
        long below = NEWEST;
        for (int left = row.walked; left > 0; left--) {
            int next = newestBelow(row, below);
            long cell = cell(row, next);
            below = TupleLayout.stamp(here(), cell);
            long delta = row.side + packageBytes(table) + TupleLayout.deltaOffset(here(), cell);
            if (!isDeltaOf(row, delta, TupleLayout.deltaBytes(here(), cell), below)) return Step.AGAIN;
            undoDelta(table.schema(), cell, delta, row.value);
        }
        return Step.DONE;
    }

    private int newestBelow(Row row, long below) {
        int best = -1;
        for (int i = 0; i < versions(row); i++) {
            long stamp = TupleLayout.stamp(here(), cell(row, i));
            if (!isNewer(row, i) || stamp >= below) continue;
            if (best < 0 || stamp > TupleLayout.stamp(here(), cell(row, best))) best = i;
        }
        return best;
    }

    /** Whether the package that has landed is that of the version which the tuple says is in it. */
    protected boolean isPackageOf(Row row, long stamp) {
        return PackageLayout.isWhole(here(), row.side, row.table.valueBytes(), row.key, stamp);
    }

    protected boolean isDeltaOf(Row row, long delta, long bytes, long stamp) {
        return DeltaLayout.isWhole(here(), delta, bytes, row.key, stamp);
    }

    // ---- how packages and deltas look; another structure may have them otherwise

    protected void sealPackage(Row row, long at, long stamp) {
        PackageLayout.seal(here(), at, row.table.valueBytes(), row.key, stamp);
    }

    protected long deltaBytes(Schema schema, long bitmap) {
        return DeltaLayout.bytes(schema, bitmap);
    }

    protected void makeDelta(Row row, long delta, long stamp, long bitmap, long before) {
        DeltaLayout.make(row.table.schema(), here(), delta, stamp, bitmap, before, row.key);
    }

    /** Puts the attributes of the delta of a cell into a value. */
    protected void undoDelta(Schema schema, long cell, long delta, long value) {
        DeltaLayout.undo(schema, here(), delta, value);
    }

    /** The newest version of all has been selected, and then it is no tombstone; or it has to be looked for. */
    private long packageStamp(Row row) {
        return row.newest
                ? TupleLayout.stamp(here(), cell(row, row.selected))
                : packageStamp(here(), cells(row), versions(row));
    }

    /** The stamp of the package beside a tuple: that of the newest version that is no tombstone. */
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
    public void startEmpty(Row row) {
        room(row, true);
        row.value = row.side + PackageLayout.VALUE;
        for (long at = 0; at < packageBytes(row.table); at += Words.BYTES) Words.plain(here(), row.side + at, 0);
    }

    @Override
    public void startChanging(Row row) {
        long mine = mine(row);
        MemorySegment.copy(here(), row.side, here(), mine, packageBytes(row.table));
        row.value = mine + PackageLayout.VALUE;
    }

    @Override
    public boolean prepare(Row row, long stamp, long writer) {
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
                clear(content, versions(row), NEWEST); // no version at all: there is no package that belongs to one
                lost = clear(cells(row), versions(row), NEWEST);
            }
            case DELETE -> TupleLayout.tombstone(here(), victim(row, content), stamp, writer);
            case UPDATE -> lost = update(row, content, stamp, writer);
            case NONE -> throw new IllegalStateException("a row that is only read is not written");
        }
        if (row.hasValue()) sealPackage(row, row.value - PackageLayout.VALUE, stamp);
        return lost;
    }

    private boolean update(Row row, long content, long stamp, long writer) {
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

    /** An empty cell, or the oldest (§4.3). */
    protected long victim(Row row, long content) {
        long oldest = TupleLayout.cell(content, 0);
        for (int i = 0; i < versions(row); i++) {
            long cell = TupleLayout.cell(content, i);
            if (TupleLayout.stamp(here(), cell) < TupleLayout.stamp(here(), oldest)) oldest = cell;
        }
        return oldest;
    }

    /** Where the next delta goes: behind the last one, or to the beginning if it does not fit there. */
    private long place(long content, int versions, long barBytes, long bytes) {
        long end = lastEnd(here(), content, versions);
        return end + bytes <= barBytes ? end : 0;
    }

    /** Where the delta of the newest version that has one ends. */
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
     * A version whose delta is overwritten can no longer be undone: with it go the versions that are reached only by undoing
     * it, which are all older ones. It stays itself, as the oldest.
     */
    protected boolean drop(long content, Row row) {
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

    /** Empties the cells of all versions before that one; false if there is none. */
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
    public void addWrites(Round round, Row row, int node) {
        Region region = pool.at(node, row.pointer);
        long at = Pointer.offset(row.table.side(row.pointer));
        long packageBytes = packageBytes(row.table);
        if (row.deltaBytes > 0)
            round.write(region, at + packageBytes + row.deltaOffset, row.deltaBytes, here(), delta(row));
        if (row.hasValue()) round.write(region, at, packageBytes, here(), row.value - PackageLayout.VALUE);
    }

    // ---- back

    /**
     * The delta lies on a copy before its package is touched, so a package that may be torn is restored from it: what the delta
     * does not have is the same in the old value and in the new one. The delta lies behind the last one or at the beginning.
     */
    @Override
    public void undo(Round round, TableInfo table, long pointer, MemorySegment log, long image, long stamp, int copy) {
        long content = image + Words.BYTES + ObjectLayout.BODY_CONTENT;
        int versions = table.format().versions();
        long before = packageStamp(log, content, versions);
        if (before == 0) return; // an insert: the value of a row that is not there is nobody's
        long key = Words.plain(log, image + Words.BYTES + ObjectLayout.BODY_KEY);
        long side = memory.take(table.format().sideBytes());
        Region region = pool.replica(pointer, copy);
        long at = Pointer.offset(table.side(pointer));
        round.read(region, at, table.format().sideBytes(), here(), side).post().await();
        long delta = deltaOf(table, side, lastEnd(log, content, versions), key, stamp);
        if (delta < 0) delta = deltaOf(table, side, 0, key, stamp);
        if (delta < 0) return; // the package behind it was not touched, or somebody else has been here since
        DeltaLayout.undo(table.schema(), here(), delta, side + PackageLayout.VALUE);
        PackageLayout.seal(here(), side, table.valueBytes(), key, before);
        round.write(region, at, packageBytes(table), here(), side).post().await();
    }

    private long deltaOf(TableInfo table, long side, long offset, long key, long stamp) {
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
    private void room(Row row, boolean whole) {
        long most = whole ? row.table.format().sideBytes() : packageBytes(row.table);
        if (row.staged >= 0) most += packageBytes(row.table) + DeltaLayout.bytes(row.table.valueBytes());
        if (row.side >= 0 && row.sideBytes >= most) return;
        row.side = memory.take(most);
        row.sideBytes = most;
    }

    private long mine(Row row) {
        return row.side + row.table.format().sideBytes();
    }

    private long delta(Row row) {
        return mine(row) + packageBytes(row.table);
    }

    private static int versions(Row row) {
        return row.table.format().versions();
    }

    private static long cells(Row row) {
        return row.landed + ObjectLayout.CONTENT;
    }

    private static long cell(Row row, int i) {
        return TupleLayout.cell(cells(row), i);
    }

    static long packageBytes(TableInfo table) {
        return PackageLayout.bytes(table.valueBytes());
    }

    static long barBytes(TableInfo table) {
        return table.format().sideBytes() - packageBytes(table);
    }
}
