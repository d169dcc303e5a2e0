package tidepool.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import tidepool.Cell;
import tidepool.ConflictException;
import tidepool.DuplicateKeyException;
import tidepool.Duplicates;
import tidepool.NotFoundException;
import tidepool.PoolClosedException;
import tidepool.PoolListener;
import tidepool.RecoveryReport;
import tidepool.Rollback;
import tidepool.RowPages;
import tidepool.Sequence;
import tidepool.SnapshotLostException;
import tidepool.StripedCounter;
import tidepool.Table;
import tidepool.TableLoader;
import tidepool.TableSize;
import tidepool.Tidepool;
import tidepool.TidepoolException;
import tidepool.TrafficCounts;
import tidepool.Transaction;
import tidepool.TransactionBody;
import tidepool.TransactionTooLargeException;
import tidepool.Transactor;
import tidepool.UnknownOutcomeException;
import tidepool.backup.Backup;
import tidepool.backup.BackupException;
import tidepool.backup.BackupSummary;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Key;
import tidepool.txn.TableHandle;

/**
 * The examples in the Javadoc of packages {@code tidepool} and {@code tidepool.backup}. A test compares them, and runs
 * most of them.
 */
final class JavadocBlocks {
    record Account(@Key long id, long balance) {
        Account plus(long amount) {
            return new Account(id, balance + amount);
        }
    }

    record Order(@Key long id, long customer) {}

    private final Tidepool pool;
    private final Table<Account> accounts;
    private final TransactionBody<RuntimeException> body;

    JavadocBlocks(Tidepool pool) {
        this.pool = pool;
        this.accounts = pool.table("accounts", Account.class);
        this.body = tx -> accounts.put(tx, new Account(17, 100));
    }

    static void open() {
        try (Tidepool pool = Tidepool.open("shm:/dev/shm/bank?nodes=3&replicas=2")) {
            Table<Account> accounts = pool.table("accounts", Account.class);
            pool.transact(tx -> {
                Cell<Account> from = accounts.update(tx, 17), to = accounts.update(tx, 42);
                if (from.get().balance() < 5) throw new Rollback("insufficient funds");
                from.set(from.get().plus(-5));
                to.set(to.get().plus(5));
            });
        }
    }

    static void restored(Path file, String url) throws IOException {
        BackupSummary restored = Backup.restore(file, url);
        try (Tidepool pool = Tidepool.open(url)) {
            System.out.println(restored.tables() + " of " + pool.tables().size());
        }
    }

    static void checked(Path file) throws IOException {
        try {
            Backup.check(file);
        } catch (BackupException e) {
            System.out.println(e.getMessage());
        }
    }

    static void table(Tidepool pool) {
        Table<Account> accounts = pool.table("accounts", Account.class);
        pool.transact(tx -> accounts.put(tx, new Account(17, 100)));
    }

    void transactions() {
        pool.transact(tx -> {
            Cell<Account> account = accounts.update(tx, 17); // declared; the first question sends it
            if (account.isPresent()) account.set(account.get().plus(5));
        });
        pool.transact(tx -> {
            Cell<Account> account = accounts.update(tx, 17);
            if (account.get().balance() < 5) throw new Rollback("insufficient funds");
            account.set(account.get().plus(-5));
        });
        try (Transaction tx = pool.begin()) {
            Cell<Account> account = accounts.update(tx, 17);
            account.set(account.get().plus(5));
            if (!tx.commit()) System.out.println("not committed: " + tx.abortReason());
        }
        Transactor quick = pool.within(Duration.ofMillis(50)).attempts(3);
        quick.transact(tx -> accounts.put(tx, new Account(17, 100)));
        long balance = pool.read(tx -> accounts.get(tx, 17).balance());
        System.out.println(balance);
    }

    void load(Path file) throws IOException {
        pool.transact(tx -> accounts.put(tx, parse(Files.readString(file)))); // X is IOException
    }

    private static Account parse(String line) {
        return new Account(18, Long.parseLong(line.strip()));
    }

