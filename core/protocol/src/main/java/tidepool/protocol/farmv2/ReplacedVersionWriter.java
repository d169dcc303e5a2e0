package tidepool.protocol.farmv2;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.TablesByPlace;
import tidepool.protocol.redo.ImageCompanions;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.Role;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;
import tidepool.store.farmv2.ChainLayout;

/**
 * The writer of the companions of an image that is installed from a log: the version that it replaces, or the stamp of
 * a bucket. A log does not contain the replaced version. It need not: the coordinator puts that version into its block
 * ahead of the mark, on the link of the mark. So a copy that shows the mark has the block, and a copy without the mark
 * still has the version itself in the slot.
 */
final class ReplacedVersionWriter implements ImageCompanions {
    private static final long LANDING = 4096;

    private final Lane lane;
    private final Round round;
    private final TablesByPlace tables;

    // Taken when the first image replaces a version, because most recoveries install none.
    private MemorySegment shown;
    private MemorySegment block;

    ReplacedVersionWriter(Lane lane, Round round, Catalog catalog) {
        this.lane = lane;
        this.round = round;
        this.tables = new TablesByPlace(catalog);
    }

    /** Waits for a READ of the copy if the image replaces a version. */
    @Override
    public void add(long txn, Region region, MemorySegment log, int i, long image) {
        long pointer = ImageLog.pointer(log, i);
        long bodyBytes = ImageLog.bodyBytes(log, i);
        long body = image + Words.BYTES;
        TableLayout table = tables.of(pointer);
        Role role = table.role(pointer);
        if (role == Role.HEAD) round.write(region, Pointer.offset(TableLayout.stamp(pointer)), ImageLog.stamp(log));
        if (role != Role.ROW) return;
        int to = ChainLayout.block(log, body + ObjectLayout.BODY_CONTENT);
        if (to < 0) return;
        shown = landing(shown, Words.BYTES + bodyBytes);
        round.read(region, Pointer.offset(pointer) + ObjectLayout.VERSION, Words.BYTES + bodyBytes, shown, 0)
                .post()
                .await();
        if (TxnId.of(Words.plain(shown, 0)) == txn) return;
        Checks.invariant(
                ObjectLayout.isWhole(shown, Words.BYTES, bodyBytes), "what was not marked was not touched", pointer);
        long bytes = ChainLayout.blockBytes(table.valueBytes());
        block = landing(block, bytes);
        ChainLayout.makeBlock(block, 0, shown, Words.BYTES, table.valueBytes());
        long at = Pointer.offset(table.side(pointer)) + ChainLayout.blockOffset(to, table.valueBytes());
        round.write(region, at, bytes, block, 0);
    }

    private MemorySegment landing(MemorySegment known, long bytes) {
        return known != null && known.byteSize() >= bytes ? known : lane.landing(Math.max(LANDING, bytes));
    }
}
