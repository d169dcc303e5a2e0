package tidepool.history;

import static tidepool.history.Level.SERIALIZABILITY;
import static tidepool.history.Level.SNAPSHOT_ISOLATION;

import org.junit.jupiter.api.Test;

/** Each kind of anomaly on registers with versions, and the same history without it. */
class RegisterAnomalyTest extends AnomalyContract {
    @Test
    void insertsUpdatesAndDeletesInOrderAreClean() {
        assertClean(new Script()
                .run("r 1 null; w 1 10 over null")
                .run("r 1 10; w 1 11 over 10; r 1 11")
                .run("d 1 12 over 11")
                .run("r 1 12")
                .run("w 1 13 over 12; w 1 14")
                .run("r 1 14"));
    }

    @Test
    void writeCycleIsG0() {
        Script twoWriters =
                new Script().overlap("w 1 10 over null; w 2 10 over 11", "w 1 11 over 10; w 2 11 over null");
        assertOnly(AnomalyKind.G0, null, twoWriters);

        assertClean(new Script().overlap("w 1 10 over null; w 2 10 over null", "w 1 11 over 10; w 2 11 over 10"));
    }

    @Test
    void versionOfFailedTransactionIsG1a() {
        assertOnly(AnomalyKind.G1A, null, new Script().failed("w 1 10").run("r 1 10"));

        assertClean(new Script().failed("w 1 10").run("r 1 null"));
    }

    @Test
    void versionThatWasNotTheLastIsG1b() {
        assertFound(AnomalyKind.G1B, null, new Script().overlap("w 1 10 over null; w 1 11", "r 1 10"));

        assertClean(new Script().overlap("w 1 10 over null; w 1 11", "r 1 11"));
    }

    @Test
    void twoThatReadFromEachOtherAreG1c() {
        assertOnly(AnomalyKind.G1C, null, new Script().overlap("w 1 10; r 2 20", "w 2 20; r 1 10"));

        assertClean(new Script().overlap("w 1 10; r 2 null", "w 2 20; r 1 10"));
    }

    @Test
    void halfOfAnotherTransactionIsReadSkew() {
        assertOnly(
                AnomalyKind.G_SINGLE,
                null,
                new Script().overlap("w 1 10 over null; w 2 20 over null", "r 1 10; r 2 null"));

        assertClean(new Script().overlap("w 1 10 over null; w 2 20 over null", "r 1 10; r 2 20"));
    }

    /** Blind writes, whose predecessor is not in the history, still come after "never existed". */
    @Test
    void readSkewIsFoundWithBlindWrites() {
        assertOnly(AnomalyKind.G_SINGLE, null, new Script().overlap("w 1 10; w 2 20", "r 1 10; r 2 null"));
    }

    @Test
    void longForkIsGNonadjacent() {
        assertOnly(
                AnomalyKind.G_NONADJACENT,
                null,
                new Script().overlap("w 1 10 over null", "w 2 20 over null", "r 1 10; r 2 null", "r 1 null; r 2 20"));
    }

    @Test
    void writeSkewIsG2AndLeavesSnapshotIsolation() {
        assertOnly(
                AnomalyKind.G2_ITEM,
                SNAPSHOT_ISOLATION,
                new Script().overlap("r 1 null; w 2 20 over null", "r 2 null; w 1 10 over null"));

        assertClean(new Script().overlap("r 1 null; w 2 20 over null", "r 2 20; w 1 10 over null"));
    }

    @Test
    void twoThatReplaceTheSameVersionAreLostUpdate() {
        Script start = new Script().run("w 1 10 over null");
        assertFound(AnomalyKind.LOST_UPDATE, null, start.overlap("w 1 11 over 10", "w 1 12 over 10"));
        assertFound(
                AnomalyKind.LOST_UPDATE, null, new Script().run("w 1 10").overlap("r 1 10; w 1 11", "r 1 10; w 1 12"));

        assertClean(new Script().run("w 1 10 over null").overlap("w 1 11 over 10", "w 1 12 over 11"));
    }

