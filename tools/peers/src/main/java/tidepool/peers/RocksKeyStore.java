package tidepool.peers;

import java.nio.ByteBuffer;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.TransactionDB;
import org.rocksdb.WriteOptions;
import tidepool.bench.ycsb.Clerk;
import tidepool.bench.ycsb.KeyStore;
import tidepool.bench.ycsb.KeyStoreOptions;
import tidepool.bench.ycsb.RangeClerk;
import tidepool.bench.ycsb.Stamp;

/**
 * {@code rocksdb}: single operations on the {@link TransactionDB}, which makes a transaction of each write by itself
 * and shows only committed values.
 */
public final class RocksKeyStore implements KeyStore {
    private final RocksFiles files;
    private final int valueBytes;

    public RocksKeyStore(KeyStoreOptions options) {
        valueBytes = options.valueBytes();
        files = new RocksFiles(options.folder());
        byte[] value = new byte[options.valueBytes()];
        files.load(options.records(), options.keyShift(), key -> {
            Stamp.write(value, key, 0);
            return value;
        });
    }

    @Override
    public Clerk clerk() {
        return new RocksClerk(files.database(), valueBytes);
    }

    @Override
    public String settings() {
        return RocksFiles.settings() + ", single operations, log without sync, files in shared memory, no replicas";
    }

    @Override
    public void close() {
        files.close();
    }

    private static final class RocksClerk implements RangeClerk {
        private final TransactionDB database;
        private final ReadOptions readOptions = new ReadOptions();
        private final WriteOptions writeOptions = new WriteOptions().setSync(false);
        private final byte[] bytes = new byte[Long.BYTES];
        private final ByteBuffer record;
        private RocksIterator iterator;
        private long aborts;

        RocksClerk(TransactionDB database, int valueBytes) {
            this.database = database;
            this.record = ByteBuffer.allocateDirect(valueBytes);
        }

        @Override
        public void insert(long key, byte[] value) {
            update(key, value);
        }

        /** Reads by an iterator that is kept, and shown the newest state for every scan. */
        @Override
        public void scan(long from, int limit, Visitor visitor) {
            RocksFiles.key(bytes, from);
            try {
                if (iterator == null) iterator = database.newIterator(readOptions);
                else iterator.refresh();
                iterator.seek(bytes);
                for (int i = 0; i < limit && iterator.isValid(); i++, iterator.next()) {
                    iterator.key(bytes);
                    iterator.value(record.clear());
                    visitor.record(ByteBuffer.wrap(bytes).getLong(0), record);
                }
                iterator.status();
            } catch (RocksDBException e) {
                throw new IllegalStateException("RocksDB failed: " + e.getMessage(), e);
            }
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
