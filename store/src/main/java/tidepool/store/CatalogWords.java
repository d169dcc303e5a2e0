package tidepool.store;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;

/** The region of a catalog and its single words, a round trip each. */
final class CatalogWords {
    /** As much as is read or written at once. */
    static final int LANDING_BYTES = 16 * 1024;

    final Region region;
    final Round round;
    final MemorySegment landing;

    CatalogWords(Lane lane, Region region) {
        this.region = region;
        this.round = lane.round(4);
        this.landing = lane.landing(LANDING_BYTES);
    }

    long get(long offset) {
        round.read(region, offset, Words.BYTES, landing, 0).post().await();
        return Words.plain(landing, 0);
    }

    /** Reads so much at once into the landing memory. */
    void read(long offset, long bytes) {
        round.read(region, offset, bytes, landing, 0).post().await();
    }

    void put(long offset, long word) {
        round.write(region, offset, word).post().await();
    }

    /** Returns the word found. */
    long swap(long offset, long expected, long desired) {
        round.compareAndSwap(region, offset, expected, desired, landing, 0)
                .post()
                .await();
        return Words.plain(landing, 0);
    }

    /** Returns the word found. */
    long add(long offset, long delta) {
        round.fetchAndAdd(region, offset, delta, landing, 0).post().await();
        return Words.plain(landing, 0);
    }

    /** Makes persistent what was written by this object. */
    void flush() {
        round.flush(region.link()).post().await();
    }

    /**
     * Makes persistent what somebody else has written into a word, before anything is built upon it: a FLUSH speaks for
     * its own link alone, so the word is touched first.
     */
    void persist(long offset) {
        round.fetchAndAdd(region, offset, 0, null, 0)
                .flush(region.link())
                .post()
                .await();
    }
}
