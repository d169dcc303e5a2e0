package tidepool.protocol.motor;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.store.CatalogLayout;

/** Timestamps from one word of the pool, by fetch-and-add. */
public class CounterTimestamps implements Timestamps {
    private static final int TAKEN = 0;
    private static final int SEEN = Words.BYTES;

    private final Region counter;
    private final Round round;
    private final MemorySegment words;
    private long known;

    public CounterTimestamps(Lane lane, PoolRegions pool) {
        this.counter = pool.catalog(0);
        this.round = lane.round(1);
        this.words = lane.landing(2 * Words.BYTES);
    }

    @Override
    public void take(Round with) {
        with.fetchAndAdd(counter, CatalogLayout.TIMESTAMP, 1, words, TAKEN);
    }

    @Override
    public long taken() {
        known = Words.plain(words, TAKEN) + 1;
        return known;
    }

    @Override
    public long snapshot() {
        round.read(counter, CatalogLayout.TIMESTAMP, Words.BYTES, words, SEEN)
                .aside()
                .post()
                .await();
        known = Words.plain(words, SEEN);
        return known;
    }

    @Override
    public long known() {
        return known;
    }
}