    void conflicts() {
        try {
            pool.within(Duration.ofMillis(50)).transact(body);
        } catch (ConflictException conflict) {
            System.out.println(conflict.reason() + " after " + conflict.attempts() + " attempts");
        }
    }

    void taken() {
        try {
            pool.transact(tx -> accounts.insert(tx, new Account(17, 100)));
        } catch (DuplicateKeyException exists) {
            System.out.println("account 17 is taken");
        }
    }

    void missing() {
        try {
            pool.transact(tx -> accounts.update(tx, 18).get());
        } catch (NotFoundException missing) {
            System.out.println("there is no account 18");
        }
    }

    void closed() {
        try {
            while (true) pool.transact(body);
        } catch (PoolClosedException closed) {
            System.out.println("another thread has closed the pool");
        }
    }

    void failed() {
        try {
            pool.transact(body);
        } catch (UnknownOutcomeException unknown) {
            System.out.println("it may have happened");
        } catch (TidepoolException failed) {
            System.out.println("it did not happen: " + failed.getMessage());
        }
    }

    void tooLarge(long... keys) {
        try {
            pool.transact(tx -> accounts.getAll(tx, keys));
        } catch (TransactionTooLargeException tooLarge) {
            for (long key : keys) pool.transact(tx -> accounts.get(tx, key));
        }
    }

    void listeners() {
        pool.setListener(new PoolListener() {
            @Override
            public void noticed(int deadSession) {
                System.out.println("session " + deadSession + " is dead");
            }
        });
        pool.setListener(new PoolListener() {
            @Override
            public void recovered(RecoveryReport report) {
                System.out.println("session " + report.session() + " undone=" + report.undone());
            }
        });
    }

    void counts() {
        System.out.println(pool.statistics()); // commits=812 aborts=3 LOCKED=2 ROLLED_BACK=1 recoveries=0
        TrafficCounts before = pool.traffic();
        pool.transact(tx -> accounts.put(tx, new Account(17, 100)));
        long trips = pool.traffic().roundTrips() - before.roundTrips();
        System.out.println(trips > 0);
    }

    void numbers(Table<Order> orders, long customer) {
        Sequence ids = pool.sequence("orders");
        pool.transact(tx -> orders.insert(tx, new Order(ids.next(), customer)));
        StripedCounter visits = pool.counter("visits");
        pool.transact(tx -> visits.add(tx, 1));
        long all = visits.sum();
        System.out.println(all);
    }

    long pages() {
        long total = 0;
        RowPages<Account> pages = accounts.pages(256);
        while (pages.next()) {
            for (Account account : pages.rows()) total += account.balance();
        }
        return total;
    }

    void lost() {
        RowPages<Account> pages = accounts.pages(256);
        try {
            pages.forEach(account -> System.out.println(account));
        } catch (SnapshotLostException lost) {
            System.out.println("only the first " + pages.rowsRead() + " rows");
        }
    }

    RowPages<Long> balances(TableHandle table) {
        LongField balance = table.schema().longField("balance");
        RowPages<Long> balances = pool.pages(table, 256, (key, memory, value) -> balance.get(memory, value));
        return balances;
    }

    long load(Iterable<Account> source) {
        try (TableLoader<Account> loader = accounts.loader()) {
            for (Account account : source) loader.add(account);
            loader.finish();
        }
        try (TableLoader<Account> again = skipping()) {
            for (Account account : source) again.add(account);
            again.finish();
        }
        return pages();
    }

    private TableLoader<Account> skipping() {
        TableLoader<Account> loader = accounts.loader().onDuplicate(Duplicates.SKIP);
        return loader;
    }

    void write(TableHandle accounts) {
        LongField balance = accounts.schema().longField("balance");
        TableLoader<Long> loader = pool.loader(accounts, (id, key, memory, value) -> {
            key.setLong(0, id);
            balance.set(memory, value, 100);
        });
        try (loader) {
            loader.add(50L);
            loader.finish();
        }
    }

    long rows() {
        TableSize size = pool.size("accounts");
        System.out.println(size.rows() + " rows in " + size.bytes() + " bytes");
        return size.rows();
    }
}
