package tidepool.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Id128;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;

/** A writer of zeros over a part of every partition, in all copies. It has a lane of its own until it is closed. */
final class AreaCleaner implements AutoCloseable {
    private static final long PIECE_BYTES = 64 * 1024;

    private final Lane lane;
    private final Round round;
    private final MemorySegment zeros;
    private final List<Region> copies = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();

    /** Opens all copies of all partitions. Waits for the memory nodes. */
    AreaCleaner(Fabric fabric, Session session, Catalog catalog) {
        lane = session.lane();
        try {
            zeros = lane.landing(PIECE_BYTES);
            Placement placement = catalog.placement();
            for (int node = 0; node < fabric.nodes(); node++) {
                Link link = lane.connect(node);
                links.add(link);
                Id128[] regions = fabric.control(node).regions();
                for (int p = 0; p < placement.partitions(); p++)
                    if (placement.holds(node, p)) copies.add(link.open(regions[catalog.partitionRegion(node, p)]));
            }
            round = lane.round(copies.size());
        } catch (RuntimeException e) {
            lane.close();
            throw e;
        }
    }

    /** Writes zeros at one offset of every partition. Waits for the memory nodes. */
    void zero(long offset, long bytes) {
        for (long done = 0; done < bytes; done += PIECE_BYTES) {
            long piece = Math.min(PIECE_BYTES, bytes - done);
            for (Region copy : copies) round.write(copy, offset + done, piece, zeros, 0);
            round.post().await();
        }
    }

    /** Makes the zeros persistent at all nodes. */
    void flush() {
        for (Link link : links) round.flush(link);
        round.post().await();
    }

    @Override
    public void close() {
        lane.close();
    }
}
