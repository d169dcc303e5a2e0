package tidepool.examples;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.base.Randomness;
import tidepool.schema.AttributeType;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Schema;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/** Transfers on fields instead of records. Each thread has its own worker, and allocates nothing while it runs. */
public final class FieldTransfers {
    private static final int ACCOUNTS = 10;
    private static final int THREADS = 2;
    private static final int EACH = 20_000;
    private static final Schema SCHEMA =
            Schema.builder("accounts").attribute("balance", AttributeType.LONG).build();
    private static final LongField BALANCE = SCHEMA.longField("balance");

    /** A transfer. Created once and run often; its parameters are its fields. */
    private static final class Transfer implements Worker.Work {
        final TableHandle accounts;
        long from;
        long to;

        Transfer(TableHandle accounts) {
            this.accounts = accounts;
        }

        @Override
        public boolean run(Txn txn) {
            int source = txn.update(accounts, from);
            int target = txn.update(accounts, to);
            if (!txn.execute()) return false; // a conflict: the worker tries again
            if (BALANCE.get(txn.memory(), txn.value(source)) < 1) return false; // insufficient funds: no retry
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
            TableHandle accounts = pool.table(SCHEMA, ACCOUNTS);
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

    private static void transfer(Tidepool pool, TableHandle accounts, Randomness random) {
        Transfer transfer = new Transfer(accounts);
        try (Worker worker = pool.worker()) {
            for (int i = 0; i < EACH; i++) {
                transfer.from = random.nextInt(ACCOUNTS);
                transfer.to = (transfer.from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
                worker.transact(transfer);
            }
        }
    }

    private static void open(Tidepool pool, TableHandle accounts, long key) {
        pool.transact(tx -> {
            Txn txn = tx.raw(); // the fields again, in a transaction that may also use records
            int access = txn.insert(accounts, key);
            if (txn.execute()) BALANCE.set(txn.memory(), txn.value(access), 100);
        });
    }

    private static long sum(Tidepool pool, TableHandle accounts) {
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
