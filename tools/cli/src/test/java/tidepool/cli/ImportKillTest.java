package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.schema.Key;
import tidepool.testkit.ChildProcess;

/** An import whose process is killed again and again loads every row once: duplicates are refused all the time. */
@Tag("process")
class ImportKillTest {
    private static final int ROWS = 120_000;
    private static final int KILLS = 3;
    private static final List<String> OPTIONS = List.of(
            "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1");

    record Account(@Key long id, long balance) {}

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"ford", "motor"})
    void aKilledImportIsResumed(String protocol) throws IOException {
        String url = "shm:" + folder.resolve("pool") + "?nodes=2&replicas=2&memory=64m&protocol=" + protocol;
        Path file = file();
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Account> accounts = pool.table("account", Account.class, ROWS);
            long last = 0;
            for (int kill = 1; kill <= KILLS; kill++) {
                try (ChildProcess child = start(url, file, kill > 1)) {
                    long until = (long) ROWS * kill / (KILLS + 2);
                    while (child.isAlive() && !has(pool, accounts, until)) Waiting.pause(1_000_000);
                    child.kill();
                }
                long now = prefix(accounts);
                assertTrue(now >= last, "rows are lost: " + last + " " + now);
                last = now;
            }
            assertTrue(last > 0 && last < ROWS, "the kills came in the middle: " + last);
            try (ChildProcess child = start(url, file, true)) {
                String said = child.rest();
                assertEquals(0, child.exitCode(), child::errors);
                assertTrue(
                        said.startsWith(String.format(
                                "imported %,d rows into table account, after %,d that were there", ROWS - last, last)),
                        said);
            }
            assertEquals(ROWS, prefix(accounts));
        }
    }

    private static ChildProcess start(String url, Path file, boolean resumes) {
        return resumes
                ? ChildProcess.jvm(OPTIONS, Main.class, "table", "import", url, "account", file.toString(), "--resume")
                        .start()
                : ChildProcess.jvm(OPTIONS, Main.class, "table", "import", url, "account", file.toString())
                        .start();
    }

    private static boolean has(Tidepool pool, Table<Account> accounts, long id) {
        return pool.read(tx -> accounts.exists(tx, id));
    }

    /** Returns how many rows there are: all of them are the first ones of the file, with their values. */
    private static long prefix(Table<Account> accounts) {
        BitSet found = new BitSet();
        accounts.forEach(account -> {
            assertEquals(7 * account.id(), account.balance());
            found.set((int) account.id());
        });
        assertEquals(found.cardinality(), found.length(), "rows of the file are left out");
        return found.cardinality();
    }

    private Path file() throws IOException {
        Path file = folder.resolve("account.csv");
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("key:long key,balance:long\r\n");
            for (long id = 0; id < ROWS; id++) out.write(id + "," + 7 * id + "\r\n");
        }
        return file;
    }
}
