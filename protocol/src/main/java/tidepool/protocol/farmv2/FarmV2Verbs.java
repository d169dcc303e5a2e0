package tidepool.protocol.farmv2;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.Target;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TableInfo;
import tidepool.store.farmv2.ChainLayout;

/** The verbs of FaRMv2 where they differ from those on records with one version. */
public class FarmV2Verbs extends RecordVerbs {
    private boolean inSnapshot;

    public FarmV2Verbs(PoolRegions pool, MemorySegment memory) {
        super(pool, memory);
    }

    /** Whether reads are of a snapshot, which may lie before a row was deleted. */
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

    /** One step back in a chain. */
    public void readBlock(Round round, TableInfo table, long pointer, int block, long landing) {
        long at = Pointer.offset(table.side(pointer)) + ChainLayout.blockOffset(block, table.valueBytes());
        round.read(pool.primary(pointer), at, ChainLayout.blockBytes(table.valueBytes()), memory, landing);
    }

    /** The version that is replaced, ahead of what replaces it: a mark in the slot means that its block is there. */
    public void block(Round round, int node, Target t, int block, long made) {
        long at = Pointer.offset(t.table.side(t.pointer)) + ChainLayout.blockOffset(block, t.table.valueBytes());
        round.write(pool.at(node, t.pointer), at, ChainLayout.blockBytes(t.table.valueBytes()), memory, made);
    }

    /** When the head of a bucket was written: somebody has inserted or deleted. */
    public void stamp(Round round, int node, Target t, long stamp) {
        round.write(pool.at(node, t.pointer), Pointer.offset(TableInfo.stamp(t.pointer)), stamp);
    }
}
