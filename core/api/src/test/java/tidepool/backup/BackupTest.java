package tidepool.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.fabric.Fabric;
import tidepool.schema.Key;
import tidepool.spi.BackupImage;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;

/** An application restores a backup by the URL of the new pool, and needs no type of the modules below the api. */
class BackupTest {
    record Account(@Key long id, long balance) {}

    @TempDir
    Path folder;

    @Test
    void aBackupIsRestoredAtAUrl() throws IOException {
        Path file = write();
        BackupSummary checked = Backup.check(file);
        assertEquals("motor", checked.protocol());
        assertEquals(1, checked.tables());
        assertEquals(Files.size(file), checked.bytes());

        String url = "shm:" + folder.resolve("pool") + "?nodes=2&replicas=2";
        assertEquals(checked, Backup.restore(file, url));
        try (Tidepool pool = Tidepool.open(url + "&protocol=motor")) {
            Table<Account> accounts = pool.table("accounts", Account.class);
            for (long id = 0; id < 20; id++) {
                long key = id;
                assertEquals(100 * key, pool.read(tx -> accounts.get(tx, key)).balance());
            }
        }
        assertThrows(StoreException.class, () -> Backup.restore(file, url), "the pool exists now");
    }

    @Test
    void aDamagedBackupMakesNoPool() throws IOException {
        Path file = write();
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        String url = "shm:" + folder.resolve("pool") + "?nodes=2&memory=1m";

        assertThrows(BackupException.class, () -> Backup.restore(file, url));
        try (Tidepool pool = Tidepool.open(url)) {
            assertFalse(pool.tables().iterator().hasNext());
        }
    }

    private Path write() throws IOException {
        Path file = folder.resolve("accounts.backup");
        try (Fabric one = Fabric.open("mem:?nodes=1")) {
            try (Tidepool pool = PoolAccess.open(one, new PoolOptions("motor", 1, 2, 64 * 1024, 8, 4096))) {
                Table<Account> accounts = pool.table("accounts", Account.class, 20);
                for (long id = 0; id < 20; id++) {
                    Account account = new Account(id, 100 * id);
                    pool.transact(tx -> accounts.insert(tx, account));
                }
            }
            BackupImage.write(one, 7, file);
        }
        return file;
    }
}
