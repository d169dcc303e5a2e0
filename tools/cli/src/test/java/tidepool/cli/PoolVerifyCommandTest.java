package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.node.journal.Durability;
import tidepool.node.journal.JournalOptions;
import tidepool.spi.PoolAccess;
import tidepool.store.StoreException;
import tidepool.workload.Account;

/** The journals of nodes are checked without the nodes, and faults in them are reported. */
class PoolVerifyCommandTest {
    @TempDir
    Path dir;

    private MemoryServer start(String name, Durability durability) {
        return MemoryServer.start(NodeOptions.onLoopback(name, 0, 64 << 20)
                .withDir(dir.resolve(name))
                .withJournal(JournalOptions.of(durability)));
    }

    private static String url(MemoryServer... nodes) {
        StringBuilder url = new StringBuilder("tcp://");
        for (MemoryServer node : nodes)
            url.append(url.length() > 6 ? "," : "")
                    .append("127.0.0.1:")
                    .append(node.address().getPort());
        return url + "/bank?replicas=2&memory=4m&coordinators=4&flush=selective";
    }

    /** Two nodes with something in them, stopped in order. */
    private void fill() {
        fill(10);
    }

    /** Returns the number of areas of the table, which was made for ten rows. */
    private int fill(int rows) {
        try (MemoryServer first = start("a", Durability.STRICT);
                MemoryServer second = start("b", Durability.STRICT);
                Tidepool pool = Tidepool.open(url(first, second))) {
            Table<Account> accounts = pool.table("accounts", Account.class, 10);
            for (long i = 0; i < rows; i++) {
                Account account = new Account(i, 100);
                pool.transact(tx -> accounts.insert(tx, account));
            }
            return PoolAccess.layout(accounts.handle()).areaCount();
        }
    }

    /** Rows in the areas that a table has got are looked at like all others. */
    @Test
    void aTableThatHasGrownIsInOrder() {
        int areas = fill(600);
        assertTrue(areas > 1, "areas " + areas);
        CommandRun all = CommandRun.of(
                "pool", "verify", dir.resolve("a").toString(), dir.resolve("b").toString());
        assertEquals(0, all.exitCode(), all.out() + all.err());
        assertTrue(all.out().contains("600 of them hold a value"), all.out());
        assertTrue(all.out().contains("all is as it should be"), all.out());
    }

