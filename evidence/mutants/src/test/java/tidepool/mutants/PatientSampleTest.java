package tidepool.mutants;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A test that takes for ever while a file is in the folder in which it runs; {@link TrialTest} makes the file. */
class PatientSampleTest {
    static final String GATE = "patient-sample";

    @Test
    void aGateIsWaitedFor() {
        Path gate = Path.of(GATE);
        while (Files.exists(gate)) Thread.onSpinWait();
        assertFalse(Files.exists(gate));
    }
}
