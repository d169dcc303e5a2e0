package tidepool.workload.measured.draw;

import tidepool.base.Randomness;
import tidepool.schema.EightByteKeys;

/**
 * Numbers of another draw, spread over 0 to {@code count - 1} by a hash, so that hot numbers are not neighbours. As in
 * YCSB, two ranks can map to one number and some numbers have no rank.
 *
 * @param ranks the draw
 * @param count of the numbers
 */
public record Scrambled(Draw ranks, long count) implements Draw {
    @Override
    public long draw(Randomness random) {
        return Long.remainderUnsigned(EightByteKeys.hash(ranks.draw(random)), count);
    }
}
