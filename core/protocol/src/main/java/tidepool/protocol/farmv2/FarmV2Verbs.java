package tidepool.protocol.farmv2;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TableLayout;
import tidepool.store.farmv2.ChainLayout;

/** The verbs of FaRMv2, where they differ from those on records with one version. */
public class FarmV2Verbs extends RecordVerbs {
    private boolean inSnapshot;

    public FarmV2Verbs(PoolRegions pool, MemorySegment memory) {
        super(pool, memory);
    }

    /** Sets whether reads are of a snapshot, which may be older than the deletion of a row. */
    final void inSnapshot(boolean is) {
        inSnapshot = is;
    }

    @Override
    public boolean leadsTo(MemorySegment landed, long body, long key) {
        return super.leadsTo(landed, body, key)
                || inSnapshot
                        && Words.plain(landed, body + ObjectLayout.BODY_KEY) == key
                        && Words.plain(landed, body + ObjectLayout.BODY_WRITER) != 0;
    }

    /** Reads the next older version of a chain. */
    public void readBlock(Round round, TableLayout table, long pointer, int block, long landing) {
        long at = Pointer.offset(table.side(pointer)) + ChainLayout.blockOffset(block, table.valueBytes());
        round.read(pool.primary(pointer), at, ChainLayout.blockBytes(table.valueBytes()), memory, landing);
    }

    /** Writes the replaced version, ahead of its successor. A mark in the slot then proves that the block is there. */
    public void block(Round round, int node, WriteTarget t, int block, long made) {
        long at = Pointer.offset(t.table.side(t.pointer)) + ChainLayout.blockOffset(block, t.table.valueBytes());
        round.write(pool.at(node, t.pointer), at, ChainLayout.blockBytes(t.table.valueBytes()), memory, made);
    }

    /** Writes the time of the last change of a bucket: a transaction has inserted or deleted. */
    public void stamp(Round round, int node, WriteTarget t, long stamp) {
        round.write(pool.at(node, t.pointer), Pointer.offset(TableLayout.stamp(t.pointer)), stamp);
    }
}
