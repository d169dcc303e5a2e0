package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A record of every type that a component may have. */
record EveryType(
        @Key long id,
        int number,
        Long boxed,
        Character letter,
        Boolean truth,
        Double real,
        @Length(6) String name,
        @Length(6) @Nullable String nick,
        @Length(value = 6, varying = true) String text,
        @Length(3) byte[] code,
        @Length(value = 9, varying = true) Optional<byte[]> blob,
        State state,
        Optional<State> before,
        Instant at,
        @Nullable Duration took,
        LocalDate day,
        Optional<UUID> uuid,
        @Length(5) BigDecimal price,
        @Nullable BigDecimal large,
        Point point,
        @Nullable Owner owner,
        Optional<Point> other,
        @Length(3) List<Long> longs,
        @Length(value = 3, each = 4) Optional<List<String>> tags,
        @Length(2) List<Optional<Item>> items,
        @Length(4) double[] weights,
        @Length(3) boolean[] flags,
        @Length(2) State[] states,
        @Encoded(TextCodec.class) StringBuilder own,
        @Encoded(TextCodec.class) @Nullable StringBuilder mayBe) {
    enum State {
        SENT,
        NEW,
        PAID
    }

    record Point(int x, short y) {}

    record Owner(@Length(4) String name, @Nullable Point home, Byte grade) {}

    record Item(
            @Length(4) String sku,
            int count,
            Optional<Point> from,
            @Length(2) List<Instant> when) {}

    /** Text as UTF-16, at most three characters. */
    static final class TextCodec implements Codec<StringBuilder> {
        @Override
        public String name() {
            return "text";
        }

        @Override
        public int version() {
            return 2;
        }

        @Override
        public int maxBytes() {
            return 6;
        }

        @Override
        public int encode(StringBuilder value, MemorySegment memory, long at) {
            for (int i = 0; i < value.length(); i++) memory.set(Unaligned.UTF16, at + 2L * i, value.charAt(i));
            return 2 * value.length();
        }

        @Override
        public StringBuilder decode(MemorySegment memory, long at, int bytes) {
            StringBuilder value = new StringBuilder();
            for (int i = 0; i < bytes / 2; i++) value.append(memory.get(Unaligned.UTF16, at + 2L * i));
            return value;
        }
    }
}
