package tidepool.lab;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Round;
import tidepool.protocol.motor.Memory;
import tidepool.protocol.motor.MotorOptions;
import tidepool.protocol.motor.Row;
import tidepool.protocol.motor.Tuples;
import tidepool.protocol.record.PoolRegions;
import tidepool.store.RowFormat;
import tidepool.store.TableInfo;
import tidepool.store.motor.BarSize;
import tidepool.store.motor.DeltaLayout;
import tidepool.store.motor.PackageLayout;
import tidepool.store.motor.TupleLayout;
import tidepool.store.schema.Schema;

/**
 * Tuples whose values are proven by the paper's anchors (§4.4) and not by stamps and checksums: a byte before the value and one
 * behind it, which have to be those of the newest version. Deltas are attributes and nothing else, and are written behind the
 * value, as published: whoever reads a delta and then a value that nobody has touched since has read a delta that nobody has
 * touched either.
 *
 * <pre>
 *     package:  | anchor | value n | anchor |        the anchor of a version is the low byte of its timestamp
 *     delta:    | attributes |
 * </pre>
 *
 * <b>Unsafe, and only for figures.</b> That proves something where a WRITE lands from its first byte to its last. Where its words
 * land in any order both anchors may still be the old ones when what lies between them is new. Nothing is undone after a crash.
 */
final class AnchoredTuples extends Tuples {
    static final String KIND = "anchored";

    private static final long ANCHOR = 0xff;

    AnchoredTuples(PoolRegions pool, Memory memory, MotorOptions options) {
        super(pool, memory, options);
    }

    /** As many deltas as with checksums, each shorter by what a delta has besides attributes. */
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

    /** The value of a row that is there from the beginning. */
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
    protected void sealPackage(Row row, long at, long stamp) {
        put(here(), at, row.table.valueBytes(), stamp);
    }

    @Override
    protected boolean isPackageOf(Row row, long stamp) {
        long end = row.side + PackageLayout.VALUE + row.table.valueBytes();
        return Words.plain(here(), row.side) == (stamp & ANCHOR) && Words.plain(here(), end) == (stamp & ANCHOR);
    }

    @Override
    protected boolean isDeltaOf(Row row, long delta, long bytes, long stamp) {
        return true;
    }

    @Override
    protected long deltaBytes(Schema schema, long bitmap) {
        return bytes(DeltaLayout.bytes(schema, bitmap) - DeltaLayout.bytes(0));
    }

    @Override
    protected void makeDelta(Row row, long delta, long stamp, long bitmap, long before) {
        DeltaLayout.pack(row.table.schema(), here(), delta, bitmap, before);
    }

    @Override
    protected void undoDelta(Schema schema, long cell, long delta, long value) {
        DeltaLayout.unpack(schema, here(), delta, TupleLayout.bitmap(here(), cell), value);
    }

    /** The value, then what it replaces. */
    @Override
    public void addWrites(Round round, Row row, int node) {
        Row.Write write = row.write;
        long delta = row.deltaBytes;
        row.deltaBytes = 0;
        super.addWrites(round, row, node);
        row.deltaBytes = delta;
        row.write = Row.Write.DELETE; // the delta alone
        super.addWrites(round, row, node);
        row.write = write;
    }

    @Override
    public void undo(Round round, TableInfo table, long pointer, MemorySegment log, long image, long stamp, int copy) {
        throw OnlyForFigures.refused("Motor with anchors");
    }
}
