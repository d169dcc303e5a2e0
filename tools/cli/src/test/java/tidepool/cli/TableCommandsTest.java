package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Nullable;

/** Tables go to files and come back; what is wrong is said with its place and with what is in the table. */
class TableCommandsTest {
    record Account(@Key long id, long balance) {}

    record Address(@Length(10) String street, int number) {}

    record Line(@Length(8) String sku, int count) {}

    record Order(
            @Key @Length(12) String customer,
            @Key int number,
            Instant placed,
            @Nullable Instant closed,
            @Length(18) BigDecimal total,
            @Nullable @Length(16) String note,
            @Nullable Address address,
            @Length(4) List<Line> lines) {}

    @TempDir
    private Path folder;

    private String pool(String name) {
        return "shm:" + folder.resolve(name) + "?nodes=2&replicas=2&memory=4m";
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    private static CommandRun table(int exitCode, String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "table";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        CommandRun run = CommandRun.of(all);
        assertEquals(exitCode, run.exitCode(), run::toString);
        return run;
    }

    private void fill(String url, int rows) {
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Account> accounts = pool.table("account", Account.class, 3_000);
            for (int id = 0; id < rows; id++) {
                Account account = new Account(id, 10L * id);
                pool.transact(tx -> accounts.insert(tx, account));
            }
        }
    }

