package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.base.Words;
import tidepool.schema.Codec;
import tidepool.schema.Encoded;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Nullable;
import tidepool.schema.Schema;
import tidepool.schema.ValueFields.EnumField;
import tidepool.schema.ValueFields.InstantField;
import tidepool.schema.ValueFields.NullableField;
import tidepool.store.StoreException;
import tidepool.txn.TableHandle;

/** Records with components of all types, under every protocol. */
class ValueTypesTest {
    record Order(
            @Key long id,
            State state,
            Instant placed,
            @Nullable Duration took,
            Optional<LocalDate> due,
            UUID customer,
            BigDecimal total,
            Integer priority,
            @Length(8) @Nullable String note,
            @Length(value = 8, varying = true) String text,
            Address from,
            @Nullable Address to,
            @Length(value = 3, each = 6) List<String> tags,
            @Length(2) List<Line> lines,
            @Encoded(MoneyCodec.class) Money paid) {
        Order with(State now, Address to, Integer priority) {
            return new Order(
                    id, now, placed, took, due, customer, total, priority, note, text, from, to, tags, lines, paid);
        }
    }

    enum State {
        NEW,
        PAID
    }

    record Address(@Length(10) String street, int number) {}

    record Line(@Length(6) String sku, int count, Optional<BigDecimal> price) {}

    record Money(long cents) {}

    /** Money as a word. */
    static final class MoneyCodec implements Codec<Money> {
        @Override
        public String name() {
            return "money";
        }

        @Override
        public int maxBytes() {
            return Words.BYTES;
        }

        @Override
        public int encode(Money value, MemorySegment memory, long at) {
            for (int i = 0; i < Words.BYTES; i++)
                memory.set(ValueLayout.JAVA_BYTE, at + i, (byte) (value.cents >> 8 * i));
            return Words.BYTES;
        }

        @Override
        public Money decode(MemorySegment memory, long at, int bytes) {
            long cents = 0;
            for (int i = 0; i < bytes; i++) cents |= (memory.get(ValueLayout.JAVA_BYTE, at + i) & 0xffL) << 8 * i;
            return new Money(cents);
        }
    }

    private static Order order(long id) {
        return new Order(
                id,
                State.NEW,
                Instant.ofEpochSecond(1_700_000_000, 999_999_999),
                null,
                Optional.of(LocalDate.MAX),
                new UUID(id, -1),
                new BigDecimal("-12345678901234567890.50"),
                null,
                null,
                "a\0ü",
                new Address("Elm St", 7),
                null,
                List.of("x", "", "ünï"),
                List.of(new Line("tea", 2, Optional.of(new BigDecimal("1.50"))), new Line("", -1, Optional.empty())),
                new Money(-5));
    }

    static List<String> protocols() {
        return OwnEffectsTest.protocols();
    }

    /** Motor keeps the attributes that a version has changed: a null that comes and goes must change all its bytes. */
    @ParameterizedTest
    @MethodSource("protocols")
    void recordsOfAllTypesComeBack(String protocol) {
        try (Tidepool pool = Tidepool.open("mem:?memory=4m&protocol=" + protocol)) {
            Table<Order> orders = pool.table("orders", Order.class);
            pool.transact(tx -> {
                orders.insert(tx, order(1));
                orders.put(tx, order(2));
            });
            assertEquals(order(1), pool.read(tx -> orders.get(tx, 1)));

            Order changed = order(1).with(State.PAID, new Address("Oak", 1), 9);
            pool.transact(tx -> {
                Cell<Order> cell = orders.update(tx, 1);
                cell.set(cell.get().with(State.PAID, new Address("Oak", 1), 9));
            });
            assertEquals(changed, pool.read(tx -> orders.get(tx, 1)));
            assertEquals(order(2), pool.read(tx -> orders.get(tx, 2)));

            pool.transact(tx -> orders.put(tx, order(1)));
            assertEquals(order(1), pool.read(tx -> orders.get(tx, 1)));
        }
    }

    /** A transaction may catch the refusal and go on: the record stays what it was. */
    @ParameterizedTest
    @MethodSource("protocols")
    void refusedRecordLeavesTheStoredOne(String protocol) {
        try (Tidepool pool = Tidepool.open("mem:?memory=4m&protocol=" + protocol)) {
            Table<Order> orders = pool.table("orders", Order.class);
            pool.transact(tx -> orders.put(tx, order(1)));
            Order bad = order(1).with(State.PAID, new Address("much too long a name", 1), 9);

            String said = assertThrows(IllegalArgumentException.class, () -> pool.transact(tx -> orders.put(tx, bad)))
                    .getMessage();
            assertEquals("attribute 'to.street' holds at most 10 bytes of UTF-8, not 20", said);
            assertEquals(order(1), pool.read(tx -> orders.get(tx, 1)));
        }
    }

