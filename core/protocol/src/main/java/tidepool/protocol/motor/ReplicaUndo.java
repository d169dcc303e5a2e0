package tidepool.protocol.motor;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.TablesByPlace;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.Role;

/** Undo of a transaction's writes on one copy of an object. Only recovery and reconfiguration use it. */
public class ReplicaUndo implements TxnMemory {
    private final PoolRegions pool;
    private final Lane lane;
    private final Round round;
    private final TablesByPlace tables;
    private final VersionStructure versions;
    private MemorySegment segment;

    /** @param structure makes the structure of versions on a memory of its own */
    @SuppressWarnings("this-escape") // the structure keeps its memory and does not use it before an undo
    public ReplicaUndo(PoolRegions pool, Lane lane, Round round, Catalog catalog, Structures structure) {
        this.pool = pool;
        this.lane = lane;
        this.round = round;
        this.tables = new TablesByPlace(catalog);
        this.segment = lane.landing(4096);
        this.versions = structure.on(pool, this);
    }

    /** Makes a structure of versions. */
    @FunctionalInterface
    public interface Structures {
        VersionStructure on(PoolRegions pool, TxnMemory memory);
    }

    /** Returns whether an object is a row, and not a part of the index. */
    boolean isRow(long pointer) {
        return tables.role(pointer) == Role.ROW;
    }

    /**
     * Restores an object: first its side, then the object itself. Waits for the answers.
     *
     * @param image where the object (VER, body) lies in the log
     * @param stamp the commit timestamp of the transaction
     */
    public void undo(long pointer, long bodyBytes, MemorySegment log, long image, long stamp, int copy) {
        if (isRow(pointer)) versions.undo(round, tables.of(pointer), pointer, log, image, stamp, copy);
        putBack(pointer, bodyBytes, log, image, copy);
    }

    /**
     * Writes the body first. While the mark of an object of the index is there, no reader accepts the half-restored
     * object.
     */
    protected void putBack(long pointer, long bodyBytes, MemorySegment log, long image, int copy) {
        long offset = Pointer.offset(pointer);
        round.write(pool.replica(pointer, copy), offset + ObjectLayout.BODY, bodyBytes, log, image + Words.BYTES)
                .write(pool.replica(pointer, copy), offset + ObjectLayout.VERSION, Words.plain(log, image))
                .post()
                .await();
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    /** Returns the only piece of memory: one row is undone at a time, so its memory is used again. */
    @Override
    public long take(long bytes) {
        if (segment.byteSize() < bytes) segment = lane.landing(bytes);
        return 0;
    }
}
