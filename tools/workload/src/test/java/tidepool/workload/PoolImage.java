package tidepool.workload;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import tidepool.base.Id128;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;

/** A checksum for each region of each node. A change of any word changes it. */
final class PoolImage {
    private static final int PIECE = 1 << 20;

    private PoolImage() {}

    static List<Long> of(Fabric fabric) {
        List<Long> sums = new ArrayList<>();
        try (Session session = fabric.attach();
                Lane lane = session.lane()) {
            Round round = lane.round(1);
            MemorySegment piece = lane.landing(PIECE);
            for (int node = 0; node < fabric.nodes(); node++)
                for (Id128 capability : fabric.control(node).regions()) {
                    if (capability == null) continue;
                    Region region = lane.connect(node).open(capability);
                    CRC32C sum = new CRC32C();
                    for (long at = 0; at < region.bytes(); at += PIECE) {
                        long length = Math.min(PIECE, region.bytes() - at);
                        round.read(region, at, length, piece, 0).post().await();
                        sum.update(piece.asSlice(0, length).asByteBuffer());
                    }
                    sums.add(sum.getValue());
                }
        }
        return sums;
    }
}
