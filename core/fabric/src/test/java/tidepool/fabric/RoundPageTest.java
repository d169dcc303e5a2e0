package tidepool.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.base.Words;

/** The round that ARCHITECTURE.md shows. */
class RoundPageTest {
    private static final long FREE = 0;

    @Test
    void aRoundLocksAndReads() {
        long at = 128;
        long txn = 7;
        try (Fabric fabric = Fabric.open("mem:?nodes=1");
                Session session = fabric.attach();
                Lane lane = session.lane()) {
            Id128 capability = fabric.control(0).createRegion(4096);
            Region records = lane.connect(0).open(capability);
            MemorySegment landing = lane.landing(72);
            Round round = lane.round(2);
            round.write(records, at, 5).post().await();
            round.compareAndSwap(records, at, 5, FREE, landing, 0).post().await();

            round.compareAndSwap(records, at, FREE, txn, landing, 0)
                    .read(records, at, 64, landing, 8)
                    .post()
                    .await();

            assertEquals(FREE, Words.plain(landing, 0), "the lock was free");
            assertEquals(txn, Words.plain(landing, 8), "the READ follows the CAS");
        }
    }
}
