package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Words;
import tidepool.clusters.ClusterFailure;
import tidepool.evidence.motor.MotorBug;
import tidepool.fabric.FabricException;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * A read of one key alone, and a writer that dies between two verbs of that read, at each of its own verbs. If the
 * writer is undone, the reader has not returned what it wrote.
 */
class UndoneWriterTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final long KEY = 0;

    /** Bounds of a search for a planted bug: verbs of the reader and of the writer. */
    private static final int READER_VERBS = 8;

    private static final int WRITER_VERBS = 40;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "farmv2", "drtmh", "motor", "motor?isolation=snapshot", "hdtx"})
    void nothingThatIsUndoneWasRead(String protocol) {
        Supplier<Protocol> fresh = () -> Protocols.named(protocol);
        int points = 0;
        int undone = 0;
        for (long reader = 0; ; reader++) {
            Point point = Point.READ;
            for (long writer = 0; point == Point.READ || point == Point.UNDONE_AND_READ; writer++) {
                point = play(fresh, reader, writer);
                points++;
                if (point == Point.UNDONE_AND_READ) undone++;
            }
            if (point == Point.READER_ENDED) break;
        }
        System.out.println(
                protocol + ": " + points + " points, " + undone + " with a reader of an undone writer's row");
        assertTrue(undone > 0, "no reader read a row whose writer was undone");
    }

    @Test
    void aVersionBelievedBecauseItsLockWasFreeIsFound() {
        MotorBug bug = MotorBug.NEWEST_READ_AFTER_ITS_LOCK;
        Supplier<Stream<String>> all =
                () -> IntStream.range(0, READER_VERBS).boxed().flatMap(reader -> IntStream.range(0, WRITER_VERBS)
                        .mapToObj(writer -> reader + " " + writer));
        PlantedSeeds.isCaught("undone-writer/" + bug, PlantedTrials.of(all, trial -> {
            String[] words = trial.split(" ");
            play(bug, Long.parseLong(words[0]), Long.parseLong(words[1]));
        }));
    }

    /** The outcome at one point. */
    private enum Point {
        /** The reader ended before its verb. */
        READER_ENDED,
        /** The writer ended before its verb. */
        WRITER_ENDED,
        READ,
        /** The reader committed, and later the writer was undone. */
        UNDONE_AND_READ
    }

    /**
     * @param reader verbs of the reader before the writer begins
     * @param writer verbs of the writer before it dies
     */
    private static Point play(Supplier<Protocol> protocol, long reader, long writer) {
        try (RecoveryStage stage = new RecoveryStage(protocol.get())) {
            boolean[] died = new boolean[1];
            Session readers = stage.fabric.attach();
            Coordinator reading = stage.coordinator(readers);
            stage.get(reading, KEY); // knows the address, as a reader that has been at work
            stage.fabric.beforeVerb(readers.number(), reader, () -> {
                stage.fabric.cutAt(stage.session.number(), writer, false);
                write(stage);
                died[0] = stage.fabric.disarm();
            });
            Txn txn = reading.begin();
            int access = txn.read(stage.table, KEY);
            boolean isRead = txn.commit() == Outcome.COMMITTED;
            long read = isRead ? Words.plain(txn.memory(), txn.value(access)) : 0;
            if (stage.fabric.disarm() && !died[0]) return Point.WRITER_ENDED;
            if (!died[0]) return Point.READER_ENDED;

            stage.recover();
            long left = stage.get(stage.another(), KEY);
            if (read > left)
                throw new ClusterFailure("a read returned " + read + ", and the row has " + left + ": the reader had "
                        + reader + " verbs before the writer, which died after " + writer);
            return isRead && left == 0 ? Point.UNDONE_AND_READ : Point.READ;
        }
    }

    private static void write(RecoveryStage stage) {
        try {
            stage.adds(stage.client, 1, KEY).commit();
        } catch (FabricException e) {
            // as planned
        }
    }
}
