package tidepool.workload;

import java.util.ArrayList;
import java.util.List;
import tidepool.Cell;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Checks;
import tidepool.base.Randomness;

/**
 * SmallBank (Cahill, Röhm, Fekete, SIGMOD 2008) as the papers run it. Every customer has a savings and a checking
 * account. There are six short transactions. Nine in ten of them pick their customers from a small hot set.
 *
 * <pre>
 *   transaction        share   writes                            reads
 *   amalgamate          15 %   both accounts of a, checking of b
 *   balance             15 %                                     both accounts of a
 *   deposit-checking    15 %   checking of a
 *   send-payment        25 %   checking of a, checking of b
 *   transact-savings    15 %   savings of a
 *   write-check         15 %   checking of a                     savings of a
 * </pre>
 */
public final class AuditedBank {
    /** Cents in every account at the beginning. */
    public static final long INITIAL_CENTS = 1_000_000;

    private static final int LOADED_AT_ONCE = 20;

    /** The six transactions, with their share in percent. */
    public enum Kind {
        AMALGAMATE(15),
        BALANCE(15),
        DEPOSIT_CHECKING(15),
        SEND_PAYMENT(25),
        TRANSACT_SAVINGS(15),
        WRITE_CHECK(15);

        private final int percent;

        Kind(int percent) {
            this.percent = percent;
        }

        /** Draws a transaction according to the shares. */
        static Kind draw(Randomness random) {
            int drawn = random.nextInt(100);
            for (Kind kind : values()) {
                if (drawn < kind.percent) return kind;
                drawn -= kind.percent;
            }
            throw new IllegalStateException("the shares add up to less than 100");
        }
    }

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
