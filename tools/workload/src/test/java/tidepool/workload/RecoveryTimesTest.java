package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecoveryTimesTest {
    private static final long MILLI = 1_000_000;
    private static final int DEAD = 7;

    private static RecoveryTimes times(int slowKeys) {
        RecoveryTimes.Death death = new RecoveryTimes.Death(3 * MILLI, 10 * MILLI);
        List<KeyProber.Commit> commits = new ArrayList<>();
        for (int i = 0; i < 200; i++) commits.add(new KeyProber.Commit(DEAD, (i < slowKeys ? 35 : 12) * MILLI));
        return RecoveryTimes.of("the sign", Map.of(DEAD, death), List.of(), commits);
    }

    /** The time of the kernel for a dead process is not the survivors' time. */
    @Test
    void tearDownIsCountedApart() {
        RecoveryTimes times = times(0);

        assertEquals(7, times.tearDown().percentile(50));
        assertEquals(2, times.firstCommit().percentile(50));
        assertEquals(200, times.firstCommit().count());
        assertEquals(9, times.all().percentile(50));
    }

    /** The goal is about 99 of 100 keys: two slow ones of two hundred are allowed, three are not. */
    @Test
    void goalIsAboutNinetyNineOfHundredKeys() {
        assertTrue(times(2).meetsGoal());
        assertFalse(times(3).meetsGoal());
        assertTrue(times(3).text().contains("missed"));
    }
}
