package tidepool.contracts;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;

/** A session with one lane, a link to every node and the region of the {@link ContractPool} opened on each. */
final class ContractClient implements AutoCloseable {
    private static final long HERE = 4096;

    final Session session;
    final Lane lane;
    final Link[] links;
    final Region[] regions;
    final Round round;

    /** A page to land in and send from; its upper half is for {@link #word} and {@link #put}. */
    final MemorySegment here;

    private final Round single;

    ContractClient(Session session, Id128[] capabilities) {
        this.session = session;
        this.lane = session.lane();
        this.links = new Link[capabilities.length];
        this.regions = new Region[capabilities.length];
        for (int node = 0; node < links.length; node++) {
            links[node] = lane.connect(node);
            regions[node] = links[node].open(capabilities[node]);
        }
        this.round = lane.round(16);
        this.single = lane.round(1);
        this.here = lane.landing(HERE);
    }

    Link link() {
        return links[0];
    }

    Region region() {
        return regions[0];
    }

    /** Reads one word of node 0 in a round of its own. */
    long word(long offset) {
        return word(0, offset);
    }

    long word(int node, long offset) {
        single.read(regions[node], offset, Words.BYTES, here, HERE - Words.BYTES)
                .post()
                .await();
        return landed(HERE - Words.BYTES);
    }

    /** Writes one word of node 0 in a round of its own. */
    void put(long offset, long word) {
        put(0, offset, word);
    }

    void put(int node, long offset, long word) {
        single.write(regions[node], offset, word).post().await();
    }

    /** Returns a word that has landed here. */
    long landed(long offset) {
        return Words.plain(here, offset);
    }

    /** Fills words here with a value, to be sent from here. */
    void fill(long offset, int words, long value) {
        for (int i = 0; i < words; i++) Words.plain(here, offset + (long) i * Words.BYTES, value);
    }

    /** Returns the least of some words that have landed here. */
    long min(long offset, int words) {
        long min = Long.MAX_VALUE;
        for (int i = 0; i < words; i++) min = Math.min(min, landed(offset + (long) i * Words.BYTES));
        return min;
    }

    /** Returns the greatest of some words that have landed here. */
    long greatest(long offset, int words) {
        long greatest = Long.MIN_VALUE;
        for (int i = 0; i < words; i++) greatest = Math.max(greatest, landed(offset + (long) i * Words.BYTES));
        return greatest;
    }

    /** Returns a checksum of a whole region. Equal checksums show that nothing in the region changed. */
    long fingerprint(int node) {
        Region region = regions[node];
        MemorySegment all = lane.landing(region.bytes());
        lane.round(1).read(region, 0, region.bytes(), all, 0).post().await();
        return Checksum64.of(all, 0, region.bytes(), node);
    }

    @Override
    public void close() {
        session.close();
    }
}
