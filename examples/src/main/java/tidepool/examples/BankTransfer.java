package tidepool.examples;

import tidepool.Cell;
import tidepool.Rollback;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.schema.Key;

/** Two accounts and a transfer between them. Several processes can open the pool at once. */
public final class BankTransfer {
    public record Account(@Key long id, long balance) {
        Account plus(long amount) {
            return new Account(id, balance + amount);
        }
    }

    public static void main(String[] arguments) {
        String url = arguments.length > 0 ? arguments[0] : "mem:";
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Account> accounts = pool.table("accounts", Account.class);
            pool.transact(tx -> {
                accounts.put(tx, new Account(17, 100));
                accounts.put(tx, new Account(42, 0));
            });
            pool.transact(tx -> {
                Cell<Account> from = accounts.update(tx, 17), to = accounts.update(tx, 42);
                if (from.get().balance() < 5) throw new Rollback("insufficient funds");
                from.set(from.get().plus(-5)); // the first get() locked and read both, in one round trip
                to.set(to.get().plus(5));
            }); // one more round trip: all replicas have it
            Account account = pool.read(tx -> accounts.get(tx, 42));
            System.out.println(account);
        }
    }

    private BankTransfer() {}
}
