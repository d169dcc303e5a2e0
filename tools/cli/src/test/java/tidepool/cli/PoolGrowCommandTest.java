package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.node.journal.Durability;
import tidepool.node.journal.JournalOptions;
import tidepool.schema.Key;
import tidepool.spi.PoolAccess;
import tidepool.store.Roster;
import tidepool.store.StoreException;
import tidepool.workload.site.ZkSite;

/** Full pools grow by {@code pool grow}, while a client has them open, on each fabric that other processes reach. */
@Timeout(300)
class PoolGrowCommandTest {
    record Account(@Key long id, long balance) {}

    @TempDir
    Path folder;

    private static long fill(Tidepool pool, long from) {
        Table<Account> accounts = pool.table("account", Account.class, 1);
        long[] next = {from};
        StoreException full = assertThrows(StoreException.class, () -> {
            for (; ; next[0]++) pool.transact(tx -> accounts.insert(tx, new Account(next[0], 2 * next[0])));
        });
        assertEquals(StoreException.Reason.FULL, full.reason(), full.getMessage());
        assertTrue(full.getMessage().contains("./tidepool pool grow URL --memory SIZE"), full.getMessage());
        return next[0];
    }

    private static void requireRows(Tidepool pool, long rows) {
        Table<Account> accounts = pool.table("account", Account.class, 1);
        long[] count = new long[1];
        accounts.forEach(row -> {
            assertEquals(2 * row.id(), row.balance());
            count[0]++;
        });
        assertEquals(rows, count[0]);
    }

    private static String run(int code, String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertEquals(code, run.exitCode(), run::toString);
        return run.out() + run.err();
    }

    @Test
    void poolInSharedMemoryGrows() {
        String url = "shm:" + folder.resolve("pool");
        try (Tidepool pool = Tidepool.open(url + "?nodes=2&replicas=2&memory=128k")) {
            long rows = fill(pool, 0);
            String grown = run(0, "pool", "grow", url, "--memory", "512k");
            assertTrue(
                    grown.matches("each copy of a partition has 512 KiB, before 128 KiB; the pool stood still for"
                            + " [0-9]+ ms\n"),
                    grown);
            requireRows(pool, rows);
            long more = fill(pool, rows);
            assertTrue(more > 2 * rows, rows + " rows, then " + more);
            assertEquals(
                    "the pool has 512 KiB in each copy of a partition already\n",
                    run(0, "pool", "grow", url, "--memory", "512k"));
            assertEquals(
                    "tidepool: the pool has memory=524288 and does not shrink: memory=131072 was asked for\n",
                    run(1, "pool", "grow", url + "?memory=128k", "--memory", "128k"));
            assertTrue(
                    run(1, "pool", "grow", url, "--memory", "500g").contains("and nothing was changed: memory node"));
            assertTrue(run(2, "pool", "grow", url, "--memory", "x").contains("--memory takes a size such as"));
            assertTrue(run(2, "pool", "grow", url, "--memory", "5000g").contains("memory takes at most"));
            assertTrue(run(2, "pool", "grow", url).contains("--memory"));
            assertTrue(
                    run(1, "pool", "grow", url + "?memory=1m", "--memory", "1m").contains("has memory=524288"));
            requireRows(pool, more);
        }
    }

    private MemoryServer node(String name, int port, long memory) {
        return MemoryServer.start(NodeOptions.onLoopback(name, port, memory)
                .withDir(folder.resolve(name))
                .withJournal(JournalOptions.of(Durability.STRICT)));
    }

    /** Nodes without room refuse. Started again with more memory they have the pool as it was, and let it grow. */
    @Test
    void nodesAreStartedWithMoreMemoryAndThenThePoolGrows() {
        MemoryServer one = node("one", 0, 8 << 20);
        MemoryServer two = node("two", 0, 8 << 20);
        int[] ports = {one.address().getPort(), two.address().getPort()};
        String url = "tcp://127.0.0.1:" + ports[0] + ",127.0.0.1:" + ports[1] + "/pool?timeout=60s&flush=selective";
        try (Tidepool pool = Tidepool.open(url + "&replicas=2&memory=128k&log=16k")) {
            long rows = fill(pool, 0);
            String refused = run(1, "pool", "grow", url, "--memory", "4m");
            assertTrue(
                    refused.matches("(?s)tidepool: the pool cannot grow to memory=4194304, and nothing was changed:"
                            + " memory node 0 needs 8388608 bytes for 2 larger copies, next to what it has; .*"
                            + "the node's memory is used up: needed=\\d+ free=\\d+ limit=8388608.*"),
                    refused);
            requireRows(pool, rows);

            one.close();
            two.close();
            one = node("one", ports[0], 64 << 20);
            two = node("two", ports[1], 64 << 20);
            run(0, "pool", "grow", url, "--memory", "256k");
            requireRows(pool, rows);
            long more = fill(pool, rows);
            assertTrue(more > rows, rows + " rows, then " + more);

            one.close();
            two.close();
            one = node("one", ports[0], 64 << 20);
            two = node("two", ports[1], 64 << 20);
            requireRows(pool, more);
            assertEquals(256 << 10, PoolAccess.memory(pool));
        } finally {
            one.close();
            two.close();
        }
    }

    /** A node that joins later has copies of the new size, and a backup makes a pool of the new size. */
    @Tag("process")
    @Test
    void poolInZooKeeperGrows() throws IOException, InterruptedException {
        LibraryLogs.quiet();
        String parameters = "replicas=2&memory=128k&log=16k&timeout=60s";
        try (ZkSite site = new ZkSite(folder, parameters);
                Tidepool pool = Tidepool.open(site.url())) {
            long rows = fill(pool, 0);
            run(0, "pool", "grow", site.url(), "--memory", "256k");
            requireRows(pool, rows);
            long more = fill(pool, rows);
            assertTrue(more > rows, rows + " rows, then " + more);

            site.kill(0);
            site.restart(0);
            awaitCopies(pool, 2);
            run(0, "pool", "add", site.url(), site.identity(0));
            awaitCopies(pool, 3);
            requireRows(pool, more);
            run(0, "pool", "grow", site.url(), "--memory", "512k");
            long most = fill(pool, more);
            assertTrue(most > more, more + " rows, then " + most);
            try (Tidepool late = Tidepool.open(site.url())) {
                requireRows(late, most);
            }
            String file = folder.resolve("pool.backup").toString();
            run(0, "pool", "backup", site.url(), file);
            String restored = "shm:" + folder.resolve("restored");
            run(0, "pool", "restore", file, restored + "?nodes=2");
            try (Tidepool copy = Tidepool.open(restored + "?memory=128k")) {
                assertEquals(512 << 10, PoolAccess.memory(copy));
                requireRows(copy, most);
            }
        }
    }

    private static void awaitCopies(Tidepool pool, int members) throws InterruptedException {
        Table<Account> accounts = pool.table("account", Account.class, 1);
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (true) {
            pool.read(tx -> accounts.get(tx, 0)); // fails over to the newest roster
            Roster roster = PoolAccess.roster(pool);
            boolean whole = roster.members().size() == members
                    && roster.steady()
                    && roster.partitions().stream()
                            .allMatch(copies -> copies.whole().size() == 2);
            if (whole) return;
            assertTrue(System.nanoTime() < deadline, roster.text());
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
