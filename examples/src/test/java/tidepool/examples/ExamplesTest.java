package tidepool.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.examples.shop.Shop;
import tidepool.fabric.Fabric;
import tidepool.schema.RecordCodec;
import tidepool.schema.Schema;
import tidepool.spi.BackupImage;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.testkit.ChildProcess;
import tidepool.testkit.SourceTree;

/** Every example runs and prints what it promises; the README and the guide show their code. */
class ExamplesTest {
    /** The declaration of a public type of the top level. */
    private static final Pattern OFFERED =
            Pattern.compile("(?m)^public (?:final |abstract |sealed )*(?:class|@?interface|record|enum) ");

    /** Public for other modules of the engine; users meet none of them. */
    private static final Set<String> BETWEEN_ROOMS = Set.of("AssembledRow.java", "RowImage.java");

    /** Tests that show what a page shows. */
    private static final Pattern SHOWN = Pattern.compile("\\w+Page(?:Test|Blocks)\\.java|OneLogTest\\.java");

    @TempDir
    Path folder;

    @Test
    void bankTransferMovesMoney() {
        assertEquals("Account[id=42, balance=5]\n", output(BankTransfer::main, new String[0]));
    }

    /** A second run finds the pool of the first. */
    @Test
    void bankTransferRunsOnSharedMemory() {
        String url = "shm:" + folder.resolve("bank") + "?nodes=3&replicas=2&memory=1m";

        for (int i = 0; i < 2; i++)
            assertEquals("Account[id=42, balance=5]\n", output(BankTransfer::main, new String[] {url}));
    }

    @Test
    void countersCountEveryThread() {
        String printed = output(CounterExample::main, new String[0]);
        assertTrue(printed.startsWith("200 transactions on 10 counters, "), printed);
    }

    @Test
    void fieldTransfersKeepTheMoney() {
        assertEquals("40000 transfers, 1000 in 10 accounts\n", output(FieldTransfers::main, new String[0]));
    }

    @Test
    void urgentOrdersAreServedToo() {
        assertEquals("Item[id=7, stock=800, urgent=10]\n", output(UrgentOrders::main, new String[0]));
    }

    @Test
    void theShopOfTheTutorialSells() {
        assertEquals(
                "2 orders, turnover 21.00\nStock[sku=tea, available=8, reserved=0]\n6400 characters about tea\n",
                output(Shop::main, new String[0]));
    }

    /** An application is started without any options for the JVM, and nothing is complained about. */
    @Test
    void noFlagsAreNeeded() {
        for (String url : List.of("mem:", "shm:" + folder.resolve("flagless") + "?nodes=2&memory=1m")) {
            try (ChildProcess process = ChildProcess.jvm(List.of(), BankTransfer.class, url)
                    .merged()
                    .start()) {
                String printed = process.rest();
                assertEquals(0, process.exitCode(), printed);
                assertEquals("Account[id=42, balance=5]\n", printed);
            }
        }
    }

    /** The guide shows its blocks without the program around them. */
    @Test
    void guideBlocksRun() throws IOException {
        assertEquals("Account[id=17, owner=Ann Lee, balance=100]\n", output(GuideBlocks::start, "mem:"));
        assertEquals(8, GuideBlocks.district(GuideBlocks.key(1, 8, 3)));
        Path orders = Files.writeString(folder.resolve("orders"), "1\n2\n");
        try (Tidepool pool = Tidepool.open("mem:")) {
            GuideBlocks blocks = new GuideBlocks(pool);
            pool.transact(tx -> pool.table("accounts", GuideBlocks.Account.class)
                    .put(tx, new GuideBlocks.Account(17, "Ann Lee", 100)));
            blocks.deposit(10);
            blocks.pay(orders);
            blocks.report(tx -> {});
            String line = "Line[order=A-1009, number=3, amount=250]";
            assertEquals("[" + line + ", null]\ntrue\n", output(GuideBlocks::lines, pool));
            assertEquals(
                    "12.50 [Line[article=7, count=2]] 1970-01-01 Money[cents=1250]\n", output(TypeBlocks::types, pool));
            assertEquals("2 1\n", output(GuideBlocks::sequences, pool));
            Table<GuideBlocks.Account> accounts = pool.table("accounts", GuideBlocks.Account.class);
            long before = accounts.stream().count();
            List<GuideBlocks.Account> more = List.of(new GuideBlocks.Account(171, "Bob", 5));
            GuideBlocks.load(pool, accounts, more, accounts.handle());
            assertEquals(before + 2, accounts.stream().count());
            assertEquals("107 Counter[page=4, hits=1]\n", output(blocks::count, 4L));
            assertEquals("107 Counter[page=4, hits=2]\n", output(blocks::count, 4L));
        }
    }

