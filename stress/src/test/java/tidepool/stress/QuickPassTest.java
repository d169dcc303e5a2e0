package tidepool.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** A short run of every jcstress test. The long one is a campaign, see docs/stress.md. */
class QuickPassTest {
    private static final int MILLIS = Integer.getInteger("tidepool.stress.millis", 400);

    /** No outcome that the contract forbids, and every test did run. */
    @Test
    void nothingForbiddenIsSeen() throws Exception {
        Subprocess pass = Subprocess.stress(null, MILLIS, 1, "tidepool.stress");

        System.out.print(pass.output());
        assertEquals(Subprocess.OK, pass.exit(), pass.output());
    }
}
