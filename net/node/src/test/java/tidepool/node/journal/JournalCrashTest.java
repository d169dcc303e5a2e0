package tidepool.node.journal;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.node.journal.SimulatedDisk.Loss;
import tidepool.node.journal.SimulatedDisk.PowerLost;

/** Losses of power at every operation on the disk: of the journal, of new segments, of checkpoints, of the start. */
class JournalCrashTest {
    private static final long SEED = 42;

    @ParameterizedTest
    @EnumSource(JournalScript.Kind.class)
    void nothingForcedIsLostWhereverThePowerGoes(JournalScript.Kind kind) throws IOException {
        int operations = wholeRun(kind).log().size();
        assertTrue(operations > 100, "the script does something: " + operations);
        Random random = new Random(SEED);
        for (int at = 0; at <= operations; at++)
            for (boolean halfDone : new boolean[] {false, true}) {
                SimulatedDisk disk = new SimulatedDisk();
                disk.failAt(at, halfDone);
                try (JournalScript script = new JournalScript(disk, kind, SEED)) {
                    runUntilLost(script);
                    for (Loss loss : Loss.values())
                        for (int i = 0; i < (loss == Loss.ANYTHING ? 4 : 1); i++)
                            script.assertKept(
                                    disk.afterLoss(loss, random),
                                    "at operation " + at + (halfDone ? " half done" : "") + ", lost " + loss);
                }
            }
    }

    /** A start that is interrupted is repeated until it succeeds. Its effects happen once. */
    @ParameterizedTest
    @EnumSource(JournalScript.Kind.class)
    void theStartItselfMayBeCutOffAnywhere(JournalScript.Kind kind) throws IOException {
        SimulatedDisk disk = new SimulatedDisk();
        int operations = wholeRun(kind).log().size();
        disk.failAt(operations - 3, true);
        try (JournalScript script = new JournalScript(disk, kind, SEED)) {
            runUntilLost(script);
            Random random = new Random(SEED);
            SimulatedDisk left = disk.afterLoss(Loss.ANYTHING, random);
            script.assertKept(left, "before any start");
            int of = starts(left.copy(), kind);
            for (int at = 0; at < of; at++) {
                SimulatedDisk again = left.copy();
                again.failAt(at, true);
                try {
                    start(again, kind);
                } catch (PowerLost e) {
                    // The power was lost, as planned.
                }
                for (Loss loss : Loss.values()) {
                    SimulatedDisk after = again.afterLoss(loss, random);
                    start(after, kind);
                    try (NodeImage image = new NodeImage(1L << 30)) {
                        JournalRecovery found = JournalRecovery.read(after, image);
                        assertTrue(!found.isShort(), "cut off at " + at + ": " + found.shortage());
                        assertTrue(found.sequence() > script.forced, "cut off at " + at + ", lost " + loss);
                    }
                }
            }
        }
    }

    private static int starts(SimulatedDisk disk, JournalScript.Kind kind) throws IOException {
        start(disk, kind);
        return disk.log().size();
    }

    private static void start(SimulatedDisk disk, JournalScript.Kind kind) throws IOException {
        try (NodeImage image = new NodeImage(1L << 30)) {
            new JournalStart(disk, kind.options, image, () -> JournalScript.NODE)
                    .writer()
                    .close();
        }
    }

    private static SimulatedDisk wholeRun(JournalScript.Kind kind) throws IOException {
        SimulatedDisk disk = new SimulatedDisk();
        try (JournalScript script = new JournalScript(disk, kind, SEED)) {
            script.run();
            script.assertKept(disk.afterLoss(Loss.EVERYTHING, new Random(0)), "at the end");
        }
        return disk;
    }

    private static void runUntilLost(JournalScript script) throws IOException {
        try {
            script.run();
        } catch (PowerLost e) {
            // The power was lost, as planned.
        }
    }
}
