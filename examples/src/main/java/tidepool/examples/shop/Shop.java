package tidepool.examples.shop;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tidepool.Cell;
import tidepool.Rollback;
import tidepool.Sequence;
import tidepool.StripedCounter;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Nullable;
import tidepool.schema.RowKey;

/** The shop of {@code docs/guide/tutorial.md}. Threads and processes may share its pool. A test runs it. */
public final class Shop {
    // ---- tutorial.md: records

    public record Customer(@Key @Length(40) String email, String name, Address address, int orders) {}

    public record Address(
            @Length(60) String street, @Length(40) String city) {}

    public record Product(
            @Key @Length(16) String sku,
            String title,
            String description,
            @Length(12) BigDecimal price) {}

    public record Stock(@Key @Length(16) String sku, int available, int reserved) {}

    public record Order(
            @Key long id,
            @Length(40) String customer,
            State state,
            Instant placed,
            @Nullable Instant sent,
            List<Line> lines,
            @Length(14) BigDecimal total) {}

    public record Line(
            @Length(16) String sku, int count, @Length(12) BigDecimal price) {}

    public enum State {
        PLACED,
        SENT,
        CANCELLED
    }

    public record OrderOfCustomer(
            @Key @Length(40) String customer, @Key int number, long order) {}

    // ---- tutorial.md: tables

    private final Tidepool pool;
    private final Table<Customer> customers;
    private final Table<Product> products;
    private final Table<Stock> stock;
    private final Table<Order> orders;
    private final Table<OrderOfCustomer> ordersOfCustomers;
    private final Sequence orderIds;
    private final StripedCounter placed;

    public Shop(Tidepool pool) {
        this.pool = pool;
        customers = pool.table("customers", Customer.class);
        products = pool.table("products", Product.class);
        stock = pool.table("stock", Stock.class);
        orders = pool.table("orders", Order.class);
        ordersOfCustomers = pool.table("ordersOfCustomers", OrderOfCustomer.class);
        orderIds = pool.sequence("orders");
        placed = pool.counter("placedOrders");
    }

    // ---- tutorial.md: customers and products

    public void register(String email, String name, Address address) {
        pool.transact(tx -> customers.insert(tx, new Customer(email, name, address, 0)));
    }

    public void offer(Product product, int count) {
        pool.transact(tx -> {
            products.put(tx, product);
            stock.upsert(
                    tx,
                    new Stock(product.sku(), count, 0),
                    old -> new Stock(old.sku(), old.available() + count, old.reserved()));
        });
    }

    // ---- tutorial.md: placing an order

    public long place(String customer, Map<String, Integer> wanted) {
        return pool.compute(tx -> {
            long id = orderIds.next();
            Cell<Customer> buyer = customers.update(tx, customer);
            List<Cell<Stock>> shelves = new ArrayList<>();
            List<Cell<Product>> offers = new ArrayList<>();
            for (String sku : new TreeMap<>(wanted).keySet()) {
                shelves.add(stock.update(tx, sku));
                offers.add(products.read(tx, sku));
            }
            List<Line> lines = new ArrayList<>();
            for (int i = 0; i < shelves.size(); i++) {
                Stock shelf = shelves.get(i).get(); // the first get() locks and reads everything declared so far
                int count = wanted.get(shelf.sku());
                if (shelf.available() < count) throw new Rollback("only " + shelf.available() + " of " + shelf.sku());
                shelves.get(i).set(new Stock(shelf.sku(), shelf.available() - count, shelf.reserved() + count));
                lines.add(new Line(shelf.sku(), count, offers.get(i).get().price()));
            }
            Customer was = buyer.get();
            buyer.set(new Customer(was.email(), was.name(), was.address(), was.orders() + 1));
            orders.insert(tx, new Order(id, customer, State.PLACED, Instant.now(), null, lines, total(lines)));
            ordersOfCustomers.insert(tx, new OrderOfCustomer(customer, was.orders() + 1, id));
            placed.add(tx, 1);
            return id;
        });
    }

    private static BigDecimal total(List<Line> lines) {
        BigDecimal total = BigDecimal.ZERO;
        for (Line line : lines) total = total.add(line.price().multiply(BigDecimal.valueOf(line.count())));
        return total;
    }

    // ---- tutorial.md: sending and cancelling

    public void send(long order) {
        pool.transact(tx -> leave(tx, order, State.SENT));
    }

    public void cancel(long order) {
        pool.transact(tx -> leave(tx, order, State.CANCELLED));
    }

    /** Ends an order: what was reserved leaves the shop, or is available again. */
    private void leave(Transaction tx, long id, State state) {
        Cell<Order> cell = orders.update(tx, id);
        Order order = cell.get();
        if (order.state() != State.PLACED) throw new Rollback("order " + id + " is " + order.state());
        Instant sent = state == State.SENT ? Instant.now() : null;
        cell.set(new Order(id, order.customer(), state, order.placed(), sent, order.lines(), order.total()));
        List<Cell<Stock>> shelves = new ArrayList<>();
        for (Line line : order.lines()) shelves.add(stock.update(tx, line.sku()));
        for (int i = 0; i < shelves.size(); i++) {
            Stock shelf = shelves.get(i).get();
            int count = order.lines().get(i).count();
            int back = state == State.CANCELLED ? count : 0;
            shelves.get(i).set(new Stock(shelf.sku(), shelf.available() + back, shelf.reserved() - count));
        }
    }

    // ---- tutorial.md: reading

    public List<Order> ordersOf(String email) {
        return pool.read(tx -> {
            Customer customer = customers.get(tx, email);
            if (customer == null) return List.of();
            List<RowKey> keys = new ArrayList<>();
            for (int number = 1; number <= customer.orders(); number++) keys.add(ordersOfCustomers.key(email, number));
            long[] ids = ordersOfCustomers.getAll(tx, keys).stream()
                    .mapToLong(OrderOfCustomer::order)
                    .toArray();
            return orders.getAll(tx, ids);
        });
    }

    public Product product(String sku) {
        return pool.read(tx -> products.get(tx, sku));
    }

    public Stock stockOf(String sku) {
        return pool.read(tx -> stock.get(tx, sku));
    }

    public long placedOrders() {
        return placed.sum();
    }

    public BigDecimal turnover() {
        return orders.stream()
                .filter(order -> order.state() == State.SENT)
                .map(Order::total)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    // ---- tutorial.md: the program

    public static void main(String[] arguments) {
        try (Tidepool pool = Tidepool.open(arguments.length > 0 ? arguments[0] : "mem:")) {
            Shop shop = new Shop(pool);
            shop.register("ann@example.org", "Ann Lee", new Address("1 Elm St", "Oxford"));
            shop.offer(new Product("tea", "Green tea", "From the hills. ".repeat(400), new BigDecimal("4.50")), 10);
            shop.offer(new Product("cup", "Cup", "White.", new BigDecimal("12.00")), 3);
            long first = shop.place("ann@example.org", Map.of("tea", 2, "cup", 1));
            long second = shop.place("ann@example.org", Map.of("tea", 8));
            shop.send(first);
            shop.cancel(second);
            System.out.println(shop.ordersOf("ann@example.org").size() + " orders, turnover " + shop.turnover());
            System.out.println(shop.stockOf("tea"));
            System.out.println(shop.product("tea").description().length() + " characters about tea");
        }
    }
}
