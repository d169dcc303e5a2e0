package tidepool.peers;

import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.tx.Transaction;
import org.h2.mvstore.tx.TransactionMap;

/** SmallBank as transactions of MVStore that lock the records that they read. Balances are read from a snapshot. */
final class MvTeller extends AccountTeller<RuntimeException> {
    private final MvTable<PeerAccount> table;
    private final Long[] keys = new Long[MAX_ACCOUNTS];
    private final PeerAccount[] accounts = new PeerAccount[MAX_ACCOUNTS];
    private TransactionMap<Long, PeerAccount> map;

    MvTeller(MvTable<PeerAccount> table) {
        this.table = table;
    }

    @Override
    long transact(Body<RuntimeException> body) {
        while (true) {
            Transaction transaction = table.beginLocking();
            map = table.in(transaction);
            try {
                long result = body.run();
                if (result == ROLLED_BACK) transaction.rollback();
                else transaction.commit();
                return result;
            } catch (MVStoreException e) {
                if (!MvTable.isConflict(e)) throw e;
                transaction.rollback();
                aborts++;
            }
        }
    }

    @Override
    long view(Body<RuntimeException> body) {
        Transaction transaction = table.beginSnapshot();
        map = table.in(transaction);
        long result = body.run();
        transaction.commit();
        return result;
    }

    @Override
    void read(int slot, long key) {
        keys[slot] = key;
        accounts[slot] = map.lock(keys[slot]);
    }

    @Override
    void look(int slot, long key) {
        accounts[slot] = map.getFromSnapshot(key);
    }

    @Override
    long cents(int slot) {
        return accounts[slot].cents();
    }

    @Override
    void add(int slot, long more) {
        map.put(keys[slot], accounts[slot].plus(more));
    }
}
