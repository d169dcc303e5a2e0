package tidepool.examples.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.DuplicateKeyException;
import tidepool.NotFoundException;
import tidepool.Rollback;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.examples.shop.Shop.Address;
import tidepool.examples.shop.Shop.Order;
import tidepool.examples.shop.Shop.Product;
import tidepool.examples.shop.Shop.State;
import tidepool.examples.shop.Shop.Stock;

/** The shop of the tutorial: no item is sold twice, and nothing is lost, while several threads buy. */
class ShopTest {
    private static final String ANN = "ann@example.org";
    private static final String BOB = "bob@example.org";

    @TempDir
    Path folder;

    private static Shop open(Tidepool pool) {
        Shop shop = new Shop(pool);
        shop.register(ANN, "Ann Lee", new Address("1 Elm St", "Oxford"));
        shop.register(BOB, "Bob", new Address("", ""));
        shop.offer(new Product("tea", "Tea", "Leaves. ".repeat(900), new BigDecimal("4.50")), 10);
        shop.offer(new Product("cup", "Cup", "", new BigDecimal("12.00")), 3);
        return shop;
    }

    @Test
    void anOrderMovesStockAndMoney() {
        try (Tidepool pool = Tidepool.open("shm:" + folder.resolve("shop") + "?nodes=2&replicas=2&memory=64m")) {
            Shop shop = open(pool);
            long order = shop.place(ANN, Map.of("tea", 2, "cup", 1));
            assertEquals(new Stock("tea", 8, 2), shop.stockOf("tea"));
            Order placed = shop.ordersOf(ANN).getFirst();
            assertEquals(order, placed.id());
            assertEquals(new BigDecimal("21.00"), placed.total());
            assertEquals(BigDecimal.ZERO, shop.turnover());

            shop.send(order);
            assertEquals(new Stock("tea", 8, 0), shop.stockOf("tea"));
            assertEquals(new BigDecimal("21.00"), shop.turnover());
            assertEquals(State.SENT, shop.ordersOf(ANN).getFirst().state());
            assertThrows(Rollback.class, () -> shop.cancel(order));

            long second = shop.place(BOB, Map.of("cup", 2));
            shop.cancel(second);
            assertEquals(new Stock("cup", 2, 0), shop.stockOf("cup"));
            assertEquals(2, shop.placedOrders());
            assertEquals(7200, shop.product("tea").description().length());
        }
    }

    @Test
    void whatIsRefusedChangesNothing() {
        try (Tidepool pool = Tidepool.open("mem:")) {
            Shop shop = open(pool);
            assertThrows(Rollback.class, () -> shop.place(ANN, Map.of("tea", 1, "cup", 4)));
            assertThrows(NotFoundException.class, () -> shop.place("nobody@example.org", Map.of("tea", 1)));
            assertThrows(NotFoundException.class, () -> shop.place(ANN, Map.of("milk", 1)));
            assertThrows(DuplicateKeyException.class, () -> shop.register(ANN, "Ann", new Address("", "")));
            assertEquals(new Stock("tea", 10, 0), shop.stockOf("tea"));
            assertEquals(List.of(), shop.ordersOf(ANN));
            assertEquals(List.of(), shop.ordersOf("nobody@example.org"));
            assertEquals(0, shop.placedOrders());
            assertNull(shop.product("milk"));
        }
    }

    /** Under every protocol: what is available, reserved and sent is always what came in. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void buyersNeverGetMoreThanThereIs(String protocol) throws InterruptedException {
        try (Tidepool pool = Tidepool.open("mem:?timeout=60s&protocol=" + protocol)) {
            Shop shop = open(pool);
            shop.offer(new Product("tea", "Tea", "x".repeat(5000), new BigDecimal("4.50")), 190);
            AtomicInteger sent = new AtomicInteger();
            AtomicInteger placed = new AtomicInteger();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Randomness random = new Randomness(i);
                String buyer = i % 2 == 0 ? ANN : BOB;
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        buy(shop, buyer, random, placed, sent);
                    } catch (Throwable e) {
                        failure.compareAndSet(null, e);
                    }
                }));
            }
            for (Thread each : threads) each.join();
            if (failure.get() != null) throw new AssertionError(protocol, failure.get());
            Stock tea = shop.stockOf("tea");
            assertEquals(200, tea.available() + tea.reserved() + sent.get());
            assertTrue(tea.available() >= 0 && tea.reserved() >= 0, tea.toString());
            assertEquals(placed.get(), shop.placedOrders());
            List<Order> all = new ArrayList<>(shop.ordersOf(ANN));
            all.addAll(shop.ordersOf(BOB));
            assertEquals(placed.get(), all.size());
            int reserved = 0;
            for (Order each : all)
                if (each.state() == State.PLACED)
                    reserved += each.lines().getFirst().count();
            assertEquals(reserved, tea.reserved());
            BigDecimal turnover = new BigDecimal("4.50").multiply(BigDecimal.valueOf(sent.get()));
            assertEquals(0, turnover.compareTo(shop.turnover()));
        }
    }

    private static void buy(Shop shop, String buyer, Randomness random, AtomicInteger placed, AtomicInteger sent) {
        for (int round = 0; round < 40; round++) {
            int count = 1 + random.nextInt(5);
            long order;
            try {
                order = shop.place(buyer, Map.of("tea", count));
            } catch (Rollback e) {
                continue; // sold out
            }
            placed.incrementAndGet();
            switch (random.nextInt(3)) {
                case 0 -> {
                    shop.send(order);
                    sent.addAndGet(count);
                }
                case 1 -> shop.cancel(order);
                default -> {} // stays placed
            }
        }
    }
}
