package tidepool.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tidepool.store.TxnId;

/** Tests that counters end and never wrap around: an id in a lock or a version names one attempt forever. */
class TxnCounterTest {
    @Test
    void blocksFollowEachOtherAndNoneIsGivenTwice() {
        TxnCounter counter = new TxnCounter();

        assertEquals(1, counter.block());
        assertEquals(1 + TxnCounter.BLOCK, counter.block());
    }

    @Test
    void lastBlockFitsIntoAnIdAndThereIsNoneAfterIt() {
        TxnCounter counter = new TxnCounter(TxnCounter.blocks() - 1);
        long last = counter.block() + TxnCounter.BLOCK - 1;

        assertTrue(TxnCounter.isLastOfBlock(last));
        assertEquals(last, TxnId.counter(TxnId.of(7, last)));
        assertEquals(7, TxnId.session(TxnId.of(7, last)));
        for (int i = 0; i < 3; i++) {
            TxnIdsExhaustedException refused = assertThrows(TxnIdsExhaustedException.class, counter::block);
            assertTrue(refused.getMessage().contains("2^40"), refused.getMessage());
        }
    }

    /** Otherwise it would be the first id of the next session. */
    @Test
    void counterThatDoesNotFitIsNoId() {
        assertThrows(RuntimeException.class, () -> TxnId.of(7, TxnId.LAST_COUNTER + 1));
    }
}
