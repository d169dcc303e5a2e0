package tidepool.bench;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import tidepool.base.Words;

/**
 * The limit of the machine: the accesses of a round, handwritten on the mapped memory, with no check but the segment's
 * own, no counter and no connection. Each address depends on the word read before it, as in a transaction that uses
 * what it has read; {@code overlapped} lets the processor run ahead instead.
 */
final class HandwrittenLoop implements Loop {
    private final MemorySegment memory;
    private final MemorySegment landing;
    private final Shape shape;
    private final long mask;
    private long random;

    HandwrittenLoop(MemorySegment memory, MemorySegment landing, Shape shape, long bytes, long seed) {
        this.memory = memory;
        this.landing = landing;
        this.shape = shape;
        this.mask = (bytes - 1) & -Shape.RECORD_BYTES;
        this.random = seed;
    }

    @Override
    public long run(int rounds) {
        return switch (shape) {
            case READ -> read(rounds);
            case READ_OVERLAPPED -> readOverlapped(rounds);
            case CAS_READ -> casRead(rounds);
        };
    }

    private long read(int rounds) {
        long x = random;
        long seen = 0;
        for (int i = 0; i < rounds; i++) {
            x = Shape.next(x);
            long at = (x + seen) & mask;
            MemorySegment.copy(memory, at, landing, 0, Shape.RECORD_BYTES);
            VarHandle.acquireFence();
            seen = Words.plain(landing, 0);
        }
        random = x;
        return seen;
    }

    private long readOverlapped(int rounds) {
        long x = random;
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            x = Shape.next(x);
            MemorySegment.copy(memory, x & mask, landing, 0, Shape.RECORD_BYTES);
            VarHandle.acquireFence();
            sum += Words.plain(landing, 0);
        }
        random = x;
        return sum;
    }

    private long casRead(int rounds) {
        long x = random;
        long seen = 0;
        for (int i = 0; i < rounds; i++) {
            x = Shape.next(x);
            long at = (x + seen) & mask;
            Words.plain(landing, Shape.FOUND, Words.compareAndSwap(memory, at, 0, 0));
            MemorySegment.copy(memory, at, landing, 0, Shape.RECORD_BYTES);
            VarHandle.acquireFence();
            seen = Words.plain(landing, 0);
        }
        random = x;
        return seen;
    }
}
