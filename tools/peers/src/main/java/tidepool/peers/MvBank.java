package tidepool.peers;

import org.h2.mvstore.tx.Transaction;
import org.h2.mvstore.tx.TransactionMap;
import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankOptions;
import tidepool.bench.smallbank.Teller;
import tidepool.bench.smallbank.Totals;

/**
 * {@code mvstore} on the heap and {@code mvstore-file} in a file: H2's storage engine without its SQL. It is
 * serializable, because writing transactions lock every record that they read. Both accounts of all customers lie in
 * one map; keys are locked in their order.
 */
public final class MvBank implements Bank {
    private final int customers;
    private final boolean inFile;
    private final MvTable<PeerAccount> table;

    public MvBank(BankOptions options) {
        customers = options.customers();
        inFile = MvTable.isInFile(options.name());
        table = new MvTable<>(inFile ? options.folder() : null, new AccountType());
        table.load(2L * customers, key -> new PeerAccount(INITIAL_CENTS, 0));
    }

    @Override
    public Teller teller() {
        return new MvTeller(table);
    }

    @Override
    public Totals totals() {
        Transaction transaction = table.beginSnapshot();
        TransactionMap<Long, PeerAccount> map = table.in(transaction);
        long cents = 0;
        long changes = 0;
        for (long key = 0; key < 2L * customers; key++) {
            PeerAccount account = map.getFromSnapshot(key);
            cents += account.cents();
            changes += account.changes();
        }
        transaction.commit();
        return new Totals(cents, changes);
    }

    @Override
    public String settings() {
        return MvTable.settings(inFile) + ", writers lock every read, readers see a snapshot, no replicas";
    }

    @Override
    public void close() {
        table.close();
    }
}
