package tidepool.peers;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteOptions;
import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankOptions;
import tidepool.bench.smallbank.Teller;
import tidepool.bench.smallbank.Totals;

/**
 * RocksDB's {@link TransactionDB}: pessimistic, {@code getForUpdate} on every read, which makes it serializable; a
 * write-ahead log that is not synced, so a crash of the process loses nothing and a crash of the machine does. Its files
 * lie in shared memory like ours, all of them fit into its cache, and keys are locked in their order.
 */
public final class RocksBank implements Bank {
    private static final long CACHE_BYTES = 1L << 30;
    private static final int BLOOM_BITS = 10;
    private static final int BACKGROUND_JOBS = 2;

    private final int customers;
    private final Options options;
    private final TransactionDBOptions transactionOptions;
    private final TransactionDB database;

    public RocksBank(BankOptions bank) {
        customers = bank.customers();
        loadLibrary();
        options = new Options()
                .setCreateIfMissing(true)
                .setMaxBackgroundJobs(BACKGROUND_JOBS)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(new LRUCache(CACHE_BYTES))
                        .setFilterPolicy(new BloomFilter(BLOOM_BITS)));
        transactionOptions = new TransactionDBOptions();
        try {
            database = TransactionDB.open(
                    options, transactionOptions, bank.folder().resolve("rocks").toString());
            load();
        } catch (RocksDBException e) {
            throw new IllegalStateException("RocksDB cannot open its files: " + e.getMessage(), e);
        }
    }

    private static void loadLibrary() {
        try {
            RocksDB.loadLibrary();
        } catch (RuntimeException | LinkageError e) {
            throw new IllegalStateException(
                    "the native library of RocksDB cannot be loaded on " + System.getProperty("os.name") + " "
                            + System.getProperty("os.arch") + " (" + e.getMessage() + "); leave rocksdb out of --peers",
                    e);
        }
    }

    private void load() throws RocksDBException {
        try (WriteOptions plain = new WriteOptions()) {
            byte[] key = new byte[Long.BYTES];
            byte[] value = new byte[2 * Long.BYTES];
            little(value).putLong(INITIAL_CENTS);
            for (long i = 0; i < 2L * customers; i++) {
                key(key, i);
                database.put(plain, key, value);
            }
        }
    }

    /** Big-endian, so that keys are sorted by number. */
    static void key(byte[] bytes, long key) {
        ByteBuffer.wrap(bytes).putLong(key);
    }

    static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    static long savings(int customer) {
        return 2L * customer;
    }

    static long checking(int customer) {
        return 2L * customer + 1;
    }

    @Override
    public Teller teller() {
        return new RocksTeller(database);
    }

    @Override
    public Totals totals() {
        long cents = 0;
        long changes = 0;
        try (RocksIterator all = database.newIterator()) {
            for (all.seekToFirst(); all.isValid(); all.next()) {
                ByteBuffer value = little(all.value());
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
        return "RocksDB " + RocksDB.rocksdbVersion()
                + " TransactionDB, getForUpdate on every read, log without sync, files in shared memory, no replicas";
    }

    @Override
    public void close() {
        database.close();
        transactionOptions.close();
        options.close();
    }
}
