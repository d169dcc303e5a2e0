package tidepool.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Coroutine;
import tidepool.testkit.ChildProcess;

/** A failure is useful only if its seed repeats it. */
class DeterminismTest {

    @Test
    void theSameSeedGivesTheSameTrace() {
        Coverage coverage = new Coverage();
        for (long seed = 1; seed <= 20; seed++)
            assertEquals(
                    DeterminismMain.trace(seed, Coroutine.Kind.CONTINUATION, coverage),
                    DeterminismMain.trace(seed, Coroutine.Kind.CONTINUATION, coverage));
        coverage.require(
                CoveragePoint.REORDERED_PAIR,
                CoveragePoint.FENCE_WAITED,
                CoveragePoint.TORN_READ_OVERLAPPED_WRITE,
                CoveragePoint.TIMED_OUT,
                CoveragePoint.CONNECTION_BROKEN,
                CoveragePoint.LATE_LANDING,
                CoveragePoint.STRAND_CRASHED,
                CoveragePoint.MACHINE_CRASHED,
                CoveragePoint.NODE_RESTARTED,
                CoveragePoint.LINE_LOST,
                CoveragePoint.BURST);
    }

    @Test
    void bothKindsOfStrandGiveTheSameTrace() {
        for (long seed = 1; seed <= 20; seed++)
            assertEquals(
                    DeterminismMain.trace(seed, Coroutine.Kind.CONTINUATION, new Coverage()),
                    DeterminismMain.trace(seed, Coroutine.Kind.THREAD, new Coverage()),
                    "seed " + seed);
    }

    @Test
    void anotherSeedGivesAnotherTrace() {
        assertNotEquals(
                DeterminismMain.run(1, Coroutine.Kind.CONTINUATION),
                DeterminismMain.run(2, Coroutine.Kind.CONTINUATION));
    }

    @Test
    void aFreshProcessGivesTheSameTrace() {
        for (Coroutine.Kind kind : Coroutine.Kind.values())
            assertEquals(
                    Long.toHexString(DeterminismMain.run(5, Coroutine.Kind.CONTINUATION)), inAFreshProcess(5, kind));
    }

    private static String inAFreshProcess(long seed, Coroutine.Kind kind) {
        List<String> options = List.of(
                "--add-exports",
                "java.base/jdk.internal.vm=ALL-UNNAMED",
                "-XX:+UseSerialGC", // another collector and another heap: nothing may depend on them
                "-Xmx256m");
        try (ChildProcess process = ChildProcess.jvm(options, DeterminismMain.class, Long.toString(seed), kind.name())
                .merged()
                .start()) {
            String output = process.rest().strip();
            assertEquals(0, process.exitCode(), output);
            return output.lines().reduce((first, second) -> second).orElse("");
        }
    }
}
