package tidepool.mutants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests of {@link MutatedSample}; {@link TrialTest} runs them against mutants. */
class MutatedSampleTest {
    @Test
    void aSampleDoesWhatItSays() {
        assertEquals(5, MutatedSample.larger(3, 5));
        assertEquals(5, MutatedSample.larger(5, 3));
        assertEquals(4, MutatedSample.larger(4, 4));
        assertEquals(10, MutatedSample.steps(10));
        assertEquals(2, MutatedSample.tellTwice());
        assertEquals(0, MutatedSample.openAndClose());
        assertTrue(MutatedSample.isEven(4));
        assertFalse(MutatedSample.isEven(5));
        assertEquals("sample", MutatedSample.name());
    }
}
