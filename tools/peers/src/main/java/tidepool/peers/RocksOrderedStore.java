package tidepool.peers;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.Status;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionOptions;
import org.rocksdb.WriteOptions;
import tidepool.bench.ordered.OrderedSession;
import tidepool.bench.ordered.OrderedStore;
import tidepool.bench.ordered.OrderedStoreOptions;

/**
 * {@code rocksdb} for TPC-C: pessimistic transactions with {@code getForUpdate} on every read, shared where the key is
 * only read. Transactions that only read take a snapshot and no locks. A range is not locked. TPC-C writes only by what
 * it finds first in a range, and then locks that row, so it is serializable all the same.
 */
public final class RocksOrderedStore implements OrderedStore {
    private final RocksFiles files;

    public RocksOrderedStore(OrderedStoreOptions options) {
        files = new RocksFiles(options.folder());
    }

    @Override
    public OrderedSession session() {
        return new RocksSession(files.database());
    }

    @Override
    public String settings() {
        return RocksFiles.settings() + ", getForUpdate on every read, snapshots for transactions that only read,"
                + " log without sync, files in shared memory, no replicas";
    }

    @Override
    public void close() {
        files.close();
    }

    private static final class RocksSession implements OrderedSession {
        private final TransactionDB database;
        private final WriteOptions writeOptions = new WriteOptions().setSync(false);
        private final TransactionOptions transactionOptions = new TransactionOptions().setDeadlockDetect(true);
        private final ReadOptions newest = new ReadOptions();
        private final ByteBuffer value = ByteBuffer.allocateDirect(4096);
        private Transaction transaction;
        private Snapshot snapshot; // of a transaction that only reads
        private ReadOptions atSnapshot;

        RocksSession(TransactionDB database) {
            this.database = database;
        }

        @Override
        public void begin(boolean isReadOnly) {
            if (isReadOnly) {
                snapshot = database.getSnapshot();
                atSnapshot = new ReadOptions().setSnapshot(snapshot);
                return;
            }
            transaction = transaction == null
                    ? database.beginTransaction(writeOptions, transactionOptions)
                    : database.beginTransaction(writeOptions, transactionOptions, transaction);
        }

        @Override
        public boolean get(byte[] key, boolean isWritten, ByteBuffer into, int at) {
            try {
                byte[] found = snapshot != null
                        ? database.get(atSnapshot, key)
                        : transaction.getForUpdate(newest, key, isWritten);
                if (found == null) return false;
                into.put(at, found);
                return true;
            } catch (RocksDBException e) {
                throw failure(e);
            }
        }

        @Override
        public void put(byte[] key, ByteBuffer from, int at, int length) {
            byte[] bytes = new byte[length];
            from.get(at, bytes);
            try {
                transaction.put(key, bytes);
            } catch (RocksDBException e) {
                throw failure(e);
            }
        }

        @Override
        public void delete(byte[] key) {
            try {
                transaction.delete(key);
            } catch (RocksDBException e) {
                throw failure(e);
            }
        }

        @Override
        public void scan(byte[] low, byte[] high, boolean isReversed, int limit, Visitor visitor) {
            try (Slice end = new Slice(high);
                    ReadOptions options = new ReadOptions()) {
                if (snapshot != null) options.setSnapshot(snapshot);
                if (!isReversed) options.setIterateUpperBound(end);
                try (RocksIterator iterator =
                        snapshot != null ? database.newIterator(options) : transaction.getIterator(options)) {
                    if (!isReversed) forwards(iterator, low, limit, visitor);
                    else backwards(iterator, low, high, limit, visitor);
                    iterator.status();
                }
            } catch (RocksDBException e) {
                throw failure(e);
            }
        }

        private void forwards(RocksIterator iterator, byte[] low, int limit, Visitor visitor) {
            iterator.seek(low);
            for (int i = 0; i < limit && iterator.isValid(); i++, iterator.next()) {
                iterator.value(value.clear());
                visitor.pair(iterator.key(), value);
            }
        }

        private void backwards(RocksIterator iterator, byte[] low, byte[] high, int limit, Visitor visitor) {
            iterator.seekForPrev(high);
            if (iterator.isValid() && Arrays.compareUnsigned(iterator.key(), high) >= 0) iterator.prev();
            for (int i = 0; i < limit && iterator.isValid(); i++, iterator.prev()) {
                byte[] key = iterator.key();
                if (Arrays.compareUnsigned(key, low) < 0) return;
                iterator.value(value.clear());
                visitor.pair(key, value);
            }
        }

        @Override
        public void commit() {
            if (endsSnapshot()) return;
            try {
                transaction.commit();
            } catch (RocksDBException e) {
                throw failure(e);
            }
        }

        @Override
        public void rollback() {
            if (endsSnapshot()) return;
            try {
                transaction.rollback();
            } catch (RocksDBException e) {
                throw new IllegalStateException("RocksDB cannot roll back: " + e.getMessage(), e);
            }
        }

        private boolean endsSnapshot() {
            if (snapshot == null) return false;
            atSnapshot.close();
            database.releaseSnapshot(snapshot);
            snapshot = null;
            return true;
        }

        private static RuntimeException failure(RocksDBException e) {
            Status.Code code = e.getStatus() == null ? null : e.getStatus().getCode();
            boolean isConflict =
                    code == Status.Code.Busy || code == Status.Code.TimedOut || code == Status.Code.TryAgain;
            return isConflict
                    ? new SessionConflict(e.getMessage())
                    : new IllegalStateException("RocksDB failed: " + e.getMessage(), e);
        }
    }
}
