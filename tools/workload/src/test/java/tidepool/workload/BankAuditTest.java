package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.workload.TellerBook.Change;

/** The balances decide whether a killed teller's doubtful transaction happened, wholly or not at all. */
class BankAuditTest {
    @TempDir
    Path folder;

    @Test
    void doubtThatHappenedIsTaken() {
        BankAudit audit = settle(new long[] {0, -5, 5, 0}, List.of(List.of(new Change(1, -5), new Change(2, 5))));

        assertTrue(audit.holds());
        assertEquals(1, audit.doubtsThatHappened());
    }

    @Test
    void doubtThatDidNotHappenIsLeft() {
        BankAudit audit = settle(new long[4], List.of(List.of(new Change(1, -5), new Change(2, 5))));

        assertTrue(audit.holds());
        assertEquals(0, audit.doubtsThatHappened());
    }

    /** Recovery must never leave half a transfer. */
    @Test
    void halfOfADoubtIsWrong() {
        assertFalse(settle(new long[] {0, -5, 0, 0}, List.of(List.of(new Change(1, -5), new Change(2, 5))))
                .holds());
    }

    @Test
    void doubtsThatShareAnAccountAreSettledTogether() {
        List<List<Change>> doubts = List.of(
                List.of(new Change(0, 3), new Change(1, -3)),
                List.of(new Change(1, -4), new Change(2, 4)),
                List.of(new Change(2, 7)));
        BankAudit audit = settle(new long[] {3, -3, 7, 0}, doubts);

        assertTrue(audit.holds(), audit.wrong().toString());
        assertEquals(2, audit.doubtsThatHappened());
    }

    /** Killed between the answer and the totals: the reader of the book copies the entry. */
    @Test
    void bookOfAKilledTellerIsCompleted() {
        Path file = folder.resolve("book");
        try (TellerBook book = TellerBook.open(file, 4)) {
            book.begin();
            book.note(2, 50);
            book.intend();
        }
        try (TellerBook read = TellerBook.open(file, 4)) {
            assertEquals(List.of(new Change(2, 50)), read.doubt());
            assertEquals(0, read.totals()[2]);
        }
        try (TellerBook book = TellerBook.open(file, 4)) {
            book.begin();
            book.note(2, 50);
            book.intend();
            book.happened();
            book.begin();
            book.note(2, 7);
            book.intend();
            assertEquals(50, book.totals()[2]);
            assertEquals(List.of(new Change(2, 7)), book.doubt());
        }
    }

    private static BankAudit settle(long[] missing, List<List<Change>> doubts) {
        return BankAudit.settle(new long[missing.length], missing, doubts, missing.length / 2);
    }
}
