package tidepool.sim;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.VerbKind;
import tidepool.memory.Atomics;

/** The effects of a granted verb on the words of its range: on all words at once, or on those of one part. */
final class VerbEffects {
    /** From this number of words on, a bulk copy is faster than single words. */
    private static final int MANY_WORDS = 9;

    private VerbEffects() {}

    static void moveAll(VerbInFlight flight) {
        MemorySegment data = flight.region.opened.data();
        int count = flight.wordCount;
        long at = flight.offset;
        boolean write = flight.kind == VerbKind.WRITE;
        if (count >= MANY_WORDS) {
            if (write) MemorySegment.copy(flight.words, 0, data, Words.U64, at, count);
            else MemorySegment.copy(data, Words.U64, at, flight.words, 0, count);
            return;
        }
        for (int i = 0; i < count; i++, at += Words.BYTES) {
            if (write) Words.plain(data, at, flight.words[i]);
            else flight.words[i] = Words.plain(data, at);
        }
    }

    static void movePart(VerbInFlight flight, int part) {
        MemorySegment data = flight.region.opened.data();
        boolean write = flight.kind == VerbKind.WRITE;
        for (int i = 0; i < flight.wordCount; i++) {
            if (flight.partOf(i) != part) continue;
            long at = flight.offset + (long) i * Words.BYTES;
            if (write) Words.plain(data, at, flight.words[i]);
            else flight.words[i] = Words.plain(data, at);
        }
    }

    /** Executes an atomic. Leaves the word found in the flight, from where the answer takes it. */
    static void applyAtomic(VerbInFlight flight) {
        MemorySegment data = flight.region.opened.data();
        long at = flight.offset;
        flight.wordCount = 1;
        flight.words[0] = switch (flight.kind) {
            case CAS -> Words.compareAndSwap(data, at, flight.operand, flight.desired);
            case FAA -> Words.fetchAndAdd(data, at, flight.operand);
            case MASKED_CAS ->
                Atomics.maskedCompareAndSwap(
                        data, at, flight.operand, flight.compareMask, flight.desired, flight.swapMask);
            case MASKED_FAA -> Atomics.maskedFetchAndAdd(data, at, flight.operand, flight.compareMask);
            case READ, WRITE, FLUSH, CALL, CHAIN -> throw new IllegalStateException("not an atomic");
        };
    }
}
