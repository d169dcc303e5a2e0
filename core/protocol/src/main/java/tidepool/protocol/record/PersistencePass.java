package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.store.Catalog;
import tidepool.store.Placement;
import tidepool.store.TableLayout;

/**
 * A pass that makes data persistent that must survive a loss of power from now on and was not flushed before: that of a
 * primary that has lost its backups, or of a copy that has become a primary. A FLUSH covers only the writes of its own
 * link, so all data is written once more, unchanged. No other session is in the pool.
 */
public class PersistencePass {
    private static final long PIECE_BYTES = 64 * 1024;

    private final PoolRegions pool;
    private final Placement placement;
    private final Catalog catalog;
    private final Round round;
    private final MemorySegment piece;

    public PersistencePass(PoolRegions pool, Lane lane, Catalog catalog) {
        this.pool = pool;
        this.placement = pool.placement();
        this.catalog = catalog;
        this.round = lane.round(1);
        this.piece = lane.landing(PIECE_BYTES);
    }

    /**
     * First persists the copies that must survive a loss of power, then marks the others as unflushed. Otherwise there
     * would be a moment without a surviving copy.
     */
    final void run() {
        run(true);
        run(false);
    }

    private void run(boolean flushed) {
        for (int p = 0; p < placement.partitions(); p++)
            for (int copy = 0; copy < placement.copies(p); copy++) {
                int node = placement.replica(p, copy);
                boolean wanted = copy < placement.whole(p) && catalog.flush().covers(placement, p, copy);
                if (wanted != flushed || wanted == catalog.isFlushed(node, p)) continue;
                if (wanted) persist(p, node);
                catalog.setFlushed(node, p, wanted);
            }
    }

    /** Makes a node's copy of a partition persistent. */
    public void persist(int partition, int node) {
        for (TableLayout table : catalog.tables()) {
            Region region = pool.at(node, table.overflowCount(partition));
            for (TableLayout.Area area : table.areas()) {
                for (long done = 0; done < area.bytes(); done += PIECE_BYTES) {
                    long bytes = Math.min(PIECE_BYTES, area.bytes() - done);
                    round.read(region, area.base() + done, bytes, piece, 0)
                            .post()
                            .await();
                    round.write(region, area.base() + done, bytes, piece, 0)
                            .post()
                            .await();
                }
            }
        }
        round.flush(pool.log(node).link()).post().await();
    }
}
