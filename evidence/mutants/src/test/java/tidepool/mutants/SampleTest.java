package tidepool.mutants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests of {@link Sample}; {@link TrialTest} runs them against mutants. */
class SampleTest {
    @Test
    void aSampleDoesWhatItSays() {
        assertEquals(5, Sample.larger(3, 5));
        assertEquals(5, Sample.larger(5, 3));
        assertEquals(4, Sample.larger(4, 4));
        assertEquals(10, Sample.steps(10));
        assertEquals(2, Sample.tellTwice());
        assertTrue(Sample.isEven(4));
        assertFalse(Sample.isEven(5));
        assertEquals("sample", Sample.name());
    }
}
