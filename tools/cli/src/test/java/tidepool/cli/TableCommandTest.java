package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.KeyRange;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.workload.QuiescentPoolCheck;

/** The commands on tables do what they say, and refuse the rest with a sentence. */
class TableCommandTest {
    public record Account(@Key long id, long balance) {}

    public record Note(
            @Key long id, long level, @Length(150) String text) {}

    @TempDir
    Path folder;

    private String url;

    @BeforeEach
    void make() {
        url = "shm:" + folder.resolve("bank") + "?memory=1m";
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Account> accounts = pool.table("accounts", Account.class);
            pool.transact(tx -> {
                for (long id = 0; id < 30; id++) accounts.put(tx, new Account(id, id));
            });
            pool.table("other", Account.class, 50);
        }
    }

    private String good(String... words) {
        CommandRun run = run(words);
        assertEquals(0, run.exitCode(), run.err());
        return run.out().trim();
    }

    private CommandRun run(String... words) {
        String[] all = new String[words.length + 2];
        all[0] = "table";
        all[1] = words[0];
        all[2] = url;
        System.arraycopy(words, 1, all, 3, words.length - 1);
        return CommandRun.of(all);
    }

    @Test
    void tablesAreListedCountedAndDescribed() {
        String[] lines = good("list").split("\\R");
        assertEquals(3, lines.length);
        assertTrue(lines[1].matches("accounts +30 +\\d+ +\\d+"), lines[1]);
        assertTrue(lines[2].matches("other +0 +\\d+ +\\d+"), lines[2]);
        assertTrue(good("list", "--no-rows").contains("-"));
        assertEquals("30", good("count", "accounts"));
        assertTrue(good("describe", "accounts").startsWith("accounts(balance:long)"));
    }

    @Test
    void tablesAreRenamedEmptiedAndDropped() {
        assertEquals("table accounts is now people", good("rename", "accounts", "people"));
        assertEquals("30", good("count", "people"));
        assertEquals("table people is empty", good("truncate", "people", "--yes"));
        assertEquals("0", good("count", "people"));
        assertEquals("table people is gone", good("drop", "people", "--yes"));
        assertEquals(2, good("list").split("\\R").length);
    }

    @Test
    void attributesAreRenamed() {
        assertEquals("table accounts is altered", good("alter", "accounts", "accounts(amount:long)"));
        assertTrue(good("describe", "accounts").startsWith("accounts(amount:long)"));
        assertEquals("30", good("count", "accounts"));
        CommandRun other = run("alter", "accounts", "accounts(amount:int)");
        assertEquals(1, other.exitCode());
        assertTrue(other.err().contains("attribute 0 is amount:long, not amount:int"), other.err());
        assertEquals(2, run("alter", "accounts", "accounts").exitCode());
    }

    @Test
    void attributesAreAddedWidenedAndDropped() {
        assertEquals(
                "table accounts is altered: moved=30",
                good("alter", "accounts", "--add", "level int 3", "--add", "note varstring[20]? it's new"));
        assertTrue(
                good("describe", "accounts").contains("level:int='3', note:varstring[20]?='it''s new'"),
                good("describe", "accounts"));
        assertEquals("30", good("count", "accounts"));
        assertEquals(
                "table accounts is altered: moved=30",
                good("alter", "accounts", "--widen", "level long", "--drop", "note ''"));
        assertTrue(good("describe", "accounts").contains("level:long='3'; note:varstring[20]?='')"));
        assertEquals("table accounts is altered: moved=0", good("alter", "accounts"));
        url = "shm:" + folder.resolve("notes") + "?memory=4m";
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Note> notes = pool.table("accounts", Note.class, 50);
            pool.transact(tx -> notes.put(tx, new Note(1, 2, "x".repeat(120))));
        }
        assertEquals(
                "table accounts is altered: moved=1",
                good("alter", "accounts", "--widen", "text longstring[1000]"),
                "a text with room in the row becomes a long one");
        assertTrue(good("describe", "accounts").startsWith("accounts(level:long, text:longstring[1000])"));
        CommandRun narrow = run("alter", "accounts", "--widen", "level int");
        assertEquals(2, narrow.exitCode());
        assertTrue(narrow.err().contains("int does not hold all of that"), narrow.err());
        CommandRun few = run("alter", "accounts", "--add", "level");
        assertTrue(few.err().contains("--add takes 2 or 3 words, as in 'level int 3', not 'level'"), few.err());
        assertEquals(1, run("alter", "accounts", "a(b:int)", "--drop", "level").exitCode());
    }

    @Test
    void indexesAreAddedAndDropped() {
        assertEquals(
                "table accounts is altered: moved=0 indexes=primary,by_balance,balance",
                good(
                        "alter",
                        "accounts",
                        "--add-order",
                        "--add-index",
                        "by_balance=balance, key",
                        "--add-unique",
                        "balance=balance"));
        String described = good("describe", "accounts");
        assertTrue(
                described.startsWith("accounts(balance:long) index primary#1() index by_balance#2(balance, key)"
                        + " unique balance#3(balance)"),
                described);
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Account> accounts = pool.table("accounts", Account.class);
            pool.transact(tx -> accounts.put(tx, new Account(-1, 1_000)));
            assertEquals(
                    List.of(new Account(-1, 1_000), new Account(29, 29)), pool.read(tx -> accounts.index("by_balance")
                            .scan(tx, KeyRange.from(29L))
                            .reversed()
                            .toList()));
            assertEquals(
                    new Account(-1, 1_000),
                    pool.read(tx -> accounts.scan(tx, KeyRange.all()).limit(1).toList())
                            .getFirst());
            assertEquals(List.of(), QuiescentPoolCheck.of(pool).problems());
        }
        assertEquals(
                "table accounts is altered: moved=31 indexes=primary,balance",
                good("alter", "accounts", "--drop-index", "by_balance", "--add", "level int 3"));
        assertEquals(
                "table accounts is altered: moved=0 indexes=none",
                good("alter", "accounts", "--drop-index", "primary", "--drop-index", "balance"));
        assertTrue(good("describe", "accounts")
                .startsWith("accounts(balance:long, level:int='3')" + System.lineSeparator()));
    }

    /** An index that cannot be made leaves the table as it was. */
    @Test
    void indexesThatCannotBeAreRefused() {
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Account> accounts = pool.table("accounts", Account.class);
            pool.transact(tx -> accounts.put(tx, new Account(100, 7)));
        }
        assertRefused(1, "was not made, because two rows have the same values", "--add-unique", "balance=balance");
        assertRefused(2, "column 'owner', which is neither an attribute nor a part", "--add-index", "x=owner");
        assertRefused(2, "not a name of an index", "--add-index", "9x=balance");
        assertRefused(2, "has a column twice", "--add-index", "x=balance,balance");
        assertRefused(2, "has no index 'x'; its indexes are []", "--drop-index", "x");
        String form = "--add-index takes NAME=COLUMN,..., as in by_owner=owner,balance, not '";
        for (String wrong : List.of("x", "x=", "=balance")) assertRefused(1, form + wrong + "'", "--add-index", wrong);
        assertRefused(1, "a change is a schema or options, not both", "accounts(balance:long)", "--add-order");
        assertTrue(good("describe", "accounts").startsWith("accounts(balance:long)" + System.lineSeparator()));
    }

    private void assertRefused(int exitCode, String sentence, String... options) {
        String[] words = new String[options.length + 2];
        words[0] = "alter";
        words[1] = "accounts";
        System.arraycopy(options, 0, words, 2, options.length);
        CommandRun run = run(words);
        assertTrue(run.err().contains(sentence), run::toString);
        assertEquals(exitCode, run.exitCode(), run.err());
    }

    @Test
    void whatCannotBeDoneIsSaid() {
        CommandRun careless = run("drop", "accounts");
        assertEquals(2, careless.exitCode());
        assertEquals(
                "tidepool: drop ends table accounts with all its rows, and nothing brings them back: add --yes",
                careless.err().trim());
        assertEquals("30", good("count", "accounts"));
        CommandRun unknown = run("drop", "acounts", "--yes");
        assertEquals(1, unknown.exitCode());
        assertTrue(unknown.err().contains("no such table: table=acounts; known: accounts, other"), unknown.err());
        assertTrue(run("rename", "accounts", "other").err().contains("there is a table other"));
    }
}
