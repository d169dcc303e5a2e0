package tidepool.examples;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.base.Randomness;
import tidepool.protocol.Txn;
import tidepool.store.TableInfo;
import tidepool.store.schema.Fields.LongField;
import tidepool.store.schema.Schema;
import tidepool.store.schema.Type;

/** Transfers on fields instead of records: each thread has a worker of its own, and makes no garbage while it runs. */
public final class FieldTransfers {
    private static final int ACCOUNTS = 10;
    private static final int THREADS = 2;
    private static final int EACH = 20_000;
    private static final Schema SCHEMA =
            Schema.builder("accounts").attribute("balance", Type.LONG).build();
    private static final LongField BALANCE = SCHEMA.longField("balance");

    /** Made once and run often: what a transfer needs are its fields. */
    private static final class Transfer implements Worker.Work {
        final TableInfo accounts;
        long from;
        long to;

        Transfer(TableInfo accounts) {
            this.accounts = accounts;
        }

        @Override
        public boolean run(Txn txn) {
            int source = txn.update(accounts, from);
            int target = txn.update(accounts, to);
            if (!txn.execute()) return false; // somebody was faster: the worker tries again
            if (BALANCE.get(txn.memory(), txn.value(source)) < 1) return false; // insufficient funds: it does not
            add(txn, source, -1);
            add(txn, target, 1);
            return true;
        }

        private static void add(Txn txn, int access, long amount) {
            long at = txn.value(access);
            BALANCE.set(txn.memory(), at, BALANCE.get(txn.memory(), at) + amount);
        }
    }

    public static void main(String[] arguments) {
        try (Tidepool pool = Tidepool.open("mem:")) {
            TableInfo accounts = pool.table(SCHEMA, ACCOUNTS);
            for (long key = 0; key < ACCOUNTS; key++) open(pool, accounts, key);
            try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
                for (int i = 0; i < THREADS; i++) {
                    int number = i;
                    threads.execute(() -> transfer(pool, accounts, new Randomness(number)));
                }
            }
            System.out.println(THREADS * EACH + " transfers, " + sum(pool, accounts) + " in " + ACCOUNTS + " accounts");
        }
    }

    private static void transfer(Tidepool pool, TableInfo accounts, Randomness random) {
        Transfer transfer = new Transfer(accounts);
        try (Worker worker = pool.worker()) {
            for (int i = 0; i < EACH; i++) {
                transfer.from = random.nextInt(ACCOUNTS);
                transfer.to = (transfer.from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
                worker.transact(transfer);
            }
        }
    }

    private static void open(Tidepool pool, TableInfo accounts, long key) {
        pool.transact(tx -> {
            Txn txn = tx.raw(); // the same fields, inside a transaction that may also use records
            int access = txn.insert(accounts, key);
            if (txn.execute()) BALANCE.set(txn.memory(), txn.value(access), 100);
        });
    }

    private static long sum(Tidepool pool, TableInfo accounts) {
        long[] sum = new long[1];
        try (Worker worker = pool.worker()) {
            worker.read(txn -> {
                for (long key = 0; key < ACCOUNTS; key++) txn.read(accounts, key);
                if (!txn.execute()) return false;
                sum[0] = 0;
                for (int access = 0; access < ACCOUNTS; access++)
                    sum[0] += BALANCE.get(txn.memory(), txn.value(access));
                return true;
            });
        }
        return sum[0];
    }

    private FieldTransfers() {}
}
