package tidepool.protocol.farmv2;

import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.record.ImageLog;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TableInfo;
import tidepool.store.TxnId;
import tidepool.store.farmv2.ChainLayout;

/**
 * What belongs beside an image that is written from a log: the version that it replaces, and the stamp of a bucket. A log does not
 * have the version that is replaced. It need not: the writer puts it into its block ahead of the mark, on the same link. So
 * a copy that shows the mark has the block, and one that does not still has the version itself in the slot.
 */
final class Beside {
    private final Lane lane;
    private final Round round;
    private final Catalog catalog;
    private List<TableInfo> tables = List.of();
    private MemorySegment shown;
    private MemorySegment block;

    Beside(Lane lane, Round round, Catalog catalog) {
        this.lane = lane;
        this.round = round;
        this.catalog = catalog;
        this.shown = lane.landing(4096);
        this.block = lane.landing(4096);
    }

    /** Adds the WRITEs to the round, ahead of the image. Waits. */
    void add(long txn, Region region, MemorySegment log, int i) {
        long pointer = ImageLog.pointer(log, i);
        long bodyBytes = ImageLog.bodyBytes(log, i);
        long body = ImageLog.image(log, i) + Words.BYTES;
        if (bodyBytes == ObjectLayout.bodyBytes(TableInfo.HEAD_CONTENT)) {
            boolean head = Words.plain(log, body + ObjectLayout.BODY_KEY) == pointer;
            if (head) round.write(region, Pointer.offset(TableInfo.stamp(pointer)), ImageLog.stamp(log));
            return;
        }
        int to = ChainLayout.block(log, body + ObjectLayout.BODY_CONTENT);
        if (to < 0) return;
        if (shown.byteSize() < Words.BYTES + bodyBytes) shown = lane.landing(Words.BYTES + bodyBytes);
        round.read(region, Pointer.offset(pointer) + ObjectLayout.VERSION, Words.BYTES + bodyBytes, shown, 0)
                .post()
                .await();
        if (TxnId.of(Words.plain(shown, 0)) == txn) return;
        Checks.invariant(
                ObjectLayout.isWhole(shown, Words.BYTES, bodyBytes), "what was not marked was not touched", pointer);
        TableInfo table = tableOf(pointer);
        long bytes = ChainLayout.blockBytes(table.valueBytes());
        if (block.byteSize() < bytes) block = lane.landing(bytes);
        ChainLayout.makeBlock(block, 0, shown, Words.BYTES, table.valueBytes());
        long at = Pointer.offset(table.side(pointer)) + ChainLayout.blockOffset(to, table.valueBytes());
        round.write(region, at, bytes, block, 0);
    }

    private TableInfo tableOf(long pointer) {
        TableInfo known = find(pointer);
        if (known != null) return known;
        tables = catalog.tables(); // it may have been made since
        TableInfo found = find(pointer);
        if (found != null) return found;
        throw new IllegalStateException("no table has a row at " + Pointer.text(pointer));
    }

    private TableInfo find(long pointer) {
        long offset = Pointer.offset(pointer);
        for (TableInfo table : tables)
            if (offset >= table.base() && offset < table.base() + table.areaBytes()) return table;
        return null;
    }
}
