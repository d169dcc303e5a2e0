package tidepool.workload.measured.smallbank;

import java.util.List;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;
import tidepool.workload.measured.BookClient;

/** A SmallBank client. Its changes to each of the two tables go into its book. */
final class SmallBankClient extends BookClient {
    private final TableLayout savings;
    private final TableLayout checking;
    private final TableLayout names;
    private final SmallBankDraw draw;
    private SmallBankType type;
    private long first;
    private long second;

    SmallBankClient(SmallBank bank, List<TableLayout> tables, int number, long seed) {
        super(bank.books().size(), number, seed);
        savings = tables.get(SmallBank.SAVINGS);
        checking = tables.get(SmallBank.CHECKING);
        names = bank.names ? tables.get(SmallBank.NAMES) : null;
        draw = new SmallBankDraw(bank.accounts, bank.hot, bank.hotShare);
    }

    @Override
    public int draw() {
        draw.next(random);
        type = draw.type();
        first = draw.first();
        second = draw.second();
        return type.ordinal();
    }

    @Override
    protected boolean attempt(Txn txn) {
        if (names != null && !lookUp(txn)) return false;
        return switch (type) {
            case AMALGAMATE -> amalgamate(txn);
            case BALANCE -> balance(txn);
            case DEPOSIT_CHECKING -> add(txn, checking, SmallBank.CHECKING, SmallBankType.DEPOSIT_CENTS);
            case SEND_PAYMENT -> sendPayment(txn);
            case TRANSACT_SAVINGS -> add(txn, savings, SmallBank.SAVINGS, SmallBankType.SAVED_CENTS);
            case WRITE_CHECK -> writeCheck(txn);
        };
    }

    private boolean lookUp(Txn txn) {
        boolean two = type == SmallBankType.AMALGAMATE || type == SmallBankType.SEND_PAYMENT;
        int one = txn.read(names, SmallBank.name(first));
        int other = two ? txn.read(names, SmallBank.name(second)) : one;
        if (!txn.execute()) return false;
        if (customer(txn, one) != first || two && customer(txn, other) != second) note(SmallBank.WRONG, 1);
        return true;
    }

    private static long customer(Txn txn, int access) {
        return txn.found(access) ? SmallBank.CUSTOMER.get(txn.memory(), txn.value(access)) : -1;
    }

    /** Moves all money of the first customer into the checking account of the second. */
    private boolean amalgamate(Txn txn) {
        int saved = txn.update(savings, first);
        int checked = txn.update(checking, first);
        int target = txn.update(checking, second);
        if (!txn.execute()) return false;
        long fromSavings = cents(txn, saved);
        long fromChecking = cents(txn, checked);
        change(txn, saved, SmallBank.SAVINGS, -fromSavings);
        change(txn, checked, SmallBank.CHECKING, -fromChecking);
        change(txn, target, SmallBank.CHECKING, fromSavings + fromChecking);
        return true;
    }

    private boolean balance(Txn txn) {
        int saved = txn.read(savings, first);
        int checked = txn.read(checking, first);
        if (!txn.execute()) return false;
        if (!txn.found(saved) || !txn.found(checked)) note(SmallBank.WRONG, 1);
        return true;
    }

    private boolean add(Txn txn, TableLayout table, int entry, long amount) {
        int access = txn.update(table, first);
        if (!txn.execute()) return false;
        change(txn, access, entry, amount);
        return true;
    }

    /** Gives up if the first customer has too little money, a failure that the specification expects. */
    private boolean sendPayment(Txn txn) {
        int source = txn.update(checking, first);
        int target = txn.update(checking, second);
        if (!txn.execute()) return false;
        if (cents(txn, source) < SmallBankType.PAYMENT_CENTS) {
            miss();
            return false;
        }
        change(txn, source, SmallBank.CHECKING, -SmallBankType.PAYMENT_CENTS);
        change(txn, target, SmallBank.CHECKING, SmallBankType.PAYMENT_CENTS);
        return true;
    }

    /** Writes a check. Overdrawing costs a penalty; whether it is due depends on a record that is only read. */
    private boolean writeCheck(Txn txn) {
        int saved = txn.read(savings, first);
        int checked = txn.update(checking, first);
        if (!txn.execute()) return false;
        boolean covered = cents(txn, saved) + cents(txn, checked) >= SmallBankType.CHECK_CENTS;
        change(
                txn,
                checked,
                SmallBank.CHECKING,
                covered ? -SmallBankType.CHECK_CENTS : -SmallBankType.CHECK_CENTS - SmallBankType.PENALTY_CENTS);
        return true;
    }

    private static long cents(Txn txn, int access) {
        return txn.found(access) ? SmallBank.CENTS.get(txn.memory(), txn.value(access)) : 0;
    }

    private void change(Txn txn, int access, int entry, long amount) {
        note(entry, amount);
        if (txn.found(access)) SmallBank.CENTS.set(txn.memory(), txn.value(access), cents(txn, access) + amount);
        else note(SmallBank.WRONG, 1);
    }
}