    /**
     * While rows move to another layout, a row lies in one of two tables. In both it would be there twice.
     * {@link HalfMovedTableTest} looks at the objects of all protocols.
     */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "farmv2", "motor", "hdtx"})
    void aRowInBothVersionsOfATableIsFound(String protocol) {
        String options = "&partitions=2&memory=16m&coordinators=4&protocol=" + protocol;
        for (boolean planted : new boolean[] {false, true}) {
            try (MemoryServer first = start("a", Durability.STRICT);
                    MemoryServer second = start("b", Durability.STRICT);
                    Tidepool pool = Tidepool.open(url(first, second).replaceAll("&.*", options))) {
                if (planted) HalfMoved.plantRowInBoth(pool);
                else HalfMoved.make(pool);
            }
            CommandRun all = CommandRun.of(
                    "pool",
                    "verify",
                    dir.resolve("a").toString(),
                    dir.resolve("b").toString());
            assertEquals(planted ? 1 : 0, all.exitCode(), all.out() + all.err());
            assertTrue(all.out().contains(planted ? ": key 1000 is there twice" : "all is as it should be"), all.out());
        }
    }

    /** Rows and entries of indexes are compared, and nodes are looked at. */
    @Test
    void brokenIndexesAreFound() {
        for (boolean planted : new boolean[] {false, true}) {
            try (MemoryServer first = start("a", Durability.STRICT);
                    MemoryServer second = start("b", Durability.STRICT);
                    Tidepool pool = Tidepool.open(url(first, second))) {
                if (planted) BrokenIndexes.plant(pool);
                else BrokenIndexes.make(pool);
            }
            CommandRun all = CommandRun.of(
                    "pool",
                    "verify",
                    dir.resolve("a").toString(),
                    dir.resolve("b").toString());
            assertEquals(planted ? 1 : 0, all.exitCode(), all.out() + all.err());
            for (String sentence : planted
                    ? new String[] {
                        "WRONG: index primary of table lacking misses the entry of row 2",
                        "WRONG: index primary of table extra has an entry without its row: 3",
                        "WRONG: index primary of table damaged, node ",
                        " is no node of level 0",
                        "WRONG: index primary of table damaged misses the entry of row 0",
                        "WRONG: index primary of table damaged misses entries of more rows: 92"
                    }
                    : new String[] {"all is as it should be"})
                assertTrue(all.out().contains(sentence), sentence + " " + all.out());
        }
    }

    @Test
    void whatWasStoppedInOrderIsInOrder() {
        fill();
        CommandRun one = CommandRun.of("pool", "verify", dir.resolve("a").toString());
        assertEquals(0, one.exitCode(), one.out() + one.err());
        assertTrue(one.out().contains("1 of its 2 nodes are here"), one.out());
        CommandRun all = CommandRun.of(
                "pool", "verify", dir.resolve("a").toString(), dir.resolve("b").toString());
        assertEquals(0, all.exitCode(), all.out() + all.err());
        assertTrue(all.out().contains("10 of them hold a value"), all.out());
        assertTrue(all.out().contains("all is as it should be"), all.out());
    }

    @Test
    void aFlippedBitIsExitCodeOneAndNamesTheFile() throws Exception {
        fill();
        Path segment = dir.resolve("b/journal/segment-0000000000000001");
        byte[] bytes = Files.readAllBytes(segment);
        bytes[bytes.length / 2] ^= 4;
        Files.write(segment, bytes);
        CommandRun seen = CommandRun.of(
                "pool", "verify", dir.resolve("a").toString(), dir.resolve("b").toString());
        assertEquals(1, seen.exitCode(), seen.out());
        assertTrue(seen.out().contains("WRONG: the journal is damaged"), seen.out());
        assertTrue(seen.out().contains(segment.toString()), seen.out());
    }

    @Test
    void aNodeThatRunsIsLeftAlone() {
        try (MemoryServer _ = start("a", Durability.FLUSH)) {
            CommandRun seen = CommandRun.of("pool", "verify", dir.resolve("a").toString());
            assertEquals(1, seen.exitCode());
            assertTrue(seen.err().contains("a node serves this folder"), seen.err());
        }
    }

    /** A node that comes back with an empty folder, or with another's, is not taken for the one that was there. */
    @Test
    void emptyAndForeignFoldersAreNotServedAsThePool() {
        fill();
        try (MemoryServer first = start("a", Durability.STRICT);
                MemoryServer empty = start("c", Durability.STRICT)) {
            RuntimeException e = assertThrows(RuntimeException.class, () -> Tidepool.open(url(first, empty))
                    .close());
            assertTrue(e.getMessage().contains("memory node 1 holds nothing of this pool"), e.getMessage());
        }
        try (MemoryServer second = start("b", Durability.STRICT);
                MemoryServer first = start("a", Durability.STRICT)) {
            RuntimeException e = assertThrows(RuntimeException.class, () -> Tidepool.open(url(second, first))
                    .close());
            assertTrue(e.getMessage().contains("name the nodes in the order"), e.getMessage());
        }
    }

    /** A pool with flush is refused on nodes that cannot keep the promise. */
    @Test
    void aPoolIsNotMadeWithFlushOnNodesThatKeepNothing() {
        try (MemoryServer node = MemoryServer.start(NodeOptions.onLoopback("m", 0, 64 << 20))) {
            String url = "tcp://127.0.0.1:" + node.address().getPort() + "/bank?replicas=1&memory=4m&flush=selective";
            try (Tidepool _ = Tidepool.open(url)) {
                throw new AssertionError("it was opened");
            } catch (StoreException e) {
                assertTrue(e.getMessage().contains("memory node 0 keeps nothing"), e.getMessage());
            }
        }
    }
}
