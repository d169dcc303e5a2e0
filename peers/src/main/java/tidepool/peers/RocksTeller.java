package tidepool.peers;

import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionOptions;
import org.rocksdb.WriteOptions;
import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.Teller;

/** SmallBank as transactions of RocksDB. Its transaction object, keys and values are used again and again. */
final class RocksTeller implements Teller {
    private static final int MOST = 3;
    private static final int CENTS = 0;
    private static final int CHANGES = Long.BYTES;

    private final TransactionDB database;
    private final WriteOptions writeOptions = new WriteOptions().setSync(false);
    private final TransactionOptions transactionOptions = new TransactionOptions();
    private final ReadOptions readOptions = new ReadOptions();
    private final byte[][] keys = new byte[MOST][Long.BYTES];
    private final byte[][] values = new byte[MOST][];
    private Transaction transaction;
    private long aborts;

    RocksTeller(TransactionDB database) {
        this.database = database;
    }

    /** What is done between begin and commit. */
    @FunctionalInterface
    private interface Body {
        long run() throws RocksDBException;
    }

    private static final long ROLLED_BACK = Long.MIN_VALUE;

    private long transact(Body body) {
        while (true) {
            try {
                transaction = transaction == null
                        ? database.beginTransaction(writeOptions, transactionOptions)
                        : database.beginTransaction(writeOptions, transactionOptions, transaction);
                long result = body.run();
                if (result == ROLLED_BACK) transaction.rollback();
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

    private void read(int i, long key) throws RocksDBException {
        RocksBank.key(keys[i], key);
        values[i] = transaction.getForUpdate(readOptions, keys[i], true);
    }

    private long cents(int i) {
        return RocksBank.little(values[i]).getLong(CENTS);
    }

    private void add(int i, long more) throws RocksDBException {
        RocksBank.little(values[i]).putLong(CENTS, cents(i) + more);
        RocksBank.little(values[i]).putLong(CHANGES, RocksBank.little(values[i]).getLong(CHANGES) + 1);
        transaction.put(keys[i], values[i]);
    }

    @Override
    public void amalgamate(int a, int b) {
        transact(() -> {
            if (b < a) read(2, RocksBank.checking(b));
            read(0, RocksBank.savings(a));
            read(1, RocksBank.checking(a));
            if (b > a) read(2, RocksBank.checking(b));
            add(2, cents(0) + cents(1));
            add(0, -cents(0));
            add(1, -cents(1));
            return 0;
        });
    }

    @Override
    public long balance(int a) {
        return transact(() -> {
            read(0, RocksBank.savings(a));
            read(1, RocksBank.checking(a));
            return cents(0) + cents(1);
        });
    }

    @Override
    public void depositChecking(int a, long cents) {
        add(RocksBank.checking(a), cents);
    }

    @Override
    public boolean sendPayment(int a, int b, long cents) {
        return transact(() -> {
                    if (b < a) read(1, RocksBank.checking(b));
                    read(0, RocksBank.checking(a));
                    if (b > a) read(1, RocksBank.checking(b));
                    if (cents(0) < cents) return ROLLED_BACK;
                    add(0, -cents);
                    add(1, cents);
                    return 0;
                })
                != ROLLED_BACK;
    }

    @Override
    public void transactSavings(int a, long cents) {
        add(RocksBank.savings(a), cents);
    }

    private void add(long key, long cents) {
        transact(() -> {
            read(0, key);
            add(0, cents);
            return 0;
        });
    }

    @Override
    public long writeCheck(int a, long cents) {
        return transact(() -> {
            read(0, RocksBank.savings(a));
            read(1, RocksBank.checking(a));
            long taken = cents(0) + cents(1) >= cents ? cents : cents + Bank.PENALTY_CENTS;
            add(1, -taken);
            return taken;
        });
    }

    @Override
    public long aborts() {
        return aborts;
    }
}
