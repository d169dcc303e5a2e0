package tidepool.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.testkit.ChildProcess;
import tidepool.testkit.SourceTree;

/** Every example runs and prints what it promises; the README shows its exact code. */
class ExamplesTest {
    @TempDir
    Path folder;

    @Test
    void bankTransferMovesMoney() {
        assertEquals("Account[id=42, balance=5]\n", output(BankTransfer::main));
    }

    /** A second run finds the pool of the first. */
    @Test
    void bankTransferRunsOnSharedMemory() {
        String url = "shm:" + folder.resolve("bank") + "?nodes=3&replicas=2&memory=1m";

        for (int i = 0; i < 2; i++) assertEquals("Account[id=42, balance=5]\n", output(BankTransfer::main, url));
    }

    @Test
    void countersCountEveryThread() {
        String printed = output(CounterExample::main);
        assertTrue(printed.startsWith("200 transactions on 10 counters, "), printed);
    }

    @Test
    void fieldTransfersKeepTheMoney() {
        assertEquals("40000 transfers, 1000 in 10 accounts\n", output(FieldTransfers::main));
    }

    @Test
    void urgentOrdersAreServedToo() {
        assertEquals("Item[id=7, stock=800, urgent=10]\n", output(UrgentOrders::main));
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

    /** Code in a README that is not compiled is wrong within a month. */
    @Test
    void readmeShowsTheExample() throws IOException {
        assertShown("README.md", "", "BankTransfer.java");
    }

    @Test
    void theApiPageShowsUrgentOrders() throws IOException {
        assertShown("docs/guide/api.md", "## Who comes first", "UrgentOrders.java");
    }

    /** The first Java block after a heading is part of an example. */
    private static void assertShown(String page, String heading, String example) throws IOException {
        Path path = SourceTree.path(page);
        assumeTrue(Files.exists(path), "only the examples are here");
        String source =
                Files.readString(Path.of("src/main/java/tidepool/examples").resolve(example));
        String text = Files.readString(path);
        int section = text.indexOf(heading);
        assertTrue(section >= 0, page + " has no " + heading);
        int start = text.indexOf("```java\n", section) + "```java\n".length();
        String block = text.substring(start, text.indexOf("```", start));

        assertTrue(flat(source).contains(flat(block)), "the Java block of " + page + " is not part of " + example);
    }

    /** Indentation may differ. */
    private static String flat(String code) {
        return code.lines().map(String::strip).filter(line -> !line.isEmpty()).reduce("", (a, b) -> a + "\n" + b);
    }

    private static String output(Consumer<String[]> main, String... arguments) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            main.accept(arguments);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
