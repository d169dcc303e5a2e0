package tidepool.examples;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.schema.Codec;
import tidepool.schema.Encoded;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Nullable;

/** The blocks of Java in {@code docs/guide/types.md}: a record whose components have all types. A test runs them. */
public final class TypeBlocks {
    private static final ValueLayout.OfLong CENTS = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private TypeBlocks() {}

    enum State {
        NEW,
        PAID
    }

    record Address(@Length(20) String street, @Length(20) String city) {}

    record Line(int article, int count) {}

    record Money(long cents) {}

    // ---- types.md

    record Order(
            @Key long id,
            State state,
            Instant placed,
            @Nullable Instant closed,
            Optional<LocalDate> due,
            Integer priority,
            UUID customer,
            @Length(18) BigDecimal total,
            @Length(40) String note,
            @Length(value = 40, varying = true) String raw,
            Address billing,
            @Nullable Address shipping,
            @Length(20) List<Line> lines,
            @Length(value = 5, each = 12) List<String> tags,
            @Length(8) List<Integer> counts,
            @Encoded(MoneyCodec.class) Money paid) {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Article(
            @Key long id,
            String text,
            @Length(100_000) @Nullable String summary,
            byte[] picture,
            List<String> tags,
            List<Comment> comments) {}

    record Comment(String author, Instant at, String text) {}

    static final class MoneyCodec implements Codec<Money> {
        @Override
        public String name() {
            return "money";
        }

        @Override
        public int maxBytes() {
            return 8;
        }

        @Override
        public int encode(Money money, MemorySegment memory, long at) {
            memory.set(CENTS, at, money.cents());
            return 8;
        }

        @Override
        public Money decode(MemorySegment memory, long at, int bytes) {
            return new Money(memory.get(CENTS, at));
        }
    }

    static void types(Tidepool pool) {
        Table<Order> orders = pool.table("typed", Order.class);
        Order order = new Order(
                1,
                State.NEW,
                Instant.EPOCH,
                null,
                Optional.of(LocalDate.EPOCH),
                null,
                new UUID(1, 2),
                new BigDecimal("12.50"),
                "soon",
                "\0",
                new Address("Rue 1", "Paris"),
                null,
                List.of(new Line(7, 2)),
                List.of("gift"),
                List.of(3),
                new Money(1250));
        pool.transact(tx -> orders.put(tx, order));
        Order read = pool.read(tx -> orders.get(tx, 1));
        System.out.println(read.total() + " " + read.lines() + " " + read.due().orElseThrow() + " " + read.paid());
    }
}
