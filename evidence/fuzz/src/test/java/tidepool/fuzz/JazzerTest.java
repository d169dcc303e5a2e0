package tidepool.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fuzzer itself runs on this JDK, and finds nothing in a short run. */
@Tag("full")
class JazzerTest {
    /** Bounded by inputs and not by time: a slow machine takes longer and runs the same inputs. */
    private static final String BOUND = "-runs=60000";

    private static final Duration LIMIT = Duration.ofMinutes(10);

    @TempDir
    private Path work;

    @Test
    void aShortRunOverAllTargetsFindsNothing() throws Exception {
        assertEquals(0, FuzzMain.run("all", BOUND, LIMIT, Path.of("corpus"), work));
    }
}
