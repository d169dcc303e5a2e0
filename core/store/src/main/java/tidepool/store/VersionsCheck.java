package tidepool.store;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.store.farmv2.ChainLayout;
import tidepool.store.motor.DeltaLayout;
import tidepool.store.motor.PackageLayout;
import tidepool.store.motor.TupleLayout;

/** Checks the versions that a row without a writer keeps, under protocols that keep several. */
public final class VersionsCheck {
    private VersionsCheck() {}

    /**
     * Returns what is wrong with a row on one replica; null if nothing is, or rows of the table have one version.
     *
     * @param memory that of the partition from the offset {@code from} on
     */
    public static String fault(TableLayout table, long pointer, MemorySegment memory, long from) {
        long object = Pointer.offset(pointer) - from;
        return switch (table.format().kind()) {
            case TupleLayout.KIND -> tuple(table, object, Pointer.offset(table.side(pointer)) - from, memory);
            case ChainLayout.KIND -> chain(table, object, Pointer.offset(table.side(pointer)) - from, memory);
            default -> null;
        };
    }

    /** The newest value of a version tuple is next to it, and the deltas that lead back from it are whole. */
    private static String tuple(TableLayout table, long object, long side, MemorySegment memory) {
        long body = object + ObjectLayout.BODY;
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
        if (newest < 0) return present ? "is there and has no version" : null;
        if (present == TupleLayout.isTombstone(memory, newest))
            return "is there or not, and its newest version says otherwise";
        if (TupleLayout.writer(memory, newest) != Words.plain(memory, body + ObjectLayout.BODY_WRITER))
            return "was written last by another than its newest version";
        if (!PackageLayout.isWhole(memory, side, table.valueBytes(), key, valued))
            return "has no whole value of version " + valued + ", but one of " + PackageLayout.stamp(memory, side);
        long bar = side + PackageLayout.bytes(table.valueBytes());
        for (int i = 0; i < table.format().versions(); i++) {
            long cell = TupleLayout.cell(body + ObjectLayout.BODY_CONTENT, i);
            long stamp = TupleLayout.stamp(memory, cell);
            long bytes = TupleLayout.deltaBytes(memory, cell);
            if (stamp <= oldest || bytes == 0) continue; // no older version is reached through it
            if (!DeltaLayout.isWhole(memory, bar + TupleLayout.deltaOffset(memory, cell), bytes, key, stamp))
                return "has no whole delta of version " + stamp;
        }
        return null;
    }

    /** Each link of a chain of versions leads to the version that it names, in its block. */
    private static String chain(TableLayout table, long object, long side, MemorySegment memory) {
        long body = object + ObjectLayout.BODY;
        long content = body + ObjectLayout.BODY_CONTENT;
        if (Words.plain(memory, body + ObjectLayout.BODY_WRITER) == 0) return null;
        if (ObjectLayout.isPresent(memory, body) == ChainLayout.isTombstone(memory, content))
            return "is there or not, and its newest version says otherwise";
        long key = Words.plain(memory, body + ObjectLayout.BODY_KEY);
        long newer = ChainLayout.stamp(memory, content);
        int next = ChainLayout.block(memory, content);
        long stamp = ChainLayout.previous(memory, content);
        // One more link would lead to the block that the newest version of all has taken.
        for (int i = 1; i < table.format().versions() && next >= 0; i++) {
            if (stamp >= newer) return "has a version " + stamp + " after " + newer;
            long block = side + ChainLayout.blockOffset(next, table.valueBytes());
            if (!ChainLayout.isWhole(memory, block, table.valueBytes(), key, stamp))
                return "has no whole version " + stamp + " before " + newer;
            newer = stamp;
            next = ChainLayout.olderBlock(memory, block);
            stamp = ChainLayout.previousOf(memory, block);
        }
        return null;
    }
}
