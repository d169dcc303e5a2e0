package tidepool.cli.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Statements on a pool: the view of transactions, the errors that end them, and that no part of an ended one is
 * applied.
 */
class ShellSessionTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    @TempDir
    Path folder;

    private ShellSession session;

    @AfterEach
    void close() {
        if (session != null) session.close();
    }

    private void open(Duration idle) {
        session = new ShellSession(url(), idle);
        run("create account (id long key, owner text(8), balance long) rows 100");
        run("put account 1 owner=Ann balance=10");
    }

    private String url() {
        return "shm:" + folder.resolve("pool") + "?memory=512k&timeout=50ms";
    }

    /** A text of the record becomes one that may lie in parts; another shell writes it meanwhile. */
    @Test
    void textOfTheRecordBecomesALongOne() {
        String url = "shm:" + folder.resolve("notes") + "?memory=4m&timeout=50ms";
        session = new ShellSession(url, LONG);
        run("create note (id long key, line varstring(150)) rows 50");
        String text = "x".repeat(150);
        run("put note 1 line=" + text);
        run("put note 2 line=short");
        try (ShellSession other = new ShellSession(url, LONG)) {
            assertEquals("note 1 line='" + text + "'", run(other, "get note 1"));
            assertEquals(
                    "altered note (line longstring[5000]); 2 records moved",
                    run("alter note widen line longstring(5000)"));
            assertEquals("note 1 line='" + text + "'", run(other, "get note 1"));
            assertEquals("updated note 2", run(other, "put note 2 line=" + "y".repeat(4_000)));
        }
        assertEquals("note 2 line='" + "y".repeat(4_000) + "'", run("get note 2"));
        assertEquals("note 1 line='" + text + "'", run("get note 1"));
    }

    @Test
    void aTransactionSeesWhatItWrote() {
        open(LONG);
        run("begin");
        assertEquals("updated account 1", run("put account 1 balance=11"));
        assertEquals("account 1 owner='Ann' balance=11", run("get account 1"));
        assertEquals("inserted account 2", run("insert account 2 balance=1"));
        assertEquals("account 2 owner='' balance=1", run("get account 2"));
        assertEquals("updated account 2", run("update account 2 owner=Bob"));
        assertEquals("the key exists: account 2; put or update changes it", refusal("insert account 2"));
        assertEquals(ShellSession.State.OPEN, session.state(), "a refused statement leaves the transaction open");
        assertEquals("committed", run("commit"));
        assertEquals("account 2 owner='Bob' balance=1", run("get account 2"));

        run("begin");
        assertEquals("deleted account 2", run("delete account 2"));
        assertEquals("no record: account 2", run("get account 2"));
        assertEquals("no record: account 2", run("delete account 2"));
        assertTrue(refusal("update account 2 balance=1").startsWith("no record to update: account 2"));
        assertEquals("inserted account 2", run("put account 2 balance=7"));
        assertEquals("account 2 owner='' balance=7", run("get account 2"));
        assertEquals("deleted account 2", run("delete account 2"));
        assertEquals("rolled back: nothing was applied", run("rollback"));
        assertEquals("account 2 owner='Bob' balance=1", run("get account 2"));
    }

    /** The first value fits, the second does not: a later commit must contain neither. */
    @Test
    void aRefusedStatementWritesNoField() {
        open(LONG);
        run("begin");
        run("update account 1 balance=11");
        assertEquals(
                "field 'owner' holds at most 8 bytes of UTF-8, not 9",
                refusal("put account 1 balance=99 owner=123456789"));
        run("commit");
        assertEquals("account 1 owner='Ann' balance=11", run("get account 1"));
    }

    @Test
    void readOnlyTransactionsWriteNothing() {
        open(LONG);
        run("begin readonly");
        assertEquals(ShellSession.State.READING, session.state());
        assertEquals("the transaction only reads: it was begun with readonly", refusal("put account 1 balance=2"));
        assertEquals("account 1 owner='Ann' balance=10", run("get account 1"));
        assertEquals("committed", run("commit"));
    }

    /** A key that is shown can be typed again. */
    @Test
    void rowsShowsWhatIsThere() {
        open(LONG);
        run("put account 2 owner='B; b'");
        run("create line (order text(12) key, digest bytes(2) key, amount long)");
        run("put line ('A 1', 0x00ff) amount=3");
        List<String> lines = new ArrayList<>(run("rows account").lines().toList());
        assertEquals("2 records", lines.removeLast());
        lines.sort(null);
        assertEquals(List.of("account 1 owner='Ann' balance=10", "account 2 owner='B; b' balance=0"), lines);
        assertEquals(
                List.of("line ('A 1', 0x00ff) amount=3", "1 record"),
                run("rows line limit 5").lines().toList());
        assertEquals(
                "1 record, and there may be more",
                run("rows account limit 1").lines().toList().getLast());
        assertEquals("limit takes a number of rows from 1 on, not '0'", refusal("rows account limit 0"));
        run("begin");
        assertEquals("rows reads outside of transactions: commit or roll back first", refusal("rows account"));
        run("rollback");
    }

    /** Statements after a lost transaction are not applied alone: they were meant to be part of it. */
    @Test
    void afterAConflictNothingMoreIsDoneUntilItIsAcknowledged() {
        open(LONG);
        try (ShellSession other = new ShellSession(url(), LONG)) {
            run(other, "begin");
            run(other, "put account 1 balance=0");
            run("begin");
            run("put account 3 balance=3");
            String lost = refusal("put account 1 balance=5");

            assertTrue(lost.startsWith("the transaction was aborted: a transaction of session "), lost);
            assertTrue(lost.endsWith("has locked what is to be written; nothing was applied; begin starts anew"), lost);
            assertEquals(ShellSession.State.ABORTED, session.state());
            assertTrue(refusal("put account 4 balance=4").startsWith("the transaction is over ("));
            assertTrue(refusal("commit").startsWith("not committed: "));
            assertEquals(ShellSession.State.NONE, session.state());
            assertEquals("no record: account 3", run("get account 3"));

            String met = refusal("put account 1 balance=5");
            assertTrue(
                    met.matches(
                            "a transaction of session \\d+ has locked what is to be written.*; nothing was applied"),
                    met);
            run(other, "rollback");
            assertEquals("updated account 1", run("put account 1 balance=5"));
        }
    }

    @Test
    void aReadThatOthersChangedIsNotCommitted() {
        open(LONG);
        try (ShellSession other = new ShellSession(url(), LONG)) {
            run("begin");
            run("get account 1");
            run(other, "put account 1 balance=0");
            run("put account 2 balance=7");
            String lost = refusal("commit");

            assertTrue(lost.matches("not committed: .* has changed what was read; nothing was applied"), lost);
            assertEquals(ShellSession.State.NONE, session.state());
            assertEquals("no record: account 2", run("get account 2"));
        }
    }

    /** Otherwise the lock of an absent user would block all other clients. */
    @Test
    void anIdleTransactionIsRolledBackAndSaysSo() throws InterruptedException {
        open(Duration.ofMillis(200));
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        session.tell(told::add);
        while (!writesInTime()) told.clear();

        assertEquals(
                "the transaction is over: nothing was typed for 200 ms, so it was rolled back; nothing was applied",
                told.poll(30, TimeUnit.SECONDS));
        assertEquals(ShellSession.State.ABORTED, session.state());
        try (ShellSession other = new ShellSession(url(), LONG)) {
            assertEquals("account 1 owner='Ann' balance=10", run(other, "get account 1"));
            assertEquals("updated account 1", run(other, "put account 1 balance=11"));
        }
        assertTrue(
                refusal("put account 2 balance=1").startsWith("the transaction is over (nothing was typed for 200 ms"));
        assertEquals("rolled back: nothing was applied", run("rollback"));
        assertEquals("account 1 owner='Ann' balance=11", run("get account 1"));
    }

    @Test
    void tablesOfOthersAreFound() {
        open(LONG);
        try (ShellSession other = new ShellSession(url(), LONG)) {
            run(other, "create later (a int)");
            assertEquals("inserted later 1", run("put later 1 a=5"));
            assertEquals(
                    "table 'later' exists: later (a int)",
                    refusal("create later (a int)"),
                    "also if it is the same one");
            assertEquals("no such table: 'latter'; did you mean 'later'?", refusal("get latter 1"));
        }
        run("begin");
        assertTrue(refusal("create another (a int)").startsWith("a table is not made inside a transaction"));
        run("rollback");
        assertTrue(
                refusal("create large (a int) rows 100000000").contains("make the pool larger: ./tidepool pool grow"));
    }

    /** Another shell knows the table as it was, and has to find the one that there is. */
    @Test
    void fieldsAreAddedDroppedAndWidened() {
        open(LONG);
        run("put account 2 owner=Bob balance=20");
        try (ShellSession other = new ShellSession(url(), LONG)) {
            assertEquals("account 2 owner='Bob' balance=20", run(other, "get account 2"));
            assertEquals(
                    "altered account (owner text(20), level int, closed instant?, state enum<NEW, PAID>);"
                            + " 2 records moved",
                    run("alter account widen owner text(20), drop balance 0, add level int 3, add closed instant?,"
                            + " add state enum<NEW, PAID> PAID"));
            assertEquals("account 2 owner='Bob' level=3 closed=null state=PAID", run("get account 2"));
            assertEquals("account 2 owner='Bob' level=3 closed=null state=PAID", run(other, "get account 2"));
            assertEquals("updated account 1", run(other, "put account 1 owner='a longer name' level=4"));
            assertEquals("account 1 owner='a longer name' level=4 closed=null state=PAID", run("get account 1"));
            run("alter account add more int 1");
            assertEquals("updated account 1", run(other, "put account 1 more=2"), "a field that was not known here");
            run(other, "begin");
            run(other, "get account 1");
            run("alter account drop more");
            assertTrue(refusal(other, "get account 1").startsWith("the transaction was aborted: "));
            run(other, "rollback");
            run(other, "begin");
            assertEquals("account 2 owner='Bob' level=3 closed=null state=PAID", run(other, "get account 2"));
        }
        assertEquals(
                "altered account (owner text(20), level int, closed instant?, state enum<NEW, PAID>); 0 records moved",
                run("alter account"),
                "without steps an earlier change goes on");
        assertEquals(
                "attribute 'level' is int, and short does not hold all of that; nothing was applied",
                refusal("alter account widen level short"));
        assertTrue(refusal("alter account drop nothing").startsWith("the table has no attribute 'nothing'"));
        assertEquals("no such table: 'acount'; did you mean 'account'?", refusal("alter acount drop level"));
        run("begin");
        assertTrue(refusal("alter account drop level").contains("outside of transactions"));
        run("rollback");
    }

    /** Records come in the order of an index, and a transaction sees what it has written there. */
    @Test
    void rangesAreScanned() {
        open(LONG);
        for (int key = 2; key <= 9; key++)
            run("put account " + key + " owner=" + (key % 2 == 0 ? "Bob" : "Cy") + " balance=" + -key);
        assertEquals(
                "table 'account' is not ordered by its key; alter account add order does that",
                refusal("scan account from 3"));
        assertEquals(
                "altered account (owner text(8), balance long); 0 records moved",
                run("alter account add order, add index by_owner (owner, balance)"));
        assertEquals(
                List.of("account 3 owner='Cy' balance=-3", "account 4 owner='Bob' balance=-4", "2 records"),
                run("scan account from 3 to 5").lines().toList());
        assertEquals(
                List.of("account 9 owner='Cy' balance=-9", "1 record, and there are more"),
                run("scan account reversed limit 1").lines().toList());
        assertEquals(List.of("7", "8", "9"), keys("scan account after 6"));
        assertEquals(List.of("8", "6", "4", "2"), keys("scan account by by_owner of Bob"));
        assertEquals(List.of("6", "8"), keys("scan account by by_owner from Bob through (Bob, -6) reversed"));
        assertEquals(List.of("4"), keys("scan account by by_owner of (Bob, -4, 4)"));
        assertEquals(List.of("1", "8", "6", "4", "2"), keys("scan account by by_owner to Cy"));
        assertEquals(List.of(), keys("scan account from 4 to 4"));
        run("begin");
        run("put account 5 owner=Bob");
        run("delete account 8");
        run("insert account 20 owner=Bob balance=1");
        assertEquals(List.of("6", "5", "4", "2", "20"), keys("scan account by by_owner of Bob"));
        assertEquals(List.of("7", "9", "20"), keys("scan account from 7"));
        run("rollback");
        assertEquals(List.of("8", "6", "4", "2"), keys("scan account by by_owner of Bob"));
    }

    /** Another session has inserted into the range: the transaction has not seen it, and is not committed. */
    @Test
    void aScanThatOthersChangedIsNotCommitted() {
        open(LONG);
        run("alter account add order");
        try (ShellSession other = new ShellSession(url(), LONG)) {
            run("begin");
            assertEquals(List.of("1"), keys("scan account"));
            run(other, "put account 7 balance=0");
            run("put account 100 balance=1");
            assertTrue(refusal("commit").startsWith("not committed: "));
            run("begin");
            assertEquals(List.of("1", "7"), keys("scan account"));
            assertEquals("committed", run("commit"));
        }
    }

    @Test
    void indexesAreDescribedAndRefused() {
        open(LONG);
        run("create line (order text(12) key, number int key, note longstring(5000), placed instant?) rows 100");
        run("alter line add index by_placed (placed, number)");
        run("put line ('A', 2) note='" + "x".repeat(3000) + "' placed=2026-01-31T12:00:00Z");
        run("put line ('B', 1) note=n");
        assertEquals(
                List.of("line ('B', 1) note='n' placed=null", "1 record"),
                run("scan line by by_placed of null").lines().toList());
        assertEquals(
                List.of("line ('A', 2) note='" + "x".repeat(3000) + "' placed=2026-01-31T12:00:00Z", "1 record"),
                run("scan line by by_placed from (2026-01-31T12:00:00Z, 2)")
                        .lines()
                        .toList());
        assertTrue(run("describe line").lines().anyMatch("index by_placed (placed, number)"::equals));
        run("alter account add unique by_owner (owner), add order");
        List<String> described = run("describe account").lines().toList();
        assertTrue(described.contains("unique by_owner (owner)"), described::toString);
        assertTrue(described.contains("ordered by the key"), described::toString);
        assertTrue(refusal("insert account 2 owner=Ann").contains("by_owner"));
        assertEquals("no record: account 2", run("get account 2"));
        assertEquals(
                "table 'account' has no index 'by_own'; did you mean 'by_owner'?", refusal("scan account by by_own"));
        assertEquals("column 'placed' is instant?, and 'today' is not", refusal("scan line by by_placed from today"));
        assertTrue(refusal("scan line by by_placed of (null, 1, A, 5)")
                .startsWith("index 'by_placed' has 3 columns with the key, [placed, number, order], not 4"));
        assertEquals(
                "altered account (owner text(8), balance long); 0 records moved",
                run("alter account drop index by_owner"));
        assertEquals("table 'account' has no index 'by_owner'; it has primary", refusal("scan account by by_owner"));
        assertEquals("inserted account 2", run("insert account 2 owner=Ann"));
    }

    /** Returns the keys of records that a statement shows, in their order. */
    private List<String> keys(String line) {
        return run(line)
                .lines()
                .filter(each -> each.startsWith("account "))
                .map(each -> each.split(" ")[1])
                .toList();
    }

    @Test
    void roundTripsAreCounted() {
        open(LONG);
        session.run(parse("get account 1"));
        ShellSession.Answer answer = session.run(parse("get account 1"));

        assertEquals(1, answer.roundTrips());
        assertEquals(0, session.run(parse("tables")).roundTrips());
        assertTrue(run("status").contains("transaction  none"));
    }

    /** A script whose second line failed must not commit its first. */
    @Test
    void inAPipeAFailedStatementEndsItsTransaction() {
        Piped piped = piped("""
                create t (a int)
                begin
                put t 1 a=1
                put t 2 a=x
                put t 3 a=3
                commit
                get t 1 2 3
                """);

        assertFalse(piped.good());
        assertEquals("""
                created t (a int) with room for 1000 records
                begun
                inserted t 1
                no record: t 1
                no record: t 2
                no record: t 3
                """, piped.out());
        assertEquals("""
                line 4: field 'a' is int: a whole number from -2147483648 to 2147483647, not 'x'
                line 5: the transaction is over (a statement of it failed; nothing was applied): type rollback,\
                 or begin to start anew
                line 6: not committed: a statement of it failed; nothing was applied
                """, piped.err());
    }

    @Test
    void inAPipeWhatWasNotCommittedIsAFailure() {
        Piped piped = piped("create t (a int); begin; put t 1 a=1\n");

        assertFalse(piped.good());
        assertEquals("the open transaction was rolled back: nothing of it was applied\n", piped.err());
        assertTrue(piped("create u (a int)\nquit\nnonsense\n").good(), "nothing is read behind quit");
        assertEquals("no record: t 1\n", piped("get t 1").out());
    }

    @Test
    void theRestOfALineThatFailedIsNotRun() {
        Piped piped = piped("create t (a int); put t 1 a=x; put t 2 a=2\nget t 2\n");

        assertTrue(piped.err().endsWith("line 1: the rest of the line was not run\n"), piped.err());
        assertTrue(piped.out().endsWith("no record: t 2\n"), piped.out());
    }

    /** On a machine that stands still for a while the transaction may be over before its first write. */
    private boolean writesInTime() {
        try {
            run("begin");
            run("put account 1 balance=99");
            return true;
        } catch (StatementException e) {
            assertEquals(ShellSession.State.ABORTED, session.state(), e.getMessage());
            return false;
        }
    }

    private record Piped(boolean good, String out, String err) {}

    private Piped piped(String input) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        boolean good = Shells.piped(url(), LONG, new StringReader(input), new PrintWriter(out), new PrintWriter(err));
        return new Piped(good, out.toString(), err.toString());
    }

    private String run(String line) {
        return run(session, line);
    }

    private static String run(ShellSession session, String line) {
        return session.run(parse(line)).text();
    }

    private String refusal(String line) {
        return refusal(session, line);
    }

    private static String refusal(ShellSession session, String line) {
        return assertThrows(StatementException.class, () -> run(session, line)).getMessage();
    }

    private static Statement parse(String line) {
        return StatementParser.parse(Lexer.statements(line).getFirst());
    }
}
