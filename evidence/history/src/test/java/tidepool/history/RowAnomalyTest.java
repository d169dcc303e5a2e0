package tidepool.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static tidepool.history.Level.SERIALIZABILITY;
import static tidepool.history.Level.SNAPSHOT_ISOLATION;

import org.junit.jupiter.api.Test;

/** Each kind of anomaly on rows that come and go, and the same history without it. */
class RowAnomalyTest extends AnomalyContract {
    /** A row from its first insert to its second life, next to another one in the same bucket. */
    private static Script life() {
        return Script.rows()
                .run("n 1 in 7 at null; n 2 in 7 at null")
                .run("i 1 10 in 7 over null")
                .run("r 1 10; n 2 in 7 at 10; i 2 11 in 7 over 10")
                .run("w 1 12 over 10")
                .run("d 1 13 over 12 in 7 over 11")
                .run("n 1 in 7 at 13; r 2 11");
    }

    @Test
    void rowsThatComeAndGoInOrderAreClean() {
        assertClean(life());
        assertClean(
                life().run("i 1 14 in 7 over 13; d 2 14 over 11 in 7 over 13").run("r 1 14; n 2 in 7 at 14"));
    }

    @Test
    void twoThatReplaceTheSameVersionAreLostUpdate() {
        assertOnly(AnomalyKind.LOST_UPDATE, null, life().overlap("w 2 20 over 11", "w 2 21 over 11"));

        assertClean(life().overlap("w 2 20 over 11", "w 2 21 over 20"));
    }

    /** Two inserts of one key that do not meet each other in their bucket. */
    @Test
    void twoThatReplaceTheSameVersionOfABucketAreLostUpdate() {
        assertFound(AnomalyKind.LOST_UPDATE, null, life().overlap("i 1 20 in 7 over 13", "i 1 21 in 7 over 13"));
    }

    @Test
    void writeSkewIsG2AndLeavesSnapshotIsolation() {
        Script start = Script.rows().run("i 1 1 in 7 over null; i 2 1 in 8 over null");
        assertOnly(
                AnomalyKind.G2_ITEM, SNAPSHOT_ISOLATION, start.overlap("r 1 1; w 2 10 over 1", "r 2 1; w 1 11 over 1"));
    }

    /** Each looks for the other's row, finds nothing, and inserts its own: no record was read at all. */
    @Test
    void phantomByNotFoundIsWriteSkew() {
        assertOnly(
                AnomalyKind.G2_ITEM,
                SNAPSHOT_ISOLATION,
                Script.rows()
                        .overlap("n 1 in 7 at null; i 2 10 in 8 over null", "n 2 in 8 at null; i 1 11 in 7 over null"));

        assertClean(Script.rows().overlap("n 1 in 7 at null; i 2 10 in 8 over null", "r 2 10; i 1 11 in 7 over null"));
    }

    @Test
    void versionOfAbortedTransactionIsG1a() {
        assertOnly(AnomalyKind.G1A, null, life().failed("w 2 20 over 11").run("r 2 20"));
        assertOnly(
                AnomalyKind.DIRTY_UPDATE, null, life().failed("w 2 20 over 11").run("w 2 21 over 20"));
        // Its insert is not visible, but the bucket shows that a transaction changed it.
        assertOnly(AnomalyKind.G1A, null, life().failed("i 1 20 in 7 over 13").run("n 1 in 7 at 20"));

        assertClean(life().failed("w 2 20 over 11").run("r 2 11"));
    }

    @Test
    void versionThatWasNeverWrittenIsGarbage() {
        assertOnly(AnomalyKind.GARBAGE_READ, null, life().run("r 2 -1"));
        assertOnly(AnomalyKind.GARBAGE_READ, null, life().run("n 1 in 7 at 99"));
        assertFound(AnomalyKind.GARBAGE_READ, null, life().run("r 1 13")); // the version of its removal
    }

    /** The index lost the row: its bucket is at a version at which it was there. */
    @Test
    void rowThatIsNotFoundWhereItIsIsMissed() {
        assertOnly(AnomalyKind.MISSED_KEY, null, life().run("n 2 in 7 at 13"));

        assertClean(life().run("n 1 in 7 at 13; r 2 11"));
    }

    @Test
    void insertOfARowThatIsThereIsMissed() {
        assertOnly(AnomalyKind.MISSED_KEY, null, life().run("i 2 20 in 7 over 13"));

        assertClean(life().run("i 1 20 in 7 over 13"));
    }

