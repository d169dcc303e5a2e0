package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.function.Executable;

/** Assertions that a refusal has a message that names its cause. */
final class Refusals {
    private Refusals() {}

    static void refused(Executable act, String... mentioned) {
        String said = assertThrows(IllegalArgumentException.class, act).getMessage();
        for (String each : mentioned) assertTrue(said.contains(each), () -> "'" + each + "' is missing in: " + said);
    }
}
