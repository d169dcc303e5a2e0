package tidepool.examples.codec;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.schema.Codec;

/**
 * Objects as JSON, by Jackson. A subclass names the type and the room:
 *
 * <pre>{@code
 * final class OrderCodec extends JacksonCodec<Order> {
 *     OrderCodec() { super(Order.class, "order", 1000); }
 * }
 * }</pre>
 */
abstract class JacksonCodec<T> implements Codec<T> {
    private static final ObjectMapper JSON = new ObjectMapper(); // may be shared by threads

    private final Class<T> type;
    private final String name;
    private final int maxBytes;

    JacksonCodec(Class<T> type, String name, int maxBytes) {
        this.type = type;
        this.name = name;
        this.maxBytes = maxBytes;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int maxBytes() {
        return maxBytes;
    }

    @Override
    public int encode(T value, MemorySegment memory, long at) {
        try {
            return SegmentBytes.write(JSON.writeValueAsBytes(value), memory, at, this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public T decode(MemorySegment memory, long at, int bytes) {
        try {
            return JSON.readValue(memory.asSlice(at, bytes).toArray(ValueLayout.JAVA_BYTE), type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
