package tidepool.lab;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Round;
import tidepool.protocol.motor.MotorOptions;
import tidepool.protocol.motor.TupleVersions;
import tidepool.protocol.motor.TxnMemory;
import tidepool.protocol.motor.VersionedRow;
import tidepool.protocol.record.PoolRegions;
import tidepool.schema.Schema;
import tidepool.store.RowFormat;
import tidepool.store.TableLayout;
import tidepool.store.motor.BarSize;
import tidepool.store.motor.DeltaLayout;
import tidepool.store.motor.PackageLayout;
import tidepool.store.motor.TupleLayout;

/**
 * Tuples whose values are proven by the paper's anchors (§4.4) and not by stamps and checksums. An anchor is a byte
 * before the value and a byte after it, which must be those of the newest version. Deltas hold only attributes. They
 * are written after the value, as published. So a reader that reads a delta, and then a value that has not changed
 * since, has read a delta that has not changed either.
 *
 * <pre>
 *     package:  | anchor | value n | anchor |        the anchor of a version is the low byte of its timestamp
 *     delta:    | attributes |
 * </pre>
 *
 * <b>Unsafe, and only for figures.</b> The proof holds if a WRITE lands from its first byte to its last. If its words
 * land in any order, both anchors may still be old when the bytes between them are new. Nothing is undone after a
 * crash.
 */
final class AnchoredTuples extends TupleVersions {
    static final String KIND = "anchored";

    private static final long ANCHOR = 0xff;

    AnchoredTuples(PoolRegions pool, TxnMemory memory, MotorOptions options) {
        super(pool, memory, options);
    }

    /**
     * Returns the format with as many deltas as with checksums, each shorter by the words of a delta that are not
     * attributes.
     */
    static RowFormat formatOf(Schema schema, int versions) {
        long bar = BarSize.of(schema, versions).parts().stream()
                .mapToLong(part -> part.deltas() * bytes(part.bytes()))
                .sum();
        return new RowFormat(
                KIND,
                versions,
                versions * TupleLayout.CELL_BYTES,
                PackageLayout.bytes(schema.length()) + Math.max(bar, bytes(schema.length())));
    }

    /** Writes the value of an initial row. */
    static void first(MemorySegment side, long valueBytes, long stamp) {
        put(side, 0, valueBytes, stamp);
    }

    private static void put(MemorySegment memory, long at, long valueBytes, long stamp) {
        Words.plain(memory, at, stamp & ANCHOR);
        Words.plain(memory, at + PackageLayout.VALUE + valueBytes, stamp & ANCHOR);
    }

    private static long bytes(long attributeBytes) {
        return Math.max(Words.BYTES, attributeBytes + Words.BYTES - 1 & -Words.BYTES);
    }

    @Override
    protected void sealPackage(VersionedRow row, long at, long stamp) {
        put(here(), at, row.table.valueBytes(), stamp);
    }

    @Override
    protected boolean isPackageOf(VersionedRow row, long stamp) {
        long end = row.side + PackageLayout.VALUE + row.table.valueBytes();
        return Words.plain(here(), row.side) == (stamp & ANCHOR) && Words.plain(here(), end) == (stamp & ANCHOR);
    }

    @Override
    protected boolean isDeltaOf(VersionedRow row, long delta, long bytes, long stamp) {
        return true;
    }

    @Override
    protected long deltaBytes(Schema schema, long bitmap) {
        return bytes(DeltaLayout.bytes(schema, bitmap) - DeltaLayout.bytes(0));
    }

    @Override
    protected void makeDelta(VersionedRow row, long delta, long stamp, long bitmap, long before) {
        DeltaLayout.pack(row.table.schema(), here(), delta, bitmap, before);
    }

    @Override
    protected void undoDelta(Schema schema, long cell, long delta, long value) {
        DeltaLayout.unpack(schema, here(), delta, TupleLayout.bitmap(here(), cell), value);
    }

    /** Adds the write of the value, then that of the delta with the replaced attributes. */
    @Override
    public void addWrites(Round round, VersionedRow row, int node) {
        VersionedRow.Write write = row.write;
        long delta = row.deltaBytes;
        row.deltaBytes = 0;
        super.addWrites(round, row, node);
        row.deltaBytes = delta;
        row.write = VersionedRow.Write.DELETE; // only the delta
        super.addWrites(round, row, node);
        row.write = write;
    }

    @Override
    public void undo(
            Round round, TableLayout table, long pointer, MemorySegment log, long image, long stamp, int copy) {
        throw OnlyForFigures.refused("Motor with anchors");
    }
}
