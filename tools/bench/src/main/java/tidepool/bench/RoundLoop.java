package tidepool.bench;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;

/** The accesses of {@link HandwrittenLoop} as rounds through the fabric. */
final class RoundLoop implements Loop {
    private final Region region;
    private final Round round;
    private final MemorySegment landing;
    private final Shape shape;
    private final long mask;
    private long random;

    RoundLoop(Lane lane, Region region, Shape shape, long bytes, long seed) {
        this.region = region;
        this.round = lane.round(2);
        this.landing = lane.landing(Shape.LANDING_BYTES);
        this.shape = shape;
        this.mask = (bytes - 1) & -Shape.RECORD_BYTES;
        this.random = seed;
    }

    @Override
    public long run(int rounds) {
        return switch (shape) {
            case READ -> read(rounds, -1);
            case READ_OVERLAPPED -> read(rounds, 0);
            case CAS_READ -> casRead(rounds);
        };
    }

    /** Reads records. With a mask of 0 the next address does not depend on the answer. */
    private long read(int rounds, long dependence) {
        long x = random;
        long seen = 0;
        for (int i = 0; i < rounds; i++) {
            x = Shape.next(x);
            long at = (x + (seen & dependence)) & mask;
            round.read(region, at, Shape.RECORD_BYTES, landing, 0).post().await();
            seen = Words.plain(landing, 0);
        }
        random = x;
        return seen;
    }

    private long casRead(int rounds) {
        long x = random;
        long seen = 0;
        for (int i = 0; i < rounds; i++) {
            x = Shape.next(x);
            long at = (x + seen) & mask;
            round.compareAndSwap(region, at, 0, 0, landing, Shape.FOUND)
                    .read(region, at, Shape.RECORD_BYTES, landing, 0)
                    .post()
                    .await();
            seen = Words.plain(landing, 0);
        }
        random = x;
        return seen;
    }
}