    /** The row was removed, and a transaction that began later finds its earlier version. */
    @Test
    void rowThatComesBackFromTheDeadIsStale() {
        assertOnly(AnomalyKind.G_SINGLE_REALTIME, SERIALIZABILITY, life().run("r 1 12"));
        assertFound(AnomalyKind.LOST_UPDATE, null, life().run("w 1 20 over 12"));
        // The same observer saw the bucket without it.
        assertFound(AnomalyKind.G_SINGLE, null, life().run("n 3 in 7 at 13; r 1 12"));
    }

    @Test
    void staleNotFoundIsAViolationOfRealTime() {
        assertOnly(AnomalyKind.G_SINGLE_REALTIME, SERIALIZABILITY, life().run("n 1 in 7 at null"));
        assertFound(
                AnomalyKind.G_SINGLE_REALTIME,
                SERIALIZABILITY,
                Script.rows().run("i 1 10 in 7 over null").run("n 1 in 7 at null"));
    }

    @Test
    void staleVersionIsAViolationOfRealTime() {
        assertOnly(
                AnomalyKind.G_SINGLE_REALTIME,
                SERIALIZABILITY,
                life().run("w 2 20 over 11").run("r 2 11"));
    }

    @Test
    void readSkewOverARemovalIsGSingle() {
        assertFound(
                AnomalyKind.G_SINGLE,
                null,
                life().overlap("d 2 20 over 11 in 7 over 13; i 3 20 in 8 over null", "r 2 11; r 3 20"));

        assertClean(life().overlap("d 2 20 over 11 in 7 over 13; i 3 20 in 8 over null", "r 2 11; n 3 in 8 at null"));
        assertClean(life().overlap("d 2 20 over 11 in 7 over 13; i 3 20 in 8 over null", "n 2 in 7 at 20; r 3 20"));
    }

    @Test
    void twoLooksAtABucketMustAgree() {
        assertFound(AnomalyKind.INTERNAL, null, life().run("n 1 in 7 at 13; n 3 in 7 at 11"));
        assertFound(AnomalyKind.INTERNAL, null, life().run("r 2 11; n 2 in 7 at 13"));
    }

    /** Its reads and writes were recorded before it committed, so the checker knows them without its outcome. */
    @Test
    void unknownTransactionThatWasSeenCountsWholly() {
        String unknown = "r 2 11; i 1 20 in 7 over 13; i 3 20 in 8 over null";
        assertClean(life().unknown(unknown));
        assertClean(life().unknown(unknown).run("r 1 20; r 3 20"));
        assertClean(life().unknown(unknown).run("n 1 in 7 at 13; n 3 in 8 at null"));
        assertFound(AnomalyKind.G_SINGLE, null, life().unknown(unknown).run("r 1 20; n 3 in 8 at null"));
        assertFound(
                AnomalyKind.G_SINGLE_REALTIME,
                SERIALIZABILITY,
                life().unknown(unknown).run("r 1 20").run("n 3 in 8 at null"));
        // Its reads count as well: it saw version 11, and so comes before 21.
        assertFound(
                AnomalyKind.G_SINGLE,
                null,
                life().overlap("w 2 21 over 11; i 4 21 in 9 over null")
                        .unknown("r 2 11; r 4 21; w 4 22 over 21")
                        .run("r 4 22"));
    }

    /** Key 2 has moved to bucket 8, and key 1 is absent: its bucket is 8 from now on, too. */
    private static Script split() {
        return life().run("s 7 30 over 13 to 8 over null");
    }

    @Test
    void rowsThatMoveKeepTheirVersions() {
        assertClean(split().run("r 2 11; n 1 in 8 at 30; n 3 in 7 at 30"));
        assertClean(
                split().run("w 2 31 over 11").run("i 1 32 in 8 over 30; r 2 31").run("d 2 33 over 31 in 8 over 32"));
        assertClean(split().run("s 8 40 over 30 to 9 over null")
                .run("s 7 41 over 30 to 10 over null")
                .run("i 1 42 in 9 over 40; i 4 42 in 10 over 41")
                .run("n 5 in 9 at 42; r 1 42; r 2 11"));
        assertClean(life().overlap("s 7 30 over 13 to 8 over null", "r 2 11; n 1 in 7 at 13")); // before the split
        assertClean(life().unknown("s 7 30 over 13 to 8 over null").run("n 1 in 8 at 30; r 2 11"));
        assertClean(life().unknown("s 7 30 over 13 to 8 over null").run("n 1 in 7 at 13; r 2 11"));
        assertClean(life().failed("s 7 30 over 13 to 8 over null").run("i 3 31 in 7 over 13"));
    }

