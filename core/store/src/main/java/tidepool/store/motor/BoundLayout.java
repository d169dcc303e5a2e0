package tidepool.store.motor;

import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.store.SlotTrailer;

/**
 * A lower bound of the commit timestamp of the transaction that holds a row's lock, behind the row's object on the
 * primary.
 *
 * <pre>
 *     slot:  | LOCK | VER | body … checksum |  bound  |  proof  |
 *
 *     proof = checksum of the bound and of the transaction whose bound it is
 * </pre>
 *
 * A transaction writes it before the CAS of the lock, even if it does not get the lock. Its two words land in any
 * order. The proof tells whose bound it is. A bound that is not the holder's says nothing. A bound that is the holder's
 * stays true for ever. So the bound needs no order, no clearing and no repair. Zeroed memory is a bound of no
 * transaction.
 *
 * <pre>
 *    field   written by                                              read by
 *    bound   a transaction that asks for the lock, before its CAS    a snapshot that meets the lock, with the tuple
 *    proof   as the bound, in the same WRITE                         as the bound: whose is it
 * </pre>
 */
public final class BoundLayout {
    public static final StructLayout BOUND = MemoryLayout.structLayout(
                    U64.withName("bound"), // the transaction, if it commits, has a later timestamp
                    U64.withName("proof")) // over the bound and the transaction's id
            .withName("bound");

    public static final long BYTES = BOUND.byteSize();

    private static final long VALUE = offset("bound");
    private static final long PROOF = offset("proof");

    static {
        Checks.size(BOUND, 16);
        Checks.invariant(BYTES == SlotTrailer.bytes("motor"), "slots have room for it");
    }

    private BoundLayout() {}

    public static void seal(MemorySegment memory, long at, long bound, long txn) {
        Words.plain(memory, at + VALUE, bound);
        Words.plain(memory, at + PROOF, proof(bound, txn));
    }

    /**
     * Returns the bound that has landed, if it is this transaction's; otherwise 0, which all commit timestamps exceed.
     */
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
