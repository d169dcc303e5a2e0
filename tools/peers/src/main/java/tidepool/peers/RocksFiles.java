package tidepool.peers;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB's {@link TransactionDB} with the settings of all races: a write-ahead log that is not synced, so a crash of
 * the process loses nothing and a crash of the machine does; no compression; a cache into which all data fits.
 */
final class RocksFiles implements AutoCloseable {
    private static final long CACHE_BYTES = 1L << 30;
    private static final int BLOOM_BITS = 10;
    private static final int BACKGROUND_JOBS = 2;
    private static final int LOAD_ROWS = 1_000;

    private final Options options;
    private final TransactionDBOptions transactionOptions;
    private final TransactionDB database;

    RocksFiles(Path folder) {
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
                    options, transactionOptions, folder.resolve("rocks").toString());
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

    TransactionDB database() {
        return database;
    }

    /** Writes a value under the keys from 0 up, in batches, and syncs once at the end. */
    void load(long keys, Filler filler) {
        load(keys, 0, filler);
    }

    /** Writes a value under the numbers from 0 up, shifted by some bits. */
    void load(long keys, int shift, Filler filler) {
        try (WriteOptions plain = new WriteOptions();
                WriteBatch batch = new WriteBatch()) {
            byte[] key = new byte[Long.BYTES];
            for (long i = 0; i < keys; i++) {
                key(key, i << shift);
                batch.put(key, filler.value(i << shift));
                if (batch.count() < LOAD_ROWS && i < keys - 1) continue;
                database.write(plain, batch);
                batch.clear();
            }
            database.flushWal(true);
        } catch (RocksDBException e) {
            throw new IllegalStateException("RocksDB cannot be loaded: " + e.getMessage(), e);
        }
    }

    /** Returns the first value of a key; may return one array each time. */
    @FunctionalInterface
    interface Filler {
        byte[] value(long key);
    }

    /** Writes a key in big-endian order, so that keys are sorted by number. */
    static void key(byte[] bytes, long key) {
        ByteBuffer.wrap(bytes).putLong(0, key);
    }

    static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    static String settings() {
        return "RocksDB " + RocksDB.rocksdbVersion() + " TransactionDB";
    }

    @Override
    public void close() {
        database.close();
        transactionOptions.close();
        options.close();
    }
}