    /** A row that a split has not moved, or has lost, is not found in its new bucket. */
    @Test
    void rowThatASplitLosesIsMissed() {
        assertOnly(AnomalyKind.MISSED_KEY, null, split().run("n 2 in 8 at 30"));
        assertFound(AnomalyKind.MISSED_KEY, null, split().run("i 2 31 in 8 over 30"));
        assertFound(
                AnomalyKind.MISSED_KEY,
                null,
                split().run("s 8 40 over 30 to 9 over null").run("n 2 in 9 at 40"));
    }

    /** A lookup that does not know of the split takes the old bucket for that of the key. */
    @Test
    void rowThatIsNotFoundInItsFormerBucketIsMissed() {
        assertOnly(AnomalyKind.MISSED_KEY, null, split().run("n 2 in 7 at 30"));
        assertFound(
                AnomalyKind.G_SINGLE_REALTIME,
                SERIALIZABILITY,
                split().run("i 1 31 in 8 over 30").run("n 1 in 7 at 30"));
    }

    @Test
    void changesThatDoNotMeetASplitAreLostUpdates() {
        assertFound(AnomalyKind.LOST_UPDATE, null, split().run("i 3 31 in 7 over 13"));
        assertFound(AnomalyKind.LOST_UPDATE, null, split().run("s 7 31 over 13 to 9 over null"));
        assertFound(
                AnomalyKind.G1A,
                null,
                life().failed("s 7 30 over 13 to 8 over null").run("n 1 in 8 at 30"));
        assertFound(AnomalyKind.GARBAGE_READ, null, life().run("n 1 in 8 at 30"));
    }

    /** No order of buckets can be derived: what splits have made is judged without the rows that were there before. */
    @Test
    void splitsThatMakeEachOtherAreRefuted() {
        assertFound(
                AnomalyKind.GARBAGE_READ,
                null,
                Script.rows().run("s 7 30 over 99 to 8 over 98").run("s 8 40 over 30 to 7 over 30"));
    }

    @Test
    void storyNamesSplits() {
        String story = split().run("n 2 in 8 at 30").check().report();

        assertTrue(story.contains("T14 did not find key 2 in bucket 8 at version 30; but before that T4"), story);
        story = split().run("s 7 31 over 13 to 9 over null").check().report();
        assertTrue(story.contains("s bucket 9 31 over null split from bucket 7"), story);
        HistoryFormatTest.assertRefused(
                1,
                "a split has two buckets, not bucket 7 twice",
                "{\"index\":0,\"process\":1,\"type\":\"invoke\",\"value\":[[\"s\",5,7,null,7,null]]}\n");
    }

    @Test
    void storyNamesRowsAndBuckets() {
        String story = life().run("n 1 in 7 at null").check().report();

        assertTrue(story.contains("11 operations on 2 keys"), story);
        assertTrue(story.contains("(line 13, process 106, ok at line 14): n 1 in bucket 7, never written"), story);
        assertTrue(story.contains("(line 3, process 101, ok at line 4): i 1 10 in bucket 7"), story);
        assertTrue(
                story.contains("T12 saw bucket 7, never written, and did not see that T2 changed bucket 7 to"), story);

        story = life().run("n 2 in 7 at 13").check().report();
        assertTrue(
                story.contains("T12 did not find key 2 in bucket 7 at version 13; but before that T4 inserted"), story);
    }

    @Test
    void okWithoutValueNeedsAnInvocationThatSaysEverything() {
        String told = "{\"index\":0,\"process\":1,\"type\":\"invoke\",\"value\":[[\"n\",1,7,null],[\"w\",2,5]]}\n"
                + "{\"index\":1,\"process\":1,\"type\":\"ok\"}\n";
        assertEquals(1, Script.check(told).counts().ok());

        HistoryFormatTest.assertRefused(
                2, "an ok needs a \"value\"", told.replace("[\"n\",1,7,null]", "[\"r\",1,null]"));
    }
}
