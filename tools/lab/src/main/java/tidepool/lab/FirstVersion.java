package tidepool.lab;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.store.ObjectLayout;
import tidepool.store.TableLayout;
import tidepool.store.farmv2.ChainLayout;
import tidepool.store.motor.PackageLayout;
import tidepool.store.motor.TupleLayout;

/** The layout of an initial row in its slot and in its side memory outside the slot, by the format of its table. */
final class FirstVersion {
    private FirstVersion() {}

    /** Returns whether its value lies in the side memory, and not in the body of the object. */
    static boolean liesInSideMemory(TableLayout table) {
        return switch (table.format().kind()) {
            case TupleLayout.KIND, AnchoredTuples.KIND, LinkedChains.KIND -> true;
            default -> false;
        };
    }

    /** Returns the offset of its value, in the side memory or in the body. */
    static long value(TableLayout table) {
        return switch (table.format().kind()) {
            case TupleLayout.KIND, AnchoredTuples.KIND -> PackageLayout.VALUE;
            case LinkedChains.KIND -> LinkedChains.BLOCK_VALUE;
            case ChainLayout.KIND -> ObjectLayout.BODY_CONTENT + ChainLayout.VALUE;
            default -> {
                Checks.invariant(table.format().isPlain(), "a format that the lab knows");
                yield ObjectLayout.BODY_CONTENT;
            }
        };
    }

    /** Writes the content of the object around its value, and its side memory. Returns the bytes of the side memory. */
    static long make(TableLayout table, long key, long stamp, long writer, MemorySegment body, MemorySegment side) {
        long content = ObjectLayout.BODY_CONTENT;
        return switch (table.format().kind()) {
            case TupleLayout.KIND -> {
                TupleLayout.born(body, TupleLayout.cell(content, 0), stamp, writer);
                PackageLayout.seal(side, 0, table.valueBytes(), key, stamp);
                yield PackageLayout.bytes(table.valueBytes());
            }
            case AnchoredTuples.KIND -> {
                TupleLayout.born(body, TupleLayout.cell(content, 0), stamp, writer);
                AnchoredTuples.first(side, table.valueBytes(), stamp);
                yield PackageLayout.bytes(table.valueBytes());
            }
            case LinkedChains.KIND -> {
                LinkedChains.first(body, content, side, table.valueBytes(), key, stamp);
                yield LinkedChains.blockBytes(table.valueBytes());
            }
            case ChainLayout.KIND -> {
                ChainLayout.born(body, content, stamp);
                yield 0;
            }
            default -> 0;
        };
    }
}