    @Test
    void javadocBlocksRun() throws IOException {
        try (Tidepool pool = Tidepool.open("mem:")) {
            JavadocBlocks.table(pool);
            JavadocBlocks blocks = new JavadocBlocks(pool);
            blocks.load(Files.writeString(folder.resolve("account"), "7\n"));
            assertEquals("100\n", output(each -> each.transactions(), blocks));
            assertEquals("account 17 is taken\n", output(each -> each.taken(), blocks));
            assertEquals("", output(each -> each.missing(), blocks));
            assertEquals("", output(each -> each.conflicts(), blocks));
            assertEquals("", output(each -> each.failed(), blocks));
            assertEquals(107, blocks.pages());
            blocks.listeners();
            blocks.tooLarge(LongStream.range(0, 1000).toArray());
            assertTrue(output(each -> each.counts(), blocks).endsWith(" recoveries=0\ntrue\n"));
            assertEquals(
                    "1\n", output(each -> each.numbers(pool.table("orders", JavadocBlocks.Order.class), 4), blocks));
            assertEquals(2, output(each -> each.lost(), blocks).lines().count());
            assertEquals(
                    2,
                    blocks
                            .balances(pool.table("accounts", JavadocBlocks.Account.class)
                                    .handle())
                            .stream()
                            .count());
            List<JavadocBlocks.Account> more =
                    List.of(new JavadocBlocks.Account(60, 1), new JavadocBlocks.Account(61, 2));
            assertEquals(110, blocks.load(more));
            blocks.write(pool.table("accounts", JavadocBlocks.Account.class).handle());
            assertEquals(210, blocks.pages());
            pool.transact(
                    tx -> pool.table("accounts", JavadocBlocks.Account.class).delete(tx, 18));
            assertEquals("there is no account 18\n", output(each -> each.missing(), blocks));
        }
        Tidepool pool = Tidepool.open("mem:");
        JavadocBlocks blocks = new JavadocBlocks(pool);
        pool.close();
        assertEquals("another thread has closed the pool\n", output(each -> each.closed(), blocks));
    }

    @Test
    void theBlockOfBackupsRuns() throws IOException {
        Path file = folder.resolve("accounts.backup");
        try (Fabric one = Fabric.open("mem:?nodes=1")) {
            try (Tidepool pool = PoolAccess.open(one, new PoolOptions("ford", 1, 2, 64 * 1024, 8, 4096))) {
                JavadocBlocks.table(pool);
            }
            BackupImage.write(one, 7, file);
        }
        String url = "shm:" + folder.resolve("restored") + "?nodes=2&replicas=2";
        assertEquals("1 of 1\n", output(each -> restore(file, each), url));
        Files.writeString(file, "no backup");
        String complaint = output(each -> check(each), file);
        assertTrue(complaint.startsWith(file + " cannot be used: "), complaint);
    }

