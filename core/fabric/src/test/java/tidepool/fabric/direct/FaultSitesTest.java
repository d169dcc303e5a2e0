package tidepool.fabric.direct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.FaultSites;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;

/**
 * A process that dies at a fault site leaves exactly the verbs that were sent before, so that a test knows what it
 * tests.
 */
class FaultSitesTest {
    private static final int AIMED = 7;

    /**
     * Fault sites that die after {@code verbs} verbs of rounds with the label. The test catches the death and reads the
     * memory.
     */
    private record Dying(int verbs) implements FaultSites {
        private static final class Death extends RuntimeException {
            private static final long serialVersionUID = 1L;
        }

        @Override
        public int verbsBeforeDeath(Round round) {
            return round.label() == AIMED ? verbs : GO_ON;
        }

        @Override
        public boolean awaitsVerbs() {
            return true;
        }

        @Override
        public void die() {
            throw new Death();
        }
    }

    /** Also in the middle of a group, whose verbs are executed as a unit. */
    @Test
    void onlyTheVerbsBeforeItTakeEffect() {
        for (int verbs = 0; verbs <= 5; verbs++) {
            long[] left = left(verbs, false);
            for (int i = 0; i < left.length; i++)
                assertEquals(i < verbs ? i + 1 : 0, left[i], "verb " + i + " of those before " + verbs);
        }
    }

    /** A round that follows another is cut when the other is done. */
    @Test
    void theRoundBeforeItTakesEffect() {
        for (int verbs = 0; verbs <= 5; verbs++) {
            long[] left = left(verbs, true);
            for (int i = 0; i < left.length; i++)
                assertEquals(i < verbs ? i + 1 : 0, left[i], "verb " + i + " of those before " + verbs);
        }
    }

    /** Returns the words by the verb that writes each. If the round follows another, checks the other one. */
    private static long[] left(int verbs, boolean follows) {
        try (MemFabric fabric = new MemFabric(1)) {
            Id128 capability = fabric.control(0).createRegion(4096);
            fabric.faultSites(new Dying(verbs));
            Lane lane = fabric.attach().lane();
            Region region = lane.connect(0).open(capability);
            MemorySegment here = lane.landing(64);
            Words.plain(here, 0, 3);
            Round first = lane.round(2);
            first.write(region, 64, 9);
            Round round = lane.round(8).label(AIMED);
            round.write(region, 0, 1).markThenWrite(region, 8, 2, 8, here, 0).writePairBackwards(region, 24, 4, 5);
            if (follows) assertThrows(Dying.Death.class, () -> first.postInBackground(round));
            else assertThrows(Dying.Death.class, round::post);
            Round look = lane.round(1);
            look.read(region, 0, 40, here, 0).post().await();
            long[] words = {
                Words.plain(here, 0),
                Words.plain(here, 8),
                Words.plain(here, 16),
                Words.plain(here, 32),
                Words.plain(here, 24)
            };
            look.read(region, 64, 8, here, 0).post().await();
            assertEquals(follows ? 9 : 0, Words.plain(here, 0));
            return words;
        }
    }
}
