package tidepool.peers;

import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionOptions;
import org.rocksdb.WriteOptions;

/** SmallBank as transactions of RocksDB. Its transaction object, keys and values are reused. */
final class RocksTeller extends AccountTeller<RocksDBException> {
    private static final int CENTS = 0;
    private static final int CHANGES = Long.BYTES;

    private final TransactionDB database;
    private final WriteOptions writeOptions = new WriteOptions();
    private final TransactionOptions transactionOptions = new TransactionOptions();
    private final ReadOptions readOptions = new ReadOptions();
    private final byte[][] keys = new byte[MAX_ACCOUNTS][Long.BYTES];
    private final byte[][] values = new byte[MAX_ACCOUNTS][];
    private Transaction transaction;
    private boolean wrote;

    /** @param sync whether every commit waits for the disk */
    RocksTeller(TransactionDB database, boolean sync) {
        this.database = database;
        writeOptions.setSync(sync);
    }

    @Override
    long transact(Body<RocksDBException> body) {
        while (true) {
            try {
                transaction = transaction == null
                        ? database.beginTransaction(writeOptions, transactionOptions)
                        : database.beginTransaction(writeOptions, transactionOptions, transaction);
                wrote = false;
                long result = body.run();
                // A commit is synced even if it writes nothing; a transaction that has only read need not wait for
                // that.
                if (result == ROLLED_BACK || !wrote) transaction.rollback();
                else transaction.commit();
                return result;
            } catch (RocksDBException e) {
                undo(e);
            }
        }
    }

    private void undo(RocksDBException e) {
        Status.Code code = e.getStatus() == null ? null : e.getStatus().getCode();
        boolean met = code == Status.Code.Busy || code == Status.Code.TimedOut || code == Status.Code.TryAgain;
        if (!met) throw new IllegalStateException("RocksDB failed: " + e.getMessage(), e);
        aborts++;
        try {
            transaction.rollback();
        } catch (RocksDBException again) {
            throw new IllegalStateException("RocksDB cannot roll back: " + again.getMessage(), again);
        }
    }

    @Override
    void read(int slot, long key) throws RocksDBException {
        RocksFiles.key(keys[slot], key);
        values[slot] = transaction.getForUpdate(readOptions, keys[slot], true);
    }

    @Override
    long cents(int slot) {
        return RocksFiles.little(values[slot]).getLong(CENTS);
    }

    @Override
    void add(int slot, long more) throws RocksDBException {
        byte[] value = values[slot];
        RocksFiles.little(value).putLong(CENTS, cents(slot) + more);
        RocksFiles.little(value).putLong(CHANGES, RocksFiles.little(value).getLong(CHANGES) + 1);
        transaction.put(keys[slot], value);
        wrote = true;
    }
}
