package tidepool.peers;

import tidepool.bench.smallbank.Teller;
import tidepool.workload.measured.smallbank.SmallBankType;

/**
 * The six transactions on a store that reads accounts and writes them back inside its own transactions. An account that
 * is written is read for writing first, always in the order of the keys, so that transactions that take locks cannot
 * deadlock.
 *
 * <pre>
 *   key of a customer's savings:  2c        key of the checking account:  2c + 1
 *   slot: the place of an account among those that one transaction reads, 0 to 2
 * </pre>
 *
 * @param <E> the exception of the store, such as a conflict; {@link #transact} handles it
 */
abstract class AccountTeller<E extends Exception> implements Teller {
    /** The highest number of accounts of one transaction. */
    static final int MAX_ACCOUNTS = 3;

    /** The result of a body that has to be rolled back. */
    static final long ROLLED_BACK = Long.MIN_VALUE;

    /** Attempts that had to be retried. */
    long aborts;

    /** The work between begin and commit. */
    @FunctionalInterface
    interface Body<E extends Exception> {
        long run() throws E;
    }

    static long savings(int customer) {
        return 2L * customer;
    }

    static long checking(int customer) {
        return 2L * customer + 1;
    }

    /** Runs a body in a transaction, and retries it until it has committed or asked for a rollback. */
    abstract long transact(Body<E> body);

    /** Runs a body that only reads, by {@link #look}. */
    long view(Body<E> body) {
        return transact(body);
    }

    /** Reads an account into a slot, and locks it until the transaction has ended. */
    abstract void read(int slot, long key) throws E;

    /** Reads an account into a slot inside {@link #view}. */
    void look(int slot, long key) throws E {
        read(slot, key);
    }

    /** Returns the cents that were read into a slot. */
    abstract long cents(int slot);

    /** Writes the account of a slot back, with this amount added and its number of changes incremented. */
    abstract void add(int slot, long more) throws E;

    @Override
    public final void amalgamate(int a, int b) {
        transact(() -> {
            if (b < a) read(2, checking(b));
            read(0, savings(a));
            read(1, checking(a));
            if (b > a) read(2, checking(b));
            add(2, cents(0) + cents(1));
            add(0, -cents(0));
            add(1, -cents(1));
            return 0;
        });
    }

    @Override
    public final long balance(int a) {
        return view(() -> {
            look(0, savings(a));
            look(1, checking(a));
            return cents(0) + cents(1);
        });
    }

    @Override
    public final void depositChecking(int a, long cents) {
        addTo(checking(a), cents);
    }

    @Override
    public final boolean sendPayment(int a, int b, long cents) {
        return transact(() -> {
                    if (b < a) read(1, checking(b));
                    read(0, checking(a));
                    if (b > a) read(1, checking(b));
                    if (cents(0) < cents) return ROLLED_BACK;
                    add(0, -cents);
                    add(1, cents);
                    return 0;
                })
                != ROLLED_BACK;
    }

    @Override
    public final void transactSavings(int a, long cents) {
        addTo(savings(a), cents);
    }

    private void addTo(long key, long cents) {
        transact(() -> {
            read(0, key);
            add(0, cents);
            return 0;
        });
    }

    @Override
    public final long writeCheck(int a, long cents) {
        return transact(() -> {
            read(0, savings(a));
            read(1, checking(a));
            long taken = cents(0) + cents(1) >= cents ? cents : cents + SmallBankType.PENALTY_CENTS;
            add(1, -taken);
            return taken;
        });
    }

    @Override
    public final long aborts() {
        return aborts;
    }
}
