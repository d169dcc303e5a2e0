package tidepool.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tidepool.Cell;
import tidepool.RowPages;
import tidepool.RowWriter;
import tidepool.Sequence;
import tidepool.StripedCounter;
import tidepool.Table;
import tidepool.TableLoader;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.TransactionBody;
import tidepool.UnknownOutcomeException;
import tidepool.Worker;
import tidepool.schema.AttributeType;
import tidepool.schema.EightByteKeys;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Key;
import tidepool.schema.KeyPacker;
import tidepool.schema.Length;
import tidepool.schema.RowKey;
import tidepool.schema.SchemaChange;
import tidepool.schema.Updated;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/** The blocks of Java in {@code docs/guide}, which no other example has. A test compares them, and runs them. */
public final class GuideBlocks {
    // ---- schema.md

    @Updated("9 balance, 1 balance+owner")
    public record Account(@Key long id, @Length(32) String owner, long balance) {}

    static final KeyPacker ORDER =
            EightByteKeys.packer().bits("warehouse", 16).bits("district", 8).bits("order", 40);
    static final KeyPacker.Part DISTRICT = ORDER.part("district");

    static long key(long warehouse, long district, long order) {
        return ORDER.pack(warehouse, district, order);
    }

    static long district(long key) {
        return DISTRICT.of(key);
    }

    // ---- keys.md

    record Line(@Key @Length(12) String order, @Key int number, long amount) {}

    static void lines(Tidepool pool) {
        Table<Line> lines = pool.table("lines", Line.class);
        pool.transact(tx -> {
            lines.put(tx, new Line("A-1009", 3, 250));
            Line line = lines.get(tx, "A-1009", 3);
            Cell<Line> cell = lines.update(tx, "A-1009", 3);
            List<Line> both = lines.getAll(tx, List.of(lines.key("A-1009", 3), lines.key("A-1009", 4)));
            cell.set(new Line("A-1009", 3, line.amount() + 1));
            System.out.println(both);
        });
        RowKey key = lines.handle().schema().key().newKey();
        Worker.Work work = txn -> {
            key.setString(0, "A-1009");
            key.setLong(1, 3);
            int access = txn.read(lines.handle(), key);
            if (!txn.execute()) return false;
            System.out.println(txn.found(access));
            return true;
        };
        try (Worker worker = pool.worker()) {
            worker.read(work);
        }
    }

    // ---- sequences.md

    record Visit(@Key long id, @Length(20) String who) {}

    static void sequences(Tidepool pool) {
        Table<Visit> visits = pool.table("visits", Visit.class);
        Sequence ids = pool.sequence("visits");
        pool.transact(tx -> visits.insert(tx, new Visit(ids.next(), "alice")));
        StripedCounter total = pool.counter("visits");
        pool.transact(tx -> total.add(tx, 1));
        long all = total.sum();
        System.out.println(ids.next() + " " + all);
    }

    // ---- iteration.md

    static long iteration(Tidepool pool, Table<Account> accounts, TableHandle table) {
        long total = 0;
        RowPages<Account> pages = accounts.pages(256);
        while (pages.next()) {
            for (Account account : pages.rows()) total += account.balance();
        }

        accounts.forEach(account -> System.out.println(account));
        long rich =
                accounts.stream().filter(account -> account.balance() > 1000).count();

        LongField balance = table.schema().longField("balance");
        RowPages<Long> balances = pool.pages(table, 256, (key, memory, value) -> balance.get(memory, value));
        return total + rich + balances.stream().count();
    }

    // ---- transfer.md

    static void load(Tidepool pool, Table<Account> accounts, Iterable<Account> source, TableHandle table) {
        try (TableLoader<Account> loader = accounts.loader().resume("accounts-2026")) {
            for (Account account : source) loader.add(account);
            loader.finish();
        }

        LongField balance = table.schema().longField("balance");
        RowWriter<Long> writer = (id, key, memory, value) -> {
            key.setLong(0, id);
            balance.set(memory, value, 100);
        };
        try (TableLoader<Long> loader = pool.loader(table, writer)) {
            loader.add(170L);
            loader.finish();
        }
    }

    // ---- start.md

    static void start(String url) {
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Account> accounts = pool.table("accounts", Account.class);
            pool.transact(tx -> accounts.put(tx, new Account(17, "Ann Lee", 100)));
            Account account = pool.read(tx -> accounts.get(tx, 17));
            System.out.println(account);
        }
    }

    // ---- transactions.md

    public record Counter(@Key long page, long hits) {}

    private final Tidepool pool;
    private final Table<Account> accountTable;
    private final Table<Counter> counters;

    GuideBlocks(Tidepool pool) {
        this.pool = pool;
        this.accountTable = pool.table("accounts", Account.class);
        this.counters = pool.table("counters", Counter.class);
        this.accounts = accountTable.handle();
        this.balance = accounts.schema().longField("balance");
    }

    void count(long page) {
        Table<Account> accounts = accountTable;
        pool.transact(tx -> {
            long balance = accounts.find(tx, 17).map(Account::balance).orElse(0L);
            counters.upsert(tx, new Counter(page, 1), old -> new Counter(page, old.hits() + 1));
            Counter counter = counters.computeIfAbsent(tx, page, key -> new Counter(key, 0));
            System.out.println(balance + " " + counter);
        });
    }

    void pay(Path orders) throws IOException {
        pool.transact(tx -> {
            for (String line : Files.readAllLines(orders)) pay(tx, line);
        });
    }

    private void pay(Transaction tx, String line) {
        Cell<Account> account = accountTable.update(tx, 17);
        account.set(new Account(17, account.get().owner(), account.get().balance() - Long.parseLong(line)));
    }

    // ---- errors.md

    void report(TransactionBody<RuntimeException> body) {
        try {
            pool.transact(body);
        } catch (UnknownOutcomeException unknown) {
            Boolean happened = pool.resolve(unknown.txn()); // null: not known yet, or no longer
            System.out.println(happened == null ? "ask again later" : happened ? "committed" : "not committed");
        }
    }

    // ---- fields.md

    private final TableHandle accounts;
    private final LongField balance;

    final class Deposit implements Worker.Work {
        long account;
        long amount;

        @Override
        public boolean run(Txn txn) {
            int access = txn.update(accounts, account); // declared
            if (!txn.execute()) return false; // a conflict: the worker tries again
            long at = txn.value(access);
            balance.set(txn.memory(), at, balance.get(txn.memory(), at) + amount);
            return true; // commit; false here would roll back
        }
    }

    void deposit(long amount) {
        Deposit deposit = new Deposit();
        deposit.account = 17;
        deposit.amount = amount;
        try (Worker worker = pool.worker()) {
            worker.transact(deposit);
        }
    }

    static void changeTables(Tidepool pool) {
        pool.rename("accounts", "old_accounts");
        pool.truncate("sessions"); // all rows at once
        pool.drop("old_accounts");
    }

    record FormerAccount(
            @Key long id, int balance, @Length(8) String note) {}

    static void addAttributes(Tidepool pool) {
        pool.alter(
                "accounts",
                new SchemaChange()
                        .add("level", AttributeType.INT, "3")
                        .drop("note")
                        .widen("balance", AttributeType.LONG));
    }
}