    private static void check(Path file) {
        try {
            JavadocBlocks.checked(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void restore(Path file, String url) {
        try {
            JavadocBlocks.restored(file, url);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void schemaBlocksRun() {
        try (Tidepool pool = Tidepool.open("mem:")) {
            assertEquals("""
                    true
                    owner:string[16] has 16 bytes
                    balance
                    owner
                    10
                    [long, string[16]?, list<uuid>[4], enum<NEW, PAID>?]
                    7 9
                    8
                    Account[id=17, balance=100, owner=Ann Lee]
                    95
                    1970-01-01T00:00:00Z
                    Line[order=A-1009, number=3, amount=250]
                    1
                    5 5
                    short
                    item(price:codec<money/1>[8])
                    """, output(SchemaBlocks::run, pool));
        }
    }

    /** What the blocks about versions of a schema say is what happens. */
    @Test
    void blocksOfSchemaChangesRun() {
        try (Tidepool pool = Tidepool.open("mem:")) {
            Table<SchemaBlocks.FormerAccount> former = pool.table("accounts", SchemaBlocks.FormerAccount.class);
            pool.transact(tx -> former.put(tx, new SchemaBlocks.FormerAccount(17, 100, "x")));
            SchemaBlocks.change(pool);
            assertEquals(
                    "accounts(balance:long, level:int='3')",
                    pool.table("accounts").schema().toString());
            pool.drop("accounts");
            pool.table("accounts", GuideBlocks.FormerAccount.class);
            GuideBlocks.addAttributes(pool);
            assertEquals(
                    "accounts(balance:long, level:int='3')",
                    pool.table("accounts").schema().toString());
        }
        MemorySegment before = Arena.ofAuto().allocate(8, 8);
        MemorySegment after = Arena.ofAuto().allocate(16, 8);
        before.set(ValueLayout.JAVA_INT, 0, 77);
        SchemaBlocks.convert(before, after);
        assertEquals(77, after.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(3, after.get(ValueLayout.JAVA_INT, 8));
        after.set(ValueLayout.JAVA_LONG, 0, 3_000_000_000L);
        RecordCodec<SchemaBlocks.SmallAccount> small =
                RecordCodec.of(SchemaBlocks.SmallAccount.class, Schema.parse("accounts(balance:long)"));
        assertEquals(
                "attribute 'balance' holds 3000000000, which is no int\n",
                output(memory -> SchemaBlocks.read(small, memory), after));
    }

    @Test
    void blocksOfScansRun() {
        try (Tidepool pool = Tidepool.open("mem:")) {
            IndexBlocks.fill(pool);
            assertEquals("725 5 47 9\n", output(IndexBlocks::scans, pool));
            String before = pool.table("purchases").schema().toString();
            IndexBlocks.changes(pool);
            assertEquals(before, pool.table("purchases").schema().toString());
            assertEquals(
                    "[from [17] to [42], from [17] through [42], from [Berlin] through [Berlin]]",
                    IndexBlocks.ranges().toString());
        }
    }

    /** What the blocks about indexes say is what happens. */
    @Test
    void blocksOfIndexesRun() {
        assertEquals(
                "index by_customer#1(warehouse, customer)\ntrue 43\n"
                        + "[index by_customer#1(warehouse, customer), index entered#2(entered)]\n"
                        + "[unique by_name#1(country, name), unique code#2(code)]\n[index primary#1()]\n",
                output(none -> SchemaBlocks.indexes(), null));
    }

    /** Code that is not compiled is wrong within a month: every block of Java is a part of an example or a test. */
    @ParameterizedTest
    @MethodSource("pagesWithJava")
    void pagesShowCodeOfExamples(Path page) throws IOException {
        String sources = "";
        for (Path file : page.startsWith(SourceTree.path("docs/guide")) ? examples() : examplesAndTests())
            sources += flat(Files.readString(file));
        for (String block : javaBlocks(Files.readString(page)))
            assertTrue(sources.contains(flat(block)), page + " shows what no example has:\n" + block);
    }

    /** The examples in the Javadoc of what users import are compiled, too; every public type has one. */
    @ParameterizedTest
    @MethodSource("typesOfTheApi")
    void javadocShowsCodeOfExamples(Path type) throws IOException {
        String sources = "";
        for (String folder : List.of("src/main/java/tidepool/examples", "src/test/java/tidepool/examples"))
            try (Stream<Path> files = Files.list(Path.of(folder))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) sources += flat(Files.readString(file));
            }
        List<String> blocks = javadocBlocks(Files.readString(type));
        assertFalse(blocks.isEmpty(), type + " has no example");
        for (String block : blocks)
            for (String part : block.split("\n\\s*\n"))
                assertTrue(sources.contains(flat(part)), type + " shows what no example has:\n" + part);
    }

    static List<Path> typesOfTheApi() throws IOException {
        List<Path> types = new ArrayList<>();
        for (String name : List.of(
                "core/api/src/main/java/tidepool",
                "core/api/src/main/java/tidepool/backup",
                "core/model/src/main/java/tidepool/schema")) {
            Path folder = SourceTree.path(name);
            assumeTrue(Files.exists(folder), "only the examples are here");
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.sorted().toList()) if (isOffered(file)) types.add(file);
            }
        }
        assertTrue(types.size() > 40, "types: " + types);
        return types;
    }

    private static boolean isOffered(Path file) throws IOException {
        String name = file.getFileName().toString();
        return name.endsWith(".java")
                && !BETWEEN_ROOMS.contains(name)
                && OFFERED.matcher(Files.readString(file)).find();
    }

    /** The check can fail. */
    @Test
    void blocksOfJavadocAreRead() {
        String type =
                "/**\n * A cell.\n *\n * <pre>{@code\n * a.b();\n *     c();\n * }</pre>\n */\npublic final class A {\n"
                        + "    /**\n     * <pre>{@code\n     * d();\n     * }</pre>\n     */\n    void d() {}\n}\n";
        assertEquals(List.of("a.b();\n    c();\n"), javadocBlocks(type));
        assertEquals(List.of(), javadocBlocks("/** A cell. */\npublic final class A {}\n"));
    }

    /** Returns the blocks of code in the comment of the type. */
    private static List<String> javadocBlocks(String source) {
        Matcher type = OFFERED.matcher(source);
        assertTrue(type.find());
        return Pattern.compile("(?s)<pre>\\{@code\n(.*?) \\* }</pre>")
                .matcher(source.substring(0, type.start()))
                .results()
                .map(block -> block.group(1).replaceAll("(?m)^ \\* ?", ""))
                .toList();
    }

    static List<Path> pagesWithJava() throws IOException {
        assumeTrue(Files.exists(SourceTree.path("README.md")), "only the examples are here");
        List<Path> pages = new ArrayList<>();
        try (Stream<Path> top = Files.list(SourceTree.root());
                Stream<Path> docs = Files.walk(SourceTree.path("docs"))) {
            Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.startsWith(SourceTree.path("docs/journal")))
                    .sorted()
                    .forEach(pages::add);
        }
        for (int i = pages.size() - 1; i >= 0; i--)
            if (javaBlocks(Files.readString(pages.get(i))).isEmpty()) pages.remove(i);
        assertTrue(pages.size() > 15, "pages with Java: " + pages);
        return pages;
    }

    private static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java/tidepool/examples"))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    /** Returns the examples, their tests, and the tests of other modules that show what a page of internals shows. */
    private static List<Path> examplesAndTests() throws IOException {
        List<Path> files = new ArrayList<>(examples());
        for (Path module : SourceTree.modules()) {
            Path tests = module.resolve("src/test/java");
            if (!Files.isDirectory(tests)) continue;
            try (Stream<Path> all = Files.walk(tests)) {
                all.filter(file -> SHOWN.matcher(file.getFileName().toString()).matches())
                        .forEach(files::add);
            }
        }
        return files;
    }

    /** The check can fail, in a block within a list, too. */
    @Test
    void blocksOfPagesAreRead() {
        assertEquals(List.of("a();\n", "  b();\n"), javaBlocks("```java\na();\n```\n1. x\n  ```java\n  b();\n  ```\n"));
        assertEquals(List.of(), javaBlocks("```\na();\n```\n"));
    }

    private static List<String> javaBlocks(String page) {
        return Pattern.compile("(?ms)^ *```java\n(.*?)^ *```")
                .matcher(page)
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    /** Line breaks and indentation may differ. */
    private static String flat(String code) {
        return code.replaceAll("\\s+", "");
    }

    private static <T> String output(Consumer<T> main, T argument) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            main.accept(argument);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
