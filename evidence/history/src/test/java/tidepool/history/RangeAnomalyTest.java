package tidepool.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static tidepool.history.Level.SERIALIZABILITY;
import static tidepool.history.Level.SNAPSHOT_ISOLATION;

import org.junit.jupiter.api.Test;

/**
 * Range reads that miss rows, return rows that are gone, or saw them come and go: each anomaly, and none without it.
 */
class RangeAnomalyTest extends AnomalyContract {
    /** Rows 1, 5 and 9, each in a bucket of its own, and by a transaction of its own. */
    private static Script rows() {
        return Script.rows()
                .run("i 1 10 in 1 over null")
                .run("i 5 10 in 5 over null")
                .run("i 9 10 in 9 over null");
    }

    @Test
    void rangesThatReturnWhatIsThereAreClean() {
        assertClean(rows().run("range 0 1 9 up - 1:10 5:10 9:10")
                .run("range 0 2 9 down - 9:10 5:10")
                .run("range 0 - - up 2 1:10 5:10")
                .run("range 0 - - down 1 9:-")
                .run("range 0 6 8 up -")
                .run("d 5 11 over 10 in 5 over 10; range 0 1 9 up - 1:10 9:10")
                .run("i 5 12 in 5 over 11; range 0 4 6 up - 5:12")
                .run("range 0 1 9 up 0"));
    }

    /** Each reads the range of the other, finds nothing, and inserts into its own: no row was read at all. */
    @Test
    void twoThatScanAndInsertIntoEachOthersRangeAreG2() {
        assertOnly(
                AnomalyKind.G2,
                SNAPSHOT_ISOLATION,
                Script.rows()
                        .overlap(
                                "range 0 1 9 up -; i 12 20 in 1 over null",
                                "range 0 11 19 up -; i 2 21 in 2 over null"));

        assertClean(Script.rows()
                .overlap(
                        "range 0 1 9 up -; i 12 20 in 1 over null", "range 0 11 19 up - 12:20; i 2 21 in 2 over null"));
        // The rows lie outside of the ranges.
        assertClean(Script.rows()
                .overlap("range 0 1 9 up -; i 10 20 in 1 over null", "range 0 11 19 up -; i 20 21 in 2 over null"));
    }

    /** What was asked is known before, what was seen only at the end. */
    @Test
    void rangesOfRegistersAreReadAtTheEnd() {
        assertOnly(
                AnomalyKind.G2,
                SNAPSHOT_ISOLATION,
                new Script().overlap("range 0 1 9 up -; w 12 20 over null", "range 0 11 19 up -; w 2 21 over null"));
        assertOnly(
                AnomalyKind.G_SINGLE_REALTIME,
                SERIALIZABILITY,
                new Script().run("w 12 20 over null").run("range 0 11 19 up -"));

        assertClean(new Script().run("w 12 20 over null").run("range 0 11 19 up - 12:20"));
    }

    /** Read skew: of a transaction that inserts two rows, the range has one. */
    @Test
    void halfOfAnInsertIsReadSkew() {
        assertOnly(
                AnomalyKind.G_SINGLE,
                null,
                rows().overlap("i 2 20 in 2 over null; i 3 20 in 3 over null", "range 0 1 4 up - 1:10 2:20"));
        assertOnly(
                AnomalyKind.G_SINGLE,
                null,
                rows().overlap(
                                "i 2 20 in 2 over null; i 3 20 in 3 over null",
                                "range 0 1 2 up - 1:10 2:20; range 0 3 4 up -"));

        assertClean(rows().overlap("i 2 20 in 2 over null; i 3 20 in 3 over null", "range 0 1 4 up - 1:10 2:20 3:20"));
    }

    @Test
    void rowThatARangeMissesIsAViolationOfRealTime() {
        Verdict verdict =
                assertOnly(AnomalyKind.G_SINGLE_REALTIME, SERIALIZABILITY, rows().run("range 0 1 9 up - 1:10 9:10"));
        assertTrue(verdict.report().contains("read the range the order of keys from 1 through 9"), verdict.report());
        assertOnly(AnomalyKind.G_SINGLE_REALTIME, SERIALIZABILITY, rows().run("range 0 - - down 2 9:10 1:10"));

        assertClean(rows().run("range 0 - - down 2 9:10 5:10"));
    }

    /** The row comes and goes: only real time shows in which of its absences the range was read. */
    @Test
    void rowThatIsMissedBetweenTwoAbsencesIsAViolationOfRealTime() {
        Script life = rows().run("range 0 1 9 up - 1:10 9:10").run("d 5 11 over 10 in 5 over 10");
        assertOnly(AnomalyKind.G_SINGLE_REALTIME, SERIALIZABILITY, life);

        assertClean(rows().overlap("range 0 1 9 up - 1:10 9:10", "d 5 11 over 10 in 5 over 10"));
        // Without the clock, it may have been read before the insert or after the removal.
        assertEquals(SERIALIZABILITY, life.check().strongest().orElseThrow());
    }

