package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.ReadCounts;
import tidepool.protocol.record.RecordVerbs;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;

/** The verbs of FORD: the verbs on records, and reads from backups. */
public class FordVerbs extends RecordVerbs {
    private final boolean fromBackups;
    private final ReadCounts counts;
    private int turn;

    /** The verbs of the default switches. */
    public FordVerbs(PoolRegions pool, MemorySegment memory) {
        this(pool, memory, FordOptions.DEFAULT, null);
    }

    public FordVerbs(PoolRegions pool, MemorySegment memory, FordOptions options, ReadCounts counts) {
        super(pool, memory);
        this.fromBackups = options.reads() == FordOptions.Reads.BACKUP;
        this.counts = counts;
    }

    /**
     * Reads the body from any replica in turn (§4.4), and LOCK, then VER, from the primary, in one trip. A whole body
     * names its writer, so wherever and whenever it was read, it is the record as it was when VER was sampled. The
     * backup's own VER would not be enough: a writer that was serialized before this read began may install its image
     * after the read, and have freed its lock when LOCK is sampled.
     */
    @Override
    public void readOnly(Round round, Access a, long bodyBytes, long landing) {
        int replica = fromBackups ? turn++ % pool.placement().whole(Pointer.partition(a.pointer)) : 0;
        if (replica <= 0) {
            super.readOnly(round, a, bodyBytes, landing);
            return;
        }
        counts.backupReads++;
        long offset = Pointer.offset(a.pointer);
        Region primary = pool.primary(a.pointer);
        round.read(
                        pool.replica(a.pointer, replica),
                        offset + ObjectLayout.BODY,
                        bodyBytes,
                        memory,
                        landing + ObjectLayout.BODY)
                .read(primary, offset + ObjectLayout.LOCK, Words.BYTES, memory, landing + ObjectLayout.LOCK)
                .read(primary, offset + ObjectLayout.VERSION, Words.BYTES, memory, landing + ObjectLayout.VERSION);
    }
}