    private static long count(String url) {
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Account> accounts = pool.table("account", Account.class);
            accounts.forEach(account -> assertEquals(10 * account.id(), account.balance()));
            return accounts.stream().count();
        }
    }

    /** A file of {@code rows} accounts; the value of one of them may be wrong. */
    private Path csv(String name, int rows, int wrong) throws IOException {
        return Files.writeString(
                file(name),
                IntStream.range(0, rows)
                        .mapToObj(id -> id + "," + (id == wrong ? "x" : 10 * id))
                        .collect(Collectors.joining("\n", "key,balance\n", "\n")));
    }

    // ---- there and back

    @ParameterizedTest
    @ValueSource(strings = {"csv", "jsonl"})
    void rowsOfAllKindsComeBack(String format) {
        Set<Order> orders = IntStream.range(0, 300)
                .mapToObj(i -> new Order(
                        "A, \"" + i % 7,
                        i,
                        Instant.ofEpochSecond(i, 1),
                        i % 2 == 0 ? null : Instant.EPOCH,
                        new BigDecimal("1.50").scaleByPowerOfTen(i % 5),
                        i % 3 == 0 ? null : i % 3 == 1 ? "" : "null",
                        i % 4 == 0 ? null : new Address("x\n", i),
                        i % 5 == 0 ? List.of() : List.of(new Line("s", i), new Line("", 0))))
                .collect(Collectors.toSet());
        try (Tidepool pool = Tidepool.open(pool("a"))) {
            Table<Order> table = pool.table("orders", Order.class);
            orders.forEach(order -> pool.transact(tx -> table.insert(tx, order)));
        }
        Path file = file("orders." + format);
        CommandRun export = table(0, "export", pool("a"), "orders", file.toString());
        assertTrue(export.err().startsWith("exported 300 rows of table orders in "), export::toString);
        CommandRun back = table(0, "import", pool("b"), "orders", file.toString(), "--create", "1000");
        assertTrue(back.out().startsWith("imported 300 rows into table orders, in "), back::toString);
        try (Tidepool pool = Tidepool.open(pool("b"))) {
            assertEquals(orders, pool.table("orders", Order.class).stream().collect(Collectors.toSet()));
        }
    }

    @ParameterizedTest
    @CsvSource({"ford,no snapshot", "motor,one snapshot", "farmv2,one snapshot", "hdtx,no snapshot"})
    void anExportSaysWhetherItIsASnapshot(String protocol, String said) {
        String url = pool("pool") + "&protocol=" + protocol;
        fill(url, 10);
        CommandRun run = table(0, "export", url, "account", file("a.csv").toString());
        assertTrue(run.err().contains(said), run::toString);
        CommandRun perPage = table(0, "export", url, "account", file("b.csv").toString(), "--per-page");
        assertTrue(perPage.err().contains("no snapshot"), perPage::toString);
    }

    @Test
    void anExportWithoutTypesIsForOtherPrograms() throws IOException {
        fill(pool("pool"), 2);
        table(0, "export", pool("pool"), "account", file("a.csv").toString(), "--no-types");
        assertEquals(Set.of("key,balance", "0,0", "1,10"), Set.copyOf(Files.readAllLines(file("a.csv"))));
        table(0, "export", pool("pool"), "account", file("a.jsonl").toString(), "--no-types");
        assertEquals(
                Set.of("{\"key\":0,\"balance\":0}", "{\"key\":1,\"balance\":10}"),
                Set.copyOf(Files.readAllLines(file("a.jsonl"))));
    }

    @Test
    void nothingIsOverwritten() throws IOException {
        fill(pool("pool"), 2);
        Files.writeString(file("a.csv"), "mine");
        CommandRun run =
                table(1, "export", pool("pool"), "account", file("a.csv").toString());
        assertTrue(run.err().contains("exists, and nothing is overwritten"), run::toString);
        assertEquals("mine", Files.readString(file("a.csv")));
        assertFalse(Files.exists(file("a.csv.part")));
    }

    // ---- imports that end early

    @Test
    void aBadRowIsCorrectedAndTheImportResumed() throws IOException {
        fill(pool("pool"), 0);
        Path file = csv("a.csv", 1_000, 700);
        CommandRun bad = table(1, "import", pool("pool"), "account", file.toString(), "--batch", "100");
        assertEquals(
                "tidepool: " + file + ", line 702, column 5: field 'balance' is long: a whole number from"
                        + " -9223372036854775808 to 9223372036854775807, not 'x'; the first 700 rows of the file are in"
                        + " the table, and no later one; correct the file and add --resume",
                bad.err().strip());
        assertEquals(700, count(pool("pool")));
        csv("a.csv", 1_000, -1);
        CommandRun good = table(0, "import", pool("pool"), "account", file.toString(), "--resume");
        assertTrue(
                good.out().startsWith("imported 300 rows into table account, after 700 that were there, in "),
                good::toString);
        assertEquals(1_000, count(pool("pool")));
        CommandRun again = table(0, "import", pool("pool"), "account", file.toString(), "--resume");
        assertTrue(again.out().startsWith("imported 0 rows into table account, after 1,000"), again::toString);
        Path other = csv("b.csv", 1_200, 50);
        Files.writeString(other, Files.readString(other).replace("50,x", "50,1"));
        CommandRun others = table(1, "import", pool("pool"), "account", other.toString(), "--resume");
        assertTrue(
                others.err().contains("the first rows are not those of the load that is to be resumed"),
                others::toString);
        assertEquals(1_000, count(pool("pool")));
    }

    @Test
    void duplicatesAreRefusedSkippedOrReplaced() throws IOException {
        fill(pool("pool"), 0);
        table(0, "import", pool("pool"), "account", csv("a.csv", 300, -1).toString());
        Path more = csv("b.csv", 500, -1);
        CommandRun refused = table(1, "import", pool("pool"), "account", more.toString());
        assertTrue(
                refused.err().contains("b.csv, line 2: the key exists: table=account key=0 row=1 rowsLoaded=0; no row"),
                refused::toString);
        CommandRun skipped = table(0, "import", pool("pool"), "account", more.toString(), "--duplicates", "skip");
        assertTrue(skipped.out().contains("500 rows into table account, of which 300 existed and were skipped"));
        CommandRun replaced = table(0, "import", pool("pool"), "account", more.toString(), "--duplicates", "replace");
        assertTrue(replaced.out().contains("of which 500 existed and were replaced"), replaced::toString);
        assertEquals(500, count(pool("pool")));
    }

    @Test
    void aCheckWritesNothing() throws IOException {
        fill(pool("pool"), 0);
        Path file = csv("a.csv", 20, -1);
        CommandRun run = table(0, "import", pool("pool"), "account", file.toString(), "--check");
        assertEquals(
                file + ": all 20 rows fit table account; nothing was written",
                run.out().strip());
        assertEquals(0, count(pool("pool")));
        CommandRun bad =
                table(1, "import", pool("pool"), "account", csv("b.csv", 20, 7).toString(), "--check");
        assertTrue(bad.err().contains("b.csv, line 9, column 3"), bad::toString);
    }

    @Test
    void aFileOfAnotherTableIsRefused() throws IOException {
        fill(pool("pool"), 3);
        table(0, "export", pool("pool"), "account", file("a.csv").toString());
        try (Tidepool pool = Tidepool.open(pool("pool"))) {
            pool.table("orders", Order.class);
        }
        CommandRun run =
                table(1, "import", pool("pool"), "orders", file("a.csv").toString());
        assertTrue(
                run.err()
                        .contains("the file has other columns than table orders: the difference is at 'key:long key';"
                                + " file: key:long key, balance:long; table: customer:string[12] key, number:int key"),
                run::toString);
    }

    @Test
    void whatIsNotUnderstoodIsSaid() throws IOException {
        fill(pool("pool"), 1);
        assertTrue(table(1, "export", pool("pool"), "acount", file("a.csv").toString())
                .err()
                .contains("no such table: 'acount'; did you mean 'account'?"));
        assertTrue(table(2, "export", pool("pool"), "account", file("a.txt").toString())
                .err()
                .contains("give --format csv or jsonl"));
        assertTrue(table(2, "export", pool("pool"), "account", file("a.txt").toString(), "--format", "xml")
                .err()
                .contains("--format takes csv or jsonl, not 'xml'"));
        assertTrue(table(1, "import", pool("pool"), "account", file("none.csv").toString())
                .err()
                .contains("the file cannot be read"));
        assertTrue(table(2, "import", pool("pool"), "account", file("none.csv").toString(), "--duplicates", "keep")
                .err()
                .contains("--duplicates takes refuse, skip, replace, not 'keep'"));
        Files.writeString(file("plain.csv"), "key,balance\n1,2\n");
        assertTrue(table(1, "import", pool("pool"), "other", file("plain.csv").toString(), "--create", "10")
                .err()
                .contains("a table is made for columns with types"));
        assertTrue(table(2).err().contains("ay what to do: list, describe, count"));
    }
}
