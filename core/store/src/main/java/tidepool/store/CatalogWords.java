package tidepool.store;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;

/** The region of one node's catalog, and access to its single words, one round trip each. */
final class CatalogWords {
    /** The maximum number of bytes that are read or written at once. */
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

    /** Reads a range into the landing memory. */
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

    /** Makes persistent what this object has written. */
    void flush() {
        round.flush(region.link()).post().await();
    }

    /**
     * Makes a word persistent that another session has written, before this session builds on it. A FLUSH covers only
     * its own link, so this link touches the word first.
     */
    void persist(long offset) {
        round.fetchAndAdd(region, offset, 0, null, 0)
                .flush(region.link())
                .post()
                .await();
    }
}
