package tidepool.peers;

import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.TransactionDB;
import org.rocksdb.WriteOptions;
import tidepool.bench.ycsb.Clerk;
import tidepool.bench.ycsb.KeyStore;
import tidepool.bench.ycsb.KeyStoreOptions;
import tidepool.bench.ycsb.Stamp;

/**
 * {@code rocksdb}: single operations on the {@link TransactionDB}, which makes a transaction of each write by itself
 * and shows only committed values.
 */
public final class RocksKeyStore implements KeyStore {
    private final RocksFiles files;

    public RocksKeyStore(KeyStoreOptions options) {
        files = new RocksFiles(options.folder());
        byte[] value = new byte[options.valueBytes()];
        files.load(options.records(), key -> {
            Stamp.write(value, key, 0);
            return value;
        });
    }

    @Override
    public Clerk clerk() {
        return new RocksClerk(files.database());
    }

    @Override
    public String settings() {
        return RocksFiles.settings() + ", single operations, log without sync, files in shared memory, no replicas";
    }

    @Override
    public void close() {
        files.close();
    }

    private static final class RocksClerk implements Clerk {
        private final TransactionDB database;
        private final ReadOptions readOptions = new ReadOptions();
        private final WriteOptions writeOptions = new WriteOptions().setSync(false);
        private final byte[] bytes = new byte[Long.BYTES];
        private long aborts;

        RocksClerk(TransactionDB database) {
            this.database = database;
        }

        @Override
        public boolean read(long key, byte[] into) {
            RocksFiles.key(bytes, key);
            try {
                return database.get(readOptions, bytes, into) != RocksDB.NOT_FOUND;
            } catch (RocksDBException e) {
                throw new IllegalStateException("RocksDB failed: " + e.getMessage(), e);
            }
        }

        @Override
        public void update(long key, byte[] value) {
            RocksFiles.key(bytes, key);
            while (true) {
                try {
                    database.put(writeOptions, bytes, value);
                    return;
                } catch (RocksDBException e) {
                    Status.Code code =
                            e.getStatus() == null ? null : e.getStatus().getCode();
                    if (code != Status.Code.Busy && code != Status.Code.TimedOut)
                        throw new IllegalStateException("RocksDB failed: " + e.getMessage(), e);
                    aborts++;
                }
            }
        }

        @Override
        public long aborts() {
            return aborts;
        }
    }
}
