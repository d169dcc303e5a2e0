package tidepool.store.motor;

import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.store.SlotTail;

/**
 * A lower bound of the commit timestamp of whoever holds a row's lock, behind the row's object on the primary.
 *
 * <pre>
 *     slot:  | LOCK | VER | body … checksum |  bound  |  proof  |
 *
 *     proof = checksum of the bound and of the transaction whose bound it is
 * </pre>
 *
 * It is written ahead of the CAS of the lock, also by those who do not get the lock, and its two words land in any order. The
 * proof tells whose it is: one that is not the holder's says nothing, and one that is says what is true for good. So it needs
 * no order, no clearing, and nobody to repair it. Zeroed memory is nobody's.
 */
public final class BoundLayout {
    public static final StructLayout BOUND = MemoryLayout.structLayout(
                    U64.withName("bound"), // the transaction commits behind this timestamp, if it does
                    U64.withName("proof")) // over the bound and the transaction's id
            .withName("bound");

    public static final long BYTES = BOUND.byteSize();

    private static final long VALUE = offset("bound");
    private static final long PROOF = offset("proof");

    static {
        Checks.size(BOUND, 16);
        Checks.invariant(BYTES == SlotTail.bytes("motor"), "slots have room for it");
    }

    private BoundLayout() {}

    public static void seal(MemorySegment memory, long at, long bound, long txn) {
        Words.plain(memory, at + VALUE, bound);
        Words.plain(memory, at + PROOF, proof(bound, txn));
    }

    /** The bound that has landed, if it is this transaction's; otherwise 0, behind which everybody commits. */
    public static long of(MemorySegment memory, long at, long txn) {
        long bound = Words.plain(memory, at + VALUE);
        return Words.plain(memory, at + PROOF) == proof(bound, txn) ? bound : 0;
    }

    private static long proof(long bound, long txn) {
        return Checksum64.finish(Checksum64.mix(Checksum64.start(txn), bound));
    }

    private static long offset(String field) {
        return BOUND.byteOffset(PathElement.groupElement(field));
    }
}