    @Test
    void writeOverFailedVersionIsDirtyUpdate() {
        assertOnly(AnomalyKind.DIRTY_UPDATE, null, new Script().failed("w 1 10").run("w 1 11 over 10"));

        assertClean(new Script().failed("w 1 10").run("w 1 11 over null"));
    }

    /** The write follows the version that its own transaction read: that is no cycle with itself. */
    @Test
    void dirtyUpdateByAReaderIsNothingElse() {
        assertOnly(AnomalyKind.DIRTY_UPDATE, null, new Script().failed("w 1 10").run("r 1 null; w 1 11 over 10"));
    }

    @Test
    void ownVersionThatIsNotSeenIsInternal() {
        assertFound(
                AnomalyKind.INTERNAL, null, new Script().run("w 1 10 over null").run("w 1 11 over 10; r 1 10"));

        assertClean(new Script().run("w 1 10 over null").run("w 1 11 over 10; r 1 11"));
    }

    @Test
    void versionThatWasNeverWrittenIsGarbage() {
        assertOnly(AnomalyKind.GARBAGE_READ, null, new Script().run("r 1 99"));
        assertOnly(AnomalyKind.GARBAGE_READ, null, new Script().run("w 1 10 over 99"));
    }

    @Test
    void acknowledgedWriteMissingFromLaterReadIsLostWrite() {
        assertFound(
                AnomalyKind.LOST_WRITE,
                SERIALIZABILITY,
                new Script().run("w 1 10").run("r 1 null"));

        assertClean(new Script().run("w 1 10").run("r 1 10"));
    }

    @Test
    void staleVersionIsGSingleInRealTime() {
        Script script =
                new Script().run("w 1 10 over null").run("w 1 11 over 10").run("r 1 10");
        assertOnly(AnomalyKind.G_SINGLE_REALTIME, SERIALIZABILITY, script);
    }

    @Test
    void unknownTransactionSeenInPartIsHalfApplied() {
        assertFound(
                AnomalyKind.HALF_APPLIED,
                SERIALIZABILITY,
                new Script().unknown("w 1 10; w 2 20").run("r 1 10").run("r 2 null"));

        assertClean(new Script().unknown("w 1 10; w 2 20").run("r 1 10").run("r 2 20"));
    }

    /** A record that comes back from the dead: the tombstone was seen, and later the version below it. */
    @Test
    void readBelowTombstoneIsStale() {
        Script resurrected = new Script()
                .run("w 1 10 over null")
                .run("d 1 11 over 10")
                .run("r 1 11")
                .run("r 1 10");
        assertFound(AnomalyKind.G_SINGLE_REALTIME, SERIALIZABILITY, resurrected);

        assertClean(new Script()
                .run("w 1 10 over null")
                .run("d 1 11 over 10")
                .run("r 1 11")
                .run("r 1 11"));
    }

    /**
     * A read that does not tell a deleted key from one that never existed proves nothing, unless no transaction
     * deletes.
     */
    @Test
    void absenceIsInitialOnlyWithoutDeletes() {
        assertClean(new Script().run("w 1 10 over null").run("d 1 11 over 10").run("r 1 absent"));
        assertFound(
                AnomalyKind.G_SINGLE_REALTIME,
                SERIALIZABILITY,
                new Script().run("w 1 10 over null").run("r 1 absent"));
    }

    /** No transaction read the version, but a write that replaced it shows that it was there. */
    @Test
    void unknownTransactionIsSeenByWhoReplacedIt() {
        assertClean(new Script().unknown("w 1 10; w 2 20").run("w 1 11 over 10").run("r 1 11"));
        assertFound(
                AnomalyKind.G_SINGLE_REALTIME,
                SERIALIZABILITY,
                new Script().unknown("w 1 10; w 2 20").run("w 1 11 over 10").run("r 2 null"));
    }
}
