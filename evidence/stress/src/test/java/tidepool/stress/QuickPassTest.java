package tidepool.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tidepool.testkit.Effort;

/** A short run of every jcstress test. The long one is a campaign, see docs/evidence/stress.md. */
@Tag("process")
class QuickPassTest {
    private static final int MILLIS = Effort.of(100, 400, 1_000);

    /** Asserts that no outcome is forbidden by the contract, and that every test did run. */
    @Test
    void nothingForbiddenIsSeen() throws Exception {
        Subprocess pass = Subprocess.stress(null, MILLIS, 1, "tidepool.stress");

        System.out.print(pass.output());
        assertEquals(Subprocess.OK, pass.exit(), pass.output());
    }
}
