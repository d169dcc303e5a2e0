package tidepool.workload;

import tidepool.Cell;
import tidepool.ConflictException;
import tidepool.Rollback;
import tidepool.Transaction;
import tidepool.UnknownOutcomeException;
import tidepool.base.Randomness;
import tidepool.workload.measured.smallbank.SmallBankDraw;
import tidepool.workload.measured.smallbank.SmallBankType;

/**
 * A client that runs transactions of an {@link AuditedBank}, one after the other, and keeps a book of the money. Used
 * by one thread.
 *
 * <p>The bodies stand in {@code SmallBankClient} too. There they are on fields of rows, as fast as a client can be, for
 * figures. Here they are on cells of the public interface, so that a process that is killed has run what applications
 * run. {@code docs/benchmarks/method.md} says more.
 */
public final class AuditedTeller {
    private final AuditedBank bank;
    private final Randomness random;
    private final TellerBook book;
    private final SmallBankDraw draw;
    private final TxnTally[] tallies = TxnTally.forEach(SmallBankType.values());
    private Transaction last;

    public AuditedTeller(AuditedBank bank, Randomness random, TellerBook book) {
        this.bank = bank;
        this.random = random;
        this.book = book;
        this.draw = new SmallBankDraw(bank.accounts, bank.hot, AuditedBank.HOT_SHARE);
    }

    /** Runs one transaction to its end and waits for its outcome. */
    public void next() {
        draw.next(random);
        SmallBankType type = draw.type();
        int a = (int) draw.first();
        int b = (int) draw.second();
        TxnTally tally = tallies[type.ordinal()];
        long start = System.nanoTime();
        try {
            bank.pool.transact(tx -> {
                last = tx;
                book.begin();
                execute(type, tx, a, b);
                // From here on the outcome is in doubt until the book records it.
                book.intend();
            });
            book.happened();
            tally.committed(System.nanoTime() - start, last.roundTrips());
        } catch (Rollback e) {
            book.begin();
            tally.rolledBack();
        } catch (ConflictException e) {
            book.begin();
            tally.gaveUp();
        } catch (UnknownOutcomeException e) {
            throw new IllegalStateException("this teller cannot go on: its book has room for one doubt", e);
        }
    }

    private void execute(SmallBankType type, Transaction tx, int a, int b) {
        switch (type) {
            case AMALGAMATE -> amalgamate(tx, a, b);
            case BALANCE -> balance(tx, a);
            case DEPOSIT_CHECKING -> depositChecking(tx, a);
            case SEND_PAYMENT -> sendPayment(tx, a, b);
            case TRANSACT_SAVINGS -> transactSavings(tx, a);
            case WRITE_CHECK -> writeCheck(tx, a);
        }
    }

    /** Moves all money of a into the checking account of b. */
    private void amalgamate(Transaction tx, int a, int b) {
        Cell<Account> savings = bank.savings.update(tx, a);
        Cell<Account> checking = bank.checking.update(tx, a);
        Cell<Account> target = bank.checking.update(tx, b);
        long all = savings.get().cents() + checking.get().cents();
        add(target, bank.checkingPlace(b), all);
        add(savings, bank.savingsPlace(a), -savings.get().cents());
        add(checking, bank.checkingPlace(a), -checking.get().cents());
    }

    private void balance(Transaction tx, int a) {
        Cell<Account> savings = bank.savings.read(tx, a);
        Cell<Account> checking = bank.checking.read(tx, a);
        if (savings.get().id() != checking.get().id()) throw new IllegalStateException("accounts of two customers");
    }

    private void depositChecking(Transaction tx, int a) {
        add(bank.checking.update(tx, a), bank.checkingPlace(a), SmallBankType.DEPOSIT_CENTS);
    }

    private void sendPayment(Transaction tx, int a, int b) {
        Cell<Account> from = bank.checking.update(tx, a);
        Cell<Account> to = bank.checking.update(tx, b);
        if (from.get().cents() < SmallBankType.PAYMENT_CENTS) throw new Rollback("insufficient funds");
        add(from, bank.checkingPlace(a), -SmallBankType.PAYMENT_CENTS);
        add(to, bank.checkingPlace(b), SmallBankType.PAYMENT_CENTS);
    }

    private void transactSavings(Transaction tx, int a) {
        add(bank.savings.update(tx, a), bank.savingsPlace(a), SmallBankType.SAVED_CENTS);
    }

    /** Writes a check. Overdrawing costs a penalty; whether it is due depends on a record that is only read. */
    private void writeCheck(Transaction tx, int a) {
        Cell<Account> savings = bank.savings.read(tx, a);
        Cell<Account> checking = bank.checking.update(tx, a);
        boolean covered = savings.get().cents() + checking.get().cents() >= SmallBankType.CHECK_CENTS;
        add(
                checking,
                bank.checkingPlace(a),
                covered ? -SmallBankType.CHECK_CENTS : -SmallBankType.CHECK_CENTS - SmallBankType.PENALTY_CENTS);
    }

    private void add(Cell<Account> cell, int place, long cents) {
        cell.set(cell.get().plus(cents));
        book.note(place, cents);
    }

    /** Returns the outcomes of the transactions, by {@link SmallBankType}. */
    public TxnTally[] tallies() {
        return tallies.clone();
    }
}
