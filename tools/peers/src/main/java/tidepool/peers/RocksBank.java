package tidepool.peers;

import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import tidepool.bench.TemporaryFolder;
import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankOptions;
import tidepool.bench.smallbank.Teller;
import tidepool.bench.smallbank.Totals;

/**
 * {@code rocksdb}: pessimistic transactions with {@code getForUpdate} on every read, which makes them serializable. Its
 * files lie in shared memory like ours, and keys are locked in their order. As {@code rocksdb-sync} they lie on a disk,
 * and every commit is synced in group commits: RocksDB writes its log once for all waiting transactions.
 */
public final class RocksBank implements Bank {
    private final TemporaryFolder disk; // null unless it is synced
    private final RocksFiles files;

    public RocksBank(BankOptions bank) {
        disk = bank.name().endsWith("-sync") ? TemporaryFolder.onDisk() : null;
        files = new RocksFiles(disk == null ? bank.folder() : disk.path());
        byte[] value = new byte[2 * Long.BYTES];
        RocksFiles.little(value).putLong(INITIAL_CENTS);
        files.load(2L * bank.customers(), key -> value);
    }

    @Override
    public Teller teller() {
        return new RocksTeller(files.database(), disk != null);
    }

    @Override
    public Totals totals() {
        long cents = 0;
        long changes = 0;
        try (RocksIterator all = files.database().newIterator()) {
            for (all.seekToFirst(); all.isValid(); all.next()) {
                ByteBuffer value = RocksFiles.little(all.value());
                cents += value.getLong();
                changes += value.getLong();
            }
            all.status();
        } catch (RocksDBException e) {
            throw new IllegalStateException("RocksDB cannot be read: " + e.getMessage(), e);
        }
        return new Totals(cents, changes);
    }

    @Override
    public String settings() {
        return RocksFiles.settings()
                + ", getForUpdate on every read, "
                + (disk == null ? "log without sync, files in shared memory" : "log synced at every commit, on a disk")
                + ", no replicas";
    }

    @Override
    public void close() {
        files.close();
        if (disk != null) disk.close();
    }
}
