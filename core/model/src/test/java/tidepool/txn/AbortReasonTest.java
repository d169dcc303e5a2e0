package tidepool.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What helps where another attempt may not is said where a transaction is given up; all other attempts just repeat. */
class AbortReasonTest {
    @Test
    void adviceNamesWhatToChange() {
        assertTrue(AbortReason.SNAPSHOT_TOO_OLD.advice().contains("versions="));
        assertTrue(AbortReason.LOG_HEAP_BUSY.advice().contains("logheap="));
    }

    @Test
    void otherReasonsNeedNone() {
        Set<AbortReason> others =
                EnumSet.complementOf(EnumSet.of(AbortReason.SNAPSHOT_TOO_OLD, AbortReason.LOG_HEAP_BUSY));

        for (AbortReason each : others) assertEquals("", each.advice(), each.name());
    }
}
