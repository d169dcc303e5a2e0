package tidepool.workload;

import java.util.ArrayList;
import java.util.List;
import tidepool.Cell;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Checks;
import tidepool.workload.measured.smallbank.SmallBankType;

/**
 * The pool of a SmallBank whose money is audited. Its transactions are {@link SmallBankType}. Nine in ten of them pick
 * their customers from a small hot set.
 */
public final class AuditedBank {
    /** Cents in every account at the beginning. */
    public static final long INITIAL_CENTS = 1_000_000;

    /** The percentage of transactions that choose from the hot customers. */
    static final int HOT_SHARE = 90;

    private static final int LOADED_AT_ONCE = 20;

    final Tidepool pool;
    final Table<Account> savings;
    final Table<Account> checking;
    final int accounts;
    final int hot;

    /**
     * Opens the bank of a pool. Creates its tables if there are none.
     *
     * @param accounts number of customers, numbered from 0
     * @param hot number of customers, from 0 on, that get nine tenths of the transactions
     */
    public AuditedBank(Tidepool pool, int accounts, int hot) {
        Checks.argument(
                accounts >= 2 && hot >= 2 && hot <= accounts, "2 or more customers, and as many or fewer hot ones");
        this.pool = pool;
        this.accounts = accounts;
        this.hot = hot;
        savings = pool.table("savings", Account.class, accounts);
        checking = pool.table("checking", Account.class, accounts);
    }

    /** Gives every customer two accounts. */
    public void load() {
        for (int first = 0; first < accounts; first += LOADED_AT_ONCE) {
            int from = first;
            int to = Math.min(accounts, first + LOADED_AT_ONCE);
            for (Table<Account> table : List.of(savings, checking))
                pool.transact(tx -> {
                    for (int id = from; id < to; id++) table.insert(tx, new Account(id, INITIAL_CENTS));
                });
        }
    }

    /**
     * Returns the balances of all accounts, savings before checking. They are of one moment only if no transaction runs
     * meanwhile.
     */
    public long[] balances() {
        long[] all = new long[2 * accounts];
        for (int first = 0; first < all.length; first += 100) {
            int from = first;
            int to = Math.min(all.length, first + 100);
            pool.transact(tx -> {
                List<Cell<Account>> cells = new ArrayList<>();
                for (int place = from; place < to; place++) {
                    Table<Account> table = place < accounts ? savings : checking;
                    cells.add(table.read(tx, place % accounts));
                }
                for (int i = 0; i < cells.size(); i++)
                    all[from + i] = cells.get(i).get().cents();
            });
        }
        return all;
    }

    /** Returns the index of a customer's savings in {@link #balances} and in a {@link TellerBook}. */
    int savingsPlace(int customer) {
        return customer;
    }

    /** Returns the index of a customer's checking account. */
    int checkingPlace(int customer) {
        return accounts + customer;
    }
}