    /** The removal comes before the read, because the insert did, and the read comes before what the removal saw. */
    @Test
    void removalThatWasSeenIsOrderedByRealTime() {
        assertOnly(
                AnomalyKind.G_SINGLE_REALTIME,
                SERIALIZABILITY,
                rows().overlap("r 1 10; d 5 11 over 10 in 5 over 10; w 1 11 over 10", "r 1 10; range 0 2 9 up - 9:10"));

        assertClean(
                rows().overlap("r 1 10; d 5 11 over 10 in 5 over 10; w 1 11 over 10", "r 1 11; range 0 2 9 up - 9:10"));
    }

    /** The read comes before the insert, because the removal of the row began later. */
    @Test
    void insertThatWasNotSeenIsOrderedByRealTime() {
        Script script = rows();
        int insert = script.invoke("i 6 11 in 6 over null; w 1 11 over 10");
        int read = script.invoke("r 1 11; range 0 6 6 up -");
        assertOnly(
                AnomalyKind.G_SINGLE_REALTIME,
                SERIALIZABILITY,
                script.ok(insert).ok(read).run("d 6 12 over 11 in 6 over 11"));
    }

    @Test
    void rowThatWasRemovedAndIsReturnedIsStale() {
        Script removed = rows().run("d 5 11 over 10 in 5 over 10");
        assertOnly(AnomalyKind.G_SINGLE_REALTIME, SERIALIZABILITY, removed.run("range 0 1 9 up - 1:10 5:10 9:10"));
        assertOnly(
                AnomalyKind.G_SINGLE_REALTIME,
                SERIALIZABILITY,
                rows().run("d 5 11 over 10 in 5 over 10").run("range 0 1 9 up - 1:10 5:- 9:10"));

        assertClean(rows().run("d 5 11 over 10 in 5 over 10").run("range 0 1 9 up - 1:10 9:10"));
    }

    /** A range that has reached its limit says nothing of what comes after its last row. */
    @Test
    void limitsEndARange() {
        assertClean(rows().run("range 0 1 9 up 1 1:10"));
        assertClean(rows().run("range 0 1 9 down 1 9:10"));

        // It returned fewer rows than it may, so all of the range was read.
        assertOnly(AnomalyKind.G_SINGLE_REALTIME, SERIALIZABILITY, rows().run("range 0 1 9 up 2 1:10"));
        assertOnly(AnomalyKind.G_SINGLE_REALTIME, SERIALIZABILITY, rows().run("range 0 1 9 down 2 1:10"));
        // Before the last row, nothing may be missing.
        assertOnly(AnomalyKind.G_SINGLE_REALTIME, SERIALIZABILITY, rows().run("range 0 1 9 down 1 5:10"));
    }

    @Test
    void rowsInAnotherOrderOrOutsideAreInternal() {
        assertOnly(AnomalyKind.INTERNAL, null, rows().run("range 0 1 9 up - 5:10 1:10 9:10"));
        assertOnly(AnomalyKind.INTERNAL, null, rows().run("range 0 1 9 down - 5:10 9:10 1:10"));
        assertOnly(AnomalyKind.INTERNAL, null, rows().run("range 0 1 4 up - 1:10 5:10"));
        assertOnly(AnomalyKind.INTERNAL, null, rows().run("range 0 1 9 up 1 1:10 5:10"));
    }

    @Test
    void ownWritesAreSeen() {
        assertClean(rows().run("d 5 11 over 10 in 5 over 10; i 6 11 in 6 over null; range 0 1 9 up - 1:10 6:11 9:10"));

        assertOnly(AnomalyKind.INTERNAL, null, rows().run("i 6 11 in 6 over null; range 0 6 9 up - 9:10"));
        assertFound(AnomalyKind.INTERNAL, null, rows().run("d 5 11 over 10 in 5 over 10; range 0 2 9 up - 5:10 9:10"));
        assertOnly(AnomalyKind.INTERNAL, null, rows().run("d 5 11 over 10 in 5 over 10; range 0 2 9 up - 5:- 9:10"));
        // What it writes later, it does not see yet.
        assertClean(rows().run("range 0 2 9 up - 5:10 9:10; d 5 11 over 10 in 5 over 10; i 6 11 in 6 over null"));
    }

    @Test
    void versionsOfRowsOfARangeAreReads() {
        assertOnly(AnomalyKind.GARBAGE_READ, null, rows().run("range 0 1 9 up - 1:99 5:10 9:10"));
        assertOnly(AnomalyKind.G1A, null, rows().failed("w 5 20 over 10").run("range 0 1 9 up - 1:10 5:20 9:10"));
        assertOnly(
                AnomalyKind.G_SINGLE,
                null,
                rows().overlap("w 1 20 over 10; w 5 20 over 10", "range 0 1 5 up - 1:20 5:10"));
        // An unknown outcome of which a range shows a row has happened.
        assertFound(
                AnomalyKind.G_SINGLE,
                null,
                rows().unknown("w 1 20 over 10; w 5 20 over 10").run("range 0 1 5 up - 1:20 5:10"));
    }

