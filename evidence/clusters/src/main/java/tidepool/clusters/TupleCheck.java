package tidepool.clusters;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TableLayout;
import tidepool.store.motor.DeltaLayout;
import tidepool.store.motor.PackageLayout;
import tidepool.store.motor.TupleLayout;

/**
 * Checks a version tuple without a writer: its newest value is next to it, and the deltas that lead back from it are
 * whole.
 */
final class TupleCheck {
    private TupleCheck() {}

    static void check(TableLayout table, long pointer, MemorySegment memory, String where) {
        if (!table.format().kind().equals(TupleLayout.KIND)) return;
        long body = Pointer.offset(pointer) + ObjectLayout.BODY;
        long key = Words.plain(memory, body + ObjectLayout.BODY_KEY);
        long newest = -1;
        long valued = 0;
        long oldest = Long.MAX_VALUE;
        for (int i = 0; i < table.format().versions(); i++) {
            long cell = TupleLayout.cell(body + ObjectLayout.BODY_CONTENT, i);
            long stamp = TupleLayout.stamp(memory, cell);
            if (stamp == 0) continue;
            if (newest < 0 || stamp > TupleLayout.stamp(memory, newest)) newest = cell;
            if (!TupleLayout.isTombstone(memory, cell)) valued = Math.max(valued, stamp);
            oldest = Math.min(oldest, stamp);
        }
        boolean present = ObjectLayout.isPresent(memory, body);
        if (newest < 0) {
            if (present) throw new ClusterFailure(where + " is there and has no version");
            return;
        }
        if (present == TupleLayout.isTombstone(memory, newest))
            throw new ClusterFailure(where + " is there or not, and its newest version says otherwise");
        if (TupleLayout.writer(memory, newest) != Words.plain(memory, body + ObjectLayout.BODY_WRITER))
            throw new ClusterFailure(where + " was written last by another than its newest version");
        long side = Pointer.offset(table.side(pointer));
        if (!PackageLayout.isWhole(memory, side, table.valueBytes(), key, valued))
            throw new ClusterFailure(where + " has no whole value of version " + valued + ", but one of "
                    + PackageLayout.stamp(memory, side));
        long bar = side + PackageLayout.bytes(table.valueBytes());
        for (int i = 0; i < table.format().versions(); i++) {
            long cell = TupleLayout.cell(body + ObjectLayout.BODY_CONTENT, i);
            long stamp = TupleLayout.stamp(memory, cell);
            long bytes = TupleLayout.deltaBytes(memory, cell);
            if (stamp <= oldest || bytes == 0) continue; // no older version is reached through it
            if (!DeltaLayout.isWhole(memory, bar + TupleLayout.deltaOffset(memory, cell), bytes, key, stamp))
                throw new ClusterFailure(where + " has no whole delta of version " + stamp);
        }
    }
}
