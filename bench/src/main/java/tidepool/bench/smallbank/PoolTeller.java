package tidepool.bench.smallbank;

import java.lang.foreign.MemorySegment;
import tidepool.protocol.Txn;
import tidepool.store.TableInfo;
import tidepool.store.schema.Fields.LongField;

/** SmallBank on the fields of a pool's records. Allocates nothing. */
final class PoolTeller implements Teller {
    private final Attempts attempts;
    private final TableInfo savings;
    private final TableInfo checking;
    private final LongField cents;
    private final LongField changes;

    PoolTeller(Attempts attempts, TableInfo savings, TableInfo checking) {
        this.attempts = attempts;
        this.savings = savings;
        this.checking = checking;
        cents = savings.schema().longField("cents");
        changes = savings.schema().longField("changes");
    }

    @Override
    public void amalgamate(int a, int b) {
        do {
            Txn txn = attempts.begin();
            int saved = txn.update(savings, a);
            int checked = txn.update(checking, a);
            int target = txn.update(checking, b);
            if (!txn.execute()) continue;
            long fromSavings = centsOf(txn, saved);
            long fromChecking = centsOf(txn, checked);
            add(txn, target, fromSavings + fromChecking);
            add(txn, saved, -fromSavings);
            add(txn, checked, -fromChecking);
        } while (!attempts.committed());
    }

    @Override
    public long balance(int a) {
        long sum;
        do {
            sum = 0;
            Txn txn = attempts.begin();
            int saved = txn.read(savings, a);
            int checked = txn.read(checking, a);
            if (!txn.execute()) continue;
            sum = centsOf(txn, saved) + centsOf(txn, checked);
        } while (!attempts.committed());
        return sum;
    }

    @Override
    public void depositChecking(int a, long more) {
        add(checking, a, more);
    }

    @Override
    public boolean sendPayment(int a, int b, long payment) {
        do {
            Txn txn = attempts.begin();
            int from = txn.update(checking, a);
            int to = txn.update(checking, b);
            if (!txn.execute()) continue;
            if (centsOf(txn, from) < payment) {
                attempts.rollback();
                return false;
            }
            add(txn, from, -payment);
            add(txn, to, payment);
        } while (!attempts.committed());
        return true;
    }

    @Override
    public void transactSavings(int a, long more) {
        add(savings, a, more);
    }

    @Override
    public long writeCheck(int a, long check) {
        long taken;
        do {
            taken = check;
            Txn txn = attempts.begin();
            int saved = txn.read(savings, a);
            int checked = txn.update(checking, a);
            if (!txn.execute()) continue;
            if (centsOf(txn, saved) + centsOf(txn, checked) < check) taken += Bank.PENALTY_CENTS;
            add(txn, checked, -taken);
        } while (!attempts.committed());
        return taken;
    }

    private void add(TableInfo table, int customer, long more) {
        do {
            Txn txn = attempts.begin();
            int access = txn.update(table, customer);
            if (!txn.execute()) continue;
            add(txn, access, more);
        } while (!attempts.committed());
    }

    private long centsOf(Txn txn, int access) {
        return cents.get(txn.memory(), txn.value(access));
    }

    private void add(Txn txn, int access, long more) {
        MemorySegment memory = txn.memory();
        long value = txn.value(access);
        cents.set(memory, value, cents.get(memory, value) + more);
        changes.set(memory, value, changes.get(memory, value) + 1);
    }

    @Override
    public long aborts() {
        return attempts.aborts();
    }

    @Override
    public long roundTrips() {
        return attempts.roundTrips();
    }
}
