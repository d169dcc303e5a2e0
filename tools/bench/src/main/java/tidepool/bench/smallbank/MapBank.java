package tidepool.bench.smallbank;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import tidepool.workload.measured.smallbank.SmallBankType;

/**
 * {@code chm}: a {@link ConcurrentHashMap} of accounts that are changed in place under one of 16,384 locks, chosen by
 * the customer and taken in order. It is serializable, and about the upper limit of Java in one process. It is neither
 * durable nor replicated.
 */
public final class MapBank implements Bank {
    private static final int STRIPES = 1 << 14;

    private final ConcurrentHashMap<Long, Account> accounts;
    private final ReentrantLock[] locks = new ReentrantLock[STRIPES];

    /** An account, guarded by the lock of its customer. */
    private static final class Account {
        long cents = INITIAL_CENTS;
        long changes;

        void add(long more) {
            cents += more;
            changes++;
        }
    }

    public MapBank(BankOptions options) {
        int customers = options.customers();
        accounts = new ConcurrentHashMap<>(4 * customers);
        for (int i = 0; i < STRIPES; i++) locks[i] = new ReentrantLock();
        for (int customer = 0; customer < customers; customer++) {
            accounts.put(savingsKey(customer), new Account());
            accounts.put(checkingKey(customer), new Account());
        }
    }

    private static long savingsKey(int customer) {
        return 2L * customer;
    }

    private static long checkingKey(int customer) {
        return 2L * customer + 1;
    }

    @Override
    public Teller teller() {
        return new MapTeller();
    }

    @Override
    public Totals totals() {
        Totals sum = new Totals(0, 0);
        for (Account account : accounts.values()) sum = sum.plus(account.cents, account.changes);
        return sum;
    }

    @Override
    public String settings() {
        return "ConcurrentHashMap, 16384 striped locks, one process, no replicas";
    }

    @Override
    public void close() {
        accounts.clear();
    }

    private final class MapTeller implements Teller {
        private Account savings(int customer) {
            return accounts.get(savingsKey(customer));
        }

        private Account checking(int customer) {
            return accounts.get(checkingKey(customer));
        }

        private void lock(int a, int b) {
            int first = Math.min(stripe(a), stripe(b));
            int second = Math.max(stripe(a), stripe(b));
            locks[first].lock();
            if (second != first) locks[second].lock();
        }

        private void unlock(int a, int b) {
            locks[stripe(a)].unlock();
            if (stripe(a) != stripe(b)) locks[stripe(b)].unlock();
        }

        private static int stripe(int customer) {
            return customer & STRIPES - 1;
        }

        @Override
        public void amalgamate(int a, int b) {
            lock(a, b);
            try {
                Account savings = savings(a);
                Account checking = checking(a);
                checking(b).add(savings.cents + checking.cents);
                savings.add(-savings.cents);
                checking.add(-checking.cents);
            } finally {
                unlock(a, b);
            }
        }

        @Override
        public long balance(int a) {
            lock(a, a);
            try {
                return savings(a).cents + checking(a).cents;
            } finally {
                unlock(a, a);
            }
        }

        @Override
        public void depositChecking(int a, long cents) {
            lock(a, a);
            try {
                checking(a).add(cents);
            } finally {
                unlock(a, a);
            }
        }

        @Override
        public boolean sendPayment(int a, int b, long cents) {
            lock(a, b);
            try {
                Account from = checking(a);
                if (from.cents < cents) return false;
                from.add(-cents);
                checking(b).add(cents);
                return true;
            } finally {
                unlock(a, b);
            }
        }

        @Override
        public void transactSavings(int a, long cents) {
            lock(a, a);
            try {
                savings(a).add(cents);
            } finally {
                unlock(a, a);
            }
        }

        @Override
        public long writeCheck(int a, long cents) {
            lock(a, a);
            try {
                Account checking = checking(a);
                long taken = savings(a).cents + checking.cents >= cents ? cents : cents + SmallBankType.PENALTY_CENTS;
                checking.add(-taken);
                return taken;
            } finally {
                unlock(a, a);
            }
        }

        @Override
        public long aborts() {
            return 0;
        }
    }
}