    /** The API on fields writes what records read. */
    @ParameterizedTest
    @MethodSource("protocols")
    void fieldsAndRecordsAgree(String protocol) {
        try (Tidepool pool = Tidepool.open("mem:?memory=4m&protocol=" + protocol);
                Worker worker = pool.worker()) {
            Table<Order> orders = pool.table("orders", Order.class);
            pool.transact(tx -> orders.put(tx, order(1)));
            TableHandle handle = orders.handle();
            NullableField priority = handle.schema().nullableField("priority");
            InstantField placed = handle.schema().instantField("placed");
            EnumField state = handle.schema().enumField("state");
            boolean done = worker.transact(txn -> {
                int access = txn.update(handle, 1);
                if (!txn.execute()) return false;
                long at = txn.value(access);
                assertTrue(priority.isNull(txn.memory(), at));
                priority.setLong(txn.memory(), at, 5);
                placed.set(txn.memory(), at, 7, 8);
                state.set(txn.memory(), at, "PAID");
                return true;
            });

            assertTrue(done);
            Order read = pool.read(tx -> orders.get(tx, 1));
            assertEquals(5, read.priority());
            assertEquals(Instant.ofEpochSecond(7, 8), read.placed());
            assertEquals(State.PAID, read.state());
            assertNull(read.took());
        }
    }

    /** A program whose enum has other constants would read wrong ones: it is refused, and both lists are shown. */
    @ParameterizedTest
    @MethodSource("protocols")
    void enumsInAnotherOrderAreTheSameAndOthersAreRefused(String protocol) {
        try (Tidepool pool = Tidepool.open("mem:?memory=4m&protocol=" + protocol)) {
            Table<First.Row> rows = pool.table("rows", First.Row.class);
            pool.transact(tx -> rows.put(tx, new First.Row(1, First.Color.RED)));
            Table<Reordered.Row> again = Reordered.table(pool);

            assertEquals(Reordered.Color.RED, pool.read(tx -> again.get(tx, 1)).color());
            String said = assertThrows(RuntimeException.class, () -> pool.table("rows", Longer.Row.class))
                    .getMessage();
            assertTrue(said.contains("enum<BLUE, RED>") && said.contains("enum<BLUE, GREEN, RED>"), said);
        }
    }

    /** One version of a program. */
    static final class First {
        enum Color {
            RED,
            BLUE
        }

        record Row(@Key long id, Color color) {}
    }

    /** Another version, with the constants in another order. */
    static final class Reordered {
        enum Color {
            BLUE,
            RED
        }

        record Row(@Key long id, Color color) {}

        static Table<Row> table(Tidepool pool) {
            return pool.table("rows", Row.class);
        }
    }

    /** A version with one more constant. */
    static final class Longer {
        enum Color {
            RED,
            GREEN,
            BLUE
        }

        record Row(@Key long id, Color color) {}
    }

    record Digest(
            @Key long id,
            @Length(4) byte[] exact,
            @Length(value = 4, varying = true) byte[] upTo) {}

    /** The length of bytes is exact, unless they are declared as varying. */
    @Test
    void bytesOfADeclaredLengthHaveIt() {
        try (Tidepool pool = Tidepool.open("mem:?memory=4m")) {
            Table<Digest> digests = pool.table("digests", Digest.class);
            pool.transact(tx -> digests.put(tx, new Digest(1, new byte[4], new byte[3])));
            assertEquals(3, pool.read(tx -> digests.get(tx, 1)).upTo().length);
            Digest shorter = new Digest(1, new byte[3], new byte[3]);
            String said = assertThrows(
                            IllegalArgumentException.class, () -> pool.transact(tx -> digests.put(tx, shorter)))
                    .getMessage();
            assertEquals("attribute 'exact' takes exactly 4 bytes, not 3", said);
        }
    }

    record Grid(@Key long id, List<List<Integer>> rows) {}

    record Row(@Length(3) List<Integer> cells) {}

    record RowGrid(@Key long id, List<Row> rows) {}

    @Test
    void listOfListsIsRefusedAndTheWayOutWorks() {
        try (Tidepool pool = Tidepool.open("mem:?memory=8m")) {
            String said = assertThrows(IllegalArgumentException.class, () -> pool.table("grids", Grid.class))
                    .getMessage();
            assertTrue(
                    said.endsWith("is a list of lists; put a record between them, which holds the inner list"), said);
            Table<RowGrid> grids = pool.table("grids", RowGrid.class, 10);
            RowGrid grid = new RowGrid(1, List.of(new Row(List.of(1, 2)), new Row(List.of())));
            pool.transact(tx -> grids.put(tx, grid));
            assertEquals(grid, pool.read(tx -> grids.get(tx, 1)));
        }
    }

    /** The whole schema has to fit into the catalog, with the names of all constants. */
    @Test
    void schemaThatIsTooLongForTheCatalogIsRefused() {
        StringBuilder names = new StringBuilder("t(a:enum<A0");
        for (int i = 1; i < 700; i++) names.append(", A").append(i);
        names.append(">)");
        try (Tidepool pool = Tidepool.open("mem:")) {
            String said = assertThrows(StoreException.class, () -> pool.table(Schema.parse(names.toString()), 10))
                    .getMessage();
            assertEquals("the schema of table t is too long to be stored", said);
        }
    }
}
