package tidepool.examples;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tidepool.Cell;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.schema.Key;
import tidepool.txn.Priority;

/**
 * Many threads update one record, and some of them are urgent. Under HDTX urgent transactions come first in the queue
 * for its lock.
 */
public final class UrgentOrders {
    private static final int ORDERS = 200;
    private static final int URGENT_EVERY = 20;

    public record Item(@Key long id, long stock, long urgent) {
        Item sold(boolean isUrgent) {
            return new Item(id, stock - 1, isUrgent ? urgent + 1 : urgent);
        }
    }

    public static void main(String[] arguments) {
        try (Tidepool pool = Tidepool.open("mem:?protocol=hdtx")) {
            Table<Item> items = pool.table("items", Item.class);
            pool.transact(tx -> items.insert(tx, new Item(7, 1000, 0)));
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < ORDERS; i++) {
                    if (i % URGENT_EVERY == 0)
                        threads.execute(() -> pool.transact(Priority.HIGH, tx -> sell(items, tx, true)));
                    else threads.execute(() -> pool.transact(tx -> sell(items, tx, false)));
                }
            }
            Item item = pool.read(tx -> items.get(tx, 7));
            System.out.println(item);
        }
    }

    private static void sell(Table<Item> items, Transaction tx, boolean isUrgent) {
        Cell<Item> item = items.update(tx, 7);
        item.set(item.get().sold(isUrgent));
    }

    private UrgentOrders() {}
}
