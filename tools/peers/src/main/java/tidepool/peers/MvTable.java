package tidepool.peers;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.function.LongFunction;
import org.h2.engine.Constants;
import org.h2.engine.IsolationLevel;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.tx.Transaction;
import org.h2.mvstore.tx.TransactionMap;
import org.h2.mvstore.tx.TransactionStore;
import org.h2.mvstore.type.DataType;
import org.h2.mvstore.type.LongDataType;
import org.h2.value.VersionedValue;

/**
 * H2's MVStore with its {@link TransactionStore}, with the settings of all races: one map, on the heap or in a file
 * that a thread of its own writes about once a second and never syncs.
 *
 * <p>Its level SERIALIZABLE is a snapshot: two transactions may each write what the other has read. So writing
 * transactions lock every record that they read and see the newest commit (two-phase locking, serializable), and
 * transactions that only read use a snapshot of one moment.
 */
final class MvTable<V> implements AutoCloseable {
    private static final int CACHE_MEGABYTES = 512;
    private static final int LOCK_TIMEOUT_MILLIS = 1_000;
    private static final int LOAD_BATCH = 10_000;
    private static final TransactionStore.RollbackListener UNHEARD = (map, key, existing, restored) -> {};

    private final MVStore store;
    private final TransactionStore transactions;
    private final MVMap<Long, VersionedValue<V>> map;
    private final HashSet<MVMap<Object, VersionedValue<Object>>> snapshotOf = new HashSet<>();

    /** @param folder of the file; null to keep everything on the heap */
    @SuppressWarnings("unchecked") // the callback for snapshots is untyped
    MvTable(Path folder, DataType<V> valueType) {
        MVStore.Builder builder = new MVStore.Builder().cacheSize(CACHE_MEGABYTES);
        if (folder != null) builder.fileName(folder.resolve("race.mv").toString());
        store = builder.open();
        store.setRetentionTime(0);
        store.setVersionsToKeep(0);
        transactions = new TransactionStore(store);
        transactions.init();
        Transaction creating = transactions.begin();
        map = creating.openMap("race", LongDataType.INSTANCE, valueType).map;
        creating.commit();
        snapshotOf.add((MVMap<Object, VersionedValue<Object>>) (MVMap<?, ?>) map);
    }

    /** Writes a value under the keys from 0 up. */
    void load(long keys, LongFunction<V> values) {
        for (long first = 0; first < keys; first += LOAD_BATCH) {
            Transaction transaction = transactions.begin();
            TransactionMap<Long, V> all = in(transaction);
            for (long key = first; key < Math.min(keys, first + LOAD_BATCH); key++) all.put(key, values.apply(key));
            transaction.commit();
        }
    }

    /** Begins a transaction that locks the records that it reads and sees the newest commit. */
    Transaction beginLocking() {
        return transactions.begin(UNHEARD, LOCK_TIMEOUT_MILLIS, 0, IsolationLevel.READ_COMMITTED);
    }

    /** Begins a transaction on a snapshot of the present moment. */
    Transaction beginSnapshot() {
        Transaction transaction = transactions.begin(UNHEARD, LOCK_TIMEOUT_MILLIS, 0, IsolationLevel.SERIALIZABLE);
        transaction.markStatementStart(snapshotOf);
        return transaction;
    }

    /** Returns the map as a transaction sees it. */
    TransactionMap<Long, V> in(Transaction transaction) {
        return transaction.openMapX(map);
    }

    /** Returns whether a transaction failed by a conflict: a lock time-out, or a deadlock. */
    static boolean isConflict(MVStoreException e) {
        return e.getErrorCode() == DataUtils.ERROR_TRANSACTION_LOCKED
                || e.getErrorCode() == DataUtils.ERROR_TRANSACTIONS_DEADLOCK;
    }

    /**
     * Returns whether a contender of this name keeps its map in a file; otherwise it is on the heap, which is faster.
     */
    static boolean isInFile(String name) {
        return name.endsWith("-file");
    }

    static String settings(boolean inFile) {
        return "H2 MVStore " + Constants.VERSION_MAJOR + "." + Constants.VERSION_MINOR + "." + Constants.BUILD_ID
                + " TransactionStore, "
                + (inFile ? "file in shared memory, written once a second without sync" : "on the heap");
    }

    @Override
    public void close() {
        transactions.close();
        store.closeImmediately(); // the file is no longer needed
    }
}
