package tidepool.peers;

import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.tx.Transaction;
import org.h2.mvstore.tx.TransactionMap;
import org.h2.mvstore.type.ByteArrayDataType;
import tidepool.bench.ycsb.Clerk;
import tidepool.bench.ycsb.KeyStore;
import tidepool.bench.ycsb.KeyStoreOptions;
import tidepool.bench.ycsb.Stamp;

/**
 * {@code mvstore} on the heap and {@code mvstore-file} in a file: each update is a transaction. A read uses the last
 * commit through a transaction that the clerk keeps open and that never writes.
 */
public final class MvKeyStore implements KeyStore {
    private final boolean inFile;
    private final MvTable<byte[]> table;

    public MvKeyStore(KeyStoreOptions options) {
        inFile = MvTable.isInFile(options.name());
        table = new MvTable<>(inFile ? options.folder() : null, ByteArrayDataType.INSTANCE);
        table.load(options.records(), key -> {
            byte[] value = new byte[options.valueBytes()];
            Stamp.write(value, key, 0);
            return value;
        });
    }

    @Override
    public Clerk clerk() {
        return new MvClerk(table);
    }

    @Override
    public String settings() {
        return MvTable.settings(inFile) + ", no replicas";
    }

    @Override
    public void close() {
        table.close();
    }

    private static final class MvClerk implements Clerk {
        private final MvTable<byte[]> table;
        private final TransactionMap<Long, byte[]> committed;
        private long aborts;

        MvClerk(MvTable<byte[]> table) {
            this.table = table;
            committed = table.in(table.beginLocking());
        }

        @Override
        public boolean read(long key, byte[] into) {
            byte[] value = committed.getImmediate(key);
            if (value == null) return false;
            System.arraycopy(value, 0, into, 0, value.length);
            return true;
        }

        @Override
        public void update(long key, byte[] value) {
            byte[] copy = value.clone();
            while (true) {
                Transaction transaction = table.beginLocking();
                try {
                    table.in(transaction).put(key, copy);
                    transaction.commit();
                    return;
                } catch (MVStoreException e) {
                    if (!MvTable.isConflict(e)) throw e;
                    transaction.rollback();
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
