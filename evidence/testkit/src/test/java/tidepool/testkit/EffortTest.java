package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of {@link Effort}: levels, factors, seeds and tags. */
class EffortTest {
    private static String limit;

    @RegisterExtension
    static final BeforeAllCallback SETTINGS =
            context -> limit = context.getConfigurationParameter("junit.jupiter.execution.timeout.default")
                    .orElse(null);

    @Test
    void aLevelTakesItsOwnCount() {
        assertEquals(1, Effort.level("quick").of(1, 20, 300));
        assertEquals(20, Effort.level("full").of(1, 20, 300));
        assertEquals(300, Effort.level("night").of(1, 20, 300));
    }

    @Test
    void fullIsTheDefault() {
        assertEquals(20, Effort.level(null).of(1, 20, 300));
        assertEquals(20, Effort.level("").of(1, 20, 300));
    }

    @Test
    void aFactorMultipliesTheCount() {
        assertEquals(80, Effort.level("full*4").of(1, 20, 300));
        assertEquals(Integer.MAX_VALUE, Effort.level("night*2000000000").of(1, 20, 300));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Full", "fast", "full*", "full*0", "full*-1", "full*x", "*4", "full*4*4", " "})
    void anUnknownLevelIsRefusedBySayingWhatIsTaken(String text) {
        String message = assertThrows(IllegalArgumentException.class, () -> Effort.level(text))
                .getMessage();
        assertEquals(
                "tidepool.effort takes quick, full or night, or one of them with a factor such as full*4, not '" + text
                        + "'",
                message);
    }

    @Test
    void seedsAreConsecutiveFromTheFirst() {
        long first = Effort.firstSeed();
        assertArrayEquals(
                LongStream.range(first, first + Effort.of(1, 2, 3)).toArray(),
                Effort.seeds(1, 2, 3).toArray());
    }

    /** A test of a higher level that ran anyway would make quick slow; one that never ran would check nothing. */
    @Test
    void tagsNameTheLowestLevelAtWhichATestRuns() {
        assertTrue(isRun(Set.of(), Effort.QUICK));
        assertTrue(isRun(Set.of("process"), Effort.QUICK));
        assertFalse(isRun(Set.of("full"), Effort.QUICK));
        assertFalse(isRun(Set.of("night"), Effort.QUICK));
        assertTrue(isRun(Set.of("full"), Effort.FULL));
        assertFalse(isRun(Set.of("night", "process"), Effort.FULL));
        assertTrue(isRun(Set.of("night"), Effort.NIGHT));
    }

    /** Shows that the settings of JUnit in this module are in force. */
    @Test
    void aTestHasALimit() {
        assertEquals("5 m", limit);
    }

    private static boolean isRun(Set<String> tags, Effort effort) {
        return !EffortCondition.evaluate(tags, effort).isDisabled();
    }
}
