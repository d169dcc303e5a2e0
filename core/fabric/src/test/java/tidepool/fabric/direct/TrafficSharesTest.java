package tidepool.fabric.direct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Traffic;
import tidepool.fabric.Traffic.Share;

/** Traffic is counted by the label of its round. Steps of protocols are told apart by it. */
class TrafficSharesTest {
    private static final Share NOTHING = new Share(0, 0, 0, 0, 0, 0, 0, 0);

    @Test
    void everyRoundCountsForItsLabel() {
        try (MemFabric fabric = new MemFabric(1)) {
            Id128 capability = fabric.control(0).createRegion(4096);
            Lane lane = fabric.attach().lane();
            Region region = lane.connect(0).open(capability);
            MemorySegment here = lane.landing(64);
            Round round = lane.round(8);
            Traffic before = lane.traffic().snapshot();
            round.label(3).read(region, 0, 24, here, 0).fetchAndAdd(region, 64, 1, here, 24);
            round.post();
            round.label(4); // of the next round: this one was posted under 3
            round.await();
            round.compareAndSwap(region, 0, 0, 1, here, 0).post().await();
            round.label(5).write(region, 8, 1).write(region, 128, 40, here, 0).postInBackground();
            round.settle();
            Traffic traffic = lane.traffic().since(before);

            assertEquals(new Share(1, 0, 2, 32, 8, 0, 0, 0), traffic.share(3));
            assertEquals(new Share(1, 0, 1, 8, 8, 0, 0, 0), traffic.share(4));
            assertEquals(new Share(0, 0, 0, 0, 0, 2, 0, 48), traffic.share(5));
            assertEquals(2, traffic.roundTrips());
            assertEquals(5, traffic.allVerbs());
            for (int label = 0; label < Traffic.LABELS; label++)
                if (label < 3 || label > 5) assertEquals(NOTHING, traffic.share(label), "label " + label);
        }
    }

    /** Of two rounds under way at once, the second one to be awaited makes the chain no longer. */
    @Test
    void overlappingRoundsCountOneTrip() {
        try (MemFabric fabric = new MemFabric(1)) {
            Id128 capability = fabric.control(0).createRegion(4096);
            Lane lane = fabric.attach().lane();
            Region region = lane.connect(0).open(capability);
            MemorySegment here = lane.landing(64);
            Round first = lane.round(1).label(1);
            Round second = lane.round(1).label(2);
            first.read(region, 0, 8, here, 0).post();
            second.read(region, 8, 8, here, 8).post();
            first.await();
            second.await();

            assertEquals(1, lane.traffic().roundTrips());
            assertEquals(1, lane.traffic().share(1).roundTrips());
            assertEquals(0, lane.traffic().share(2).roundTrips());
            assertEquals(1, lane.traffic().share(2).verbs());
        }
    }

    @Test
    void labelsAreBounded() {
        try (MemFabric fabric = new MemFabric(1)) {
            Round round = fabric.attach().lane().round(1);

            assertThrows(IndexOutOfBoundsException.class, () -> round.label(Traffic.LABELS));
            assertThrows(IndexOutOfBoundsException.class, () -> round.label(-1));
        }
    }
}