    /** Whether the removal took effect is not known, so a range without the row may be right. */
    @Test
    void unknownRemovalsExcuse() {
        assertClean(rows().unknown("d 5 11 over 10 in 5 over 10").run("range 0 1 9 up - 1:10 9:10"));
        assertClean(rows().unknown("i 6 11 in 6 over null").run("range 0 6 6 up - 6:-"));

        assertOnly(AnomalyKind.GARBAGE_READ, null, rows().run("range 0 6 6 up - 6:-"));
    }

    // ---- other indexes

    /** Rows 1, 2, 3 at positions 10, 20, 30 of index 1; row 4 is not in it. */
    private static Script indexed() {
        return Script.rows()
                .run("i 1 10 in 1 over null; at 1 1 10; i 2 10 in 2 over null; at 2 1 20; "
                        + "i 3 10 in 3 over null; at 3 1 30; "
                        + "i 4 10 in 4 over null");
    }

    @Test
    void rowsMoveInAnIndex() {
        assertClean(indexed()
                .run("range 1 - - up - 1:10:10 2:10:20 3:10:30")
                .run("w 2 11 over 10; at 2 1 40; range 1 15 - up - 3:10:30 2:11:40")
                .run("range 1 15 - down - 2:-:40 3:-:30")
                .run("w 4 12 over 10; at 4 1 30; w 2 12 over 11")
                .run("range 1 30 30 down - 4:12:30 3:10:30"));

        assertOnly(
                AnomalyKind.G_SINGLE_REALTIME,
                SERIALIZABILITY,
                indexed().run("w 2 11 over 10; at 2 1 40").run("range 1 15 25 up - 2:10:20"));
        assertOnly(
                AnomalyKind.G_SINGLE_REALTIME,
                SERIALIZABILITY,
                indexed().run("w 2 11 over 10; at 2 1 40").run("range 1 15 25 up - 2:-:20"));
        assertOnly(
                AnomalyKind.G_SINGLE_REALTIME,
                SERIALIZABILITY,
                indexed().run("w 2 11 over 10; at 2 1 40").run("range 1 35 - up -"));
    }

    /** A row that moves from the end of the range to its beginning, or out of one range into another. */
    @Test
    void rowThatMovesWhileTwoRangesAreReadIsMissedByBoth() {
        assertOnly(
                AnomalyKind.G_SINGLE,
                null,
                indexed()
                        .overlap(
                                "w 2 11 over 10; at 2 1 40; w 3 11 over 10; at 3 1 30",
                                "range 1 15 35 up - 3:11:30; range 1 36 - up -"));
        // No other row shows the order, but once it was there, the row was at one of its two positions.
        assertOnly(
                AnomalyKind.G_SINGLE_REALTIME,
                SERIALIZABILITY,
                indexed().overlap("w 2 11 over 10; at 2 1 40", "range 1 15 25 up -; range 1 36 - up -"));

        assertClean(indexed().overlap("w 2 11 over 10; at 2 1 40", "range 1 15 25 up - 2:10:20; range 1 36 - up -"));
    }

    /** The entry alone shows that the row was moved, and so that the other write had happened. */
    @Test
    void entryThatWasMovedIsAReadOfTheMove() {
        assertOnly(
                AnomalyKind.G_SINGLE,
                null,
                indexed().overlap("w 2 11 over 10; at 2 1 40; w 4 11 over 10", "range 1 35 - up - 2:-:40; r 4 10"));

        assertClean(indexed().overlap("w 2 11 over 10; at 2 1 40; w 4 11 over 10", "range 1 35 - up - 2:-:40; r 4 11"));
    }

    @Test
    void movesIntoEachOthersRangesAreG2() {
        assertOnly(
                AnomalyKind.G2,
                SNAPSHOT_ISOLATION,
                indexed()
                        .overlap(
                                "range 1 50 59 up -; w 1 11 over 10; at 1 1 60",
                                "range 1 60 69 up -; w 2 12 over 10; at 2 1 50"));
    }

    @Test
    void entryThatDiffersFromItsRowIsGarbage() {
        assertOnly(AnomalyKind.GARBAGE_READ, null, indexed().run("range 1 15 25 up - 2:10:21"));
        assertOnly(AnomalyKind.GARBAGE_READ, null, indexed().run("range 1 15 25 up - 2:10:20 4:-:22"));
        assertOnly(AnomalyKind.GARBAGE_READ, null, indexed().run("range 1 15 25 up - 2:10:20 4:10:22"));
    }

    /** Rows at one position are in the order of their keys, and a limit may end among them. */
    @Test
    void limitsEndAmongRowsAtOnePosition() {
        Script same = Script.rows()
                .run("i 1 10 in 1 over null; at 1 1 7")
                .run("i 2 10 in 2 over null; at 2 1 7")
                .run("i 3 10 in 3 over null; at 3 1 7");
        assertClean(same.run("range 1 7 7 up 2 1:10:7 2:10:7").run("range 1 7 7 down 1 3:-:7"));

        assertOnly(AnomalyKind.G_SINGLE_REALTIME, SERIALIZABILITY, same.run("range 1 7 7 up 2 1:10:7 3:10:7"));
    }
}
