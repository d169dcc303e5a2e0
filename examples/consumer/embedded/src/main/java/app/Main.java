package app;

import tidepool.Cell;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.schema.Key;

/** Moves money between two accounts of a pool, and prints what the second one has. */
public final class Main {
    public record Account(@Key long id, long balance) {
        Account plus(long amount) {
            return new Account(id, balance + amount);
        }
    }

    private Main() {}

    public static void main(String[] arguments) {
        System.out.println(run(arguments.length > 0 ? arguments[0] : "mem:"));
    }

    /** Returns the balance of account 42 after a transfer of 5. */
    public static long run(String url) {
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Account> accounts = pool.table("accounts", Account.class);
            pool.transact(tx -> {
                accounts.put(tx, new Account(17, 100));
                accounts.put(tx, new Account(42, 0));
            });
            pool.transact(tx -> {
                Cell<Account> from = accounts.update(tx, 17), to = accounts.update(tx, 42);
                from.set(from.get().plus(-5));
                to.set(to.get().plus(5));
            });
            return pool.read(tx -> accounts.get(tx, 42)).balance();
        }
    }
}
