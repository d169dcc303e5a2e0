package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.schema.Key;
import tidepool.spi.PoolAccess;
import tidepool.workload.site.ZkSite;

/** A snapshot of a pool of real processes, taken while money is moved: none is missing, in it and in the pool. */
class PoolBackupCommandTest {
    private static final int ACCOUNTS = 200;
    private static final long EACH = 1000;

    record Account(@Key long id, long balance) {}

    @TempDir
    private Path directory;

    @Test
    void noMoneyIsMissing() throws Exception {
        Path file = directory.resolve("bank.snapshot");
        try (ZkSite site = new ZkSite(directory, "replicas=2&memory=4m");
                Tidepool pool = Tidepool.open(site.url())) {
            Table<Account> accounts = pool.table("account", Account.class);
            for (long id = 0; id < ACCOUNTS; id++) {
                long key = id;
                pool.transact(tx -> accounts.insert(tx, new Account(key, EACH)));
            }
            AtomicBoolean done = new AtomicBoolean();
            AtomicLong moved = new AtomicLong();
            Thread mover = Thread.ofPlatform().start(() -> move(pool, accounts, done, moved));
            try {
                CommandRun run = CommandRun.of("pool", "backup", site.url(), file.toString());
                assertEquals(0, run.exitCode(), run::toString);
                assertTrue(run.out().contains("wrote " + file), run::toString);
            } finally {
                done.set(true);
                mover.join();
            }
            assertTrue(moved.get() > 10, "transfers beside it: " + moved);
            assertEquals(ACCOUNTS * EACH, sum(pool, accounts));
            assertEquals(3, PoolAccess.roster(pool).members().size());
        }
        CommandRun exists = CommandRun.of("pool", "backup", "zk://127.0.0.1:1/pool", file.toString());
        assertTrue(exists.exitCode() != 0 && exists.err().contains("exists"), exists::toString);
        restore(file);
    }

    private void restore(Path file) throws Exception {
        String url = "shm:" + directory.resolve("restored") + "?nodes=2&replicas=1";
        CommandRun run = CommandRun.of("pool", "restore", file.toString(), url);
        assertEquals(0, run.exitCode(), run::toString);
        try (Tidepool pool = Tidepool.open(url)) {
            assertEquals(ACCOUNTS * EACH, sum(pool, pool.table("account", Account.class)));
        }
        CommandRun again = CommandRun.of("pool", "restore", file.toString(), url);
        assertTrue(again.exitCode() != 0 && again.err().contains("there is a pool already"), again::toString);

        CommandRun whole = CommandRun.of("pool", "restore", "--check", file.toString());
        assertEquals(0, whole.exitCode(), whole::toString);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 4;
        Files.write(file, bytes);
        CommandRun damaged = CommandRun.of("pool", "restore", "--check", file.toString());
        assertTrue(damaged.exitCode() != 0 && damaged.err().contains("is damaged"), damaged::toString);
    }

    private static void move(Tidepool pool, Table<Account> accounts, AtomicBoolean done, AtomicLong moved) {
        Randomness random = new Randomness(1);
        while (!done.get()) {
            long from = random.nextInt(ACCOUNTS);
            long to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
            pool.transact(tx -> {
                var a = accounts.update(tx, from);
                var b = accounts.update(tx, to);
                a.set(new Account(from, a.get().balance() - 1));
                b.set(new Account(to, b.get().balance() + 1));
            });
            moved.incrementAndGet();
        }
    }

    private static long sum(Tidepool pool, Table<Account> accounts) {
        long sum = 0;
        for (long id = 0; id < ACCOUNTS; id++) {
            long key = id;
            sum += (long) pool.read(tx -> accounts.get(tx, key).balance());
        }
        return sum;
    }
}
