package tidepool.examples.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.schema.Encoded;
import tidepool.schema.Key;
import tidepool.schema.Nullable;

/** Whole objects as JSON and as Protobuf, in one component of a record. */
class SerializersTest {
    /** A class of the application; Jackson takes any. */
    public record Order(String customer, List<Line> lines, Map<String, String> notes) {
        Order with(Line line) {
            return new Order(customer, List.of(line), notes);
        }
    }

    /** A line of an order. */
    public record Line(String sku, int count) {}

    /** Orders as JSON, at most 60,000 bytes. */
    static final class OrderCodec extends JacksonCodec<Order> {
        OrderCodec() {
            super(Order.class, "order", 60_000);
        }
    }

    /** Any structured value of Protobuf, at most 200 bytes. */
    static final class StructCodec extends ProtobufCodec<Struct> {
        StructCodec() {
            super(Struct.parser(), "struct", 200);
        }
    }

    record OrderRow(@Key long id, @Encoded(OrderCodec.class) Order order) {}

    record SettingsRow(
            @Key long id,
            @Nullable @Encoded(StructCodec.class) Struct settings) {}

    private static final Order ORDER =
            new Order("Ann", List.of(new Line("tea", 2), new Line("cup", 1)), Map.of("gift", "yes"));

    @Test
    void objectsAreKeptAsJson() {
        try (Tidepool pool = Tidepool.open("mem:")) {
            Table<OrderRow> orders = pool.table("orders", OrderRow.class);
            pool.transact(tx -> orders.put(tx, new OrderRow(1, ORDER)));
            pool.transact(tx -> {
                var row = orders.update(tx, 1);
                row.set(new OrderRow(1, row.get().order().with(new Line("pot", 3))));
            });

            assertEquals(
                    ORDER.with(new Line("pot", 3)),
                    pool.read(tx -> orders.get(tx, 1)).order());
            Order large = new Order("Bob", List.of(), Map.of("letter", "Dear sirs, ".repeat(5_000)));
            pool.transact(tx -> orders.put(tx, new OrderRow(2, large)));
            assertEquals(large, pool.read(tx -> orders.get(tx, 2)).order());
            assertTrue(orders.toString().startsWith("orders(order:longcodec<order/1>[60000])"), orders.toString());
        }
    }

    @Test
    void messagesAreKeptAsProtobuf() {
        Struct settings = Struct.newBuilder()
                .putFields("limit", Value.newBuilder().setNumberValue(5).build())
                .build();
        try (Tidepool pool = Tidepool.open("mem:")) {
            Table<SettingsRow> table = pool.table("settings", SettingsRow.class);
            pool.transact(tx -> {
                table.put(tx, new SettingsRow(1, settings));
                table.put(tx, new SettingsRow(2, null));
            });

            assertEquals(settings, pool.read(tx -> table.get(tx, 1)).settings());
            assertEquals(null, pool.read(tx -> table.get(tx, 2)).settings());
        }
    }

    /** The record is refused as a whole, and the table keeps what it had. */
    @Test
    void objectsBeyondTheirRoomAreRefused() {
        try (Tidepool pool = Tidepool.open("mem:")) {
            Table<OrderRow> orders = pool.table("orders", OrderRow.class);
            pool.transact(tx -> orders.put(tx, new OrderRow(1, ORDER)));
            OrderRow large = new OrderRow(1, new Order("x".repeat(60_000), List.of(), Map.of()));
            String said = assertThrows(IllegalArgumentException.class, () -> pool.transact(tx -> orders.put(tx, large)))
                    .getMessage();

            assertTrue(said.startsWith("order takes at most 60000 bytes, not "), said);
            assertEquals(ORDER, pool.read(tx -> orders.get(tx, 1)).order());
        }
    }
}
