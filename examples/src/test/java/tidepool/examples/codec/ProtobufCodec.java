package tidepool.examples.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.schema.Codec;

/**
 * Messages of Protobuf. A subclass names the parser and the room:
 *
 * <pre>{@code
 * final class TimestampCodec extends ProtobufCodec<Timestamp> {
 *     TimestampCodec() { super(Timestamp.parser(), "timestamp", 17); }
 * }
 * }</pre>
 */
abstract class ProtobufCodec<M extends MessageLite> implements Codec<M> {
    private final Parser<M> parser;
    private final String name;
    private final int maxBytes;

    ProtobufCodec(Parser<M> parser, String name, int maxBytes) {
        this.parser = parser;
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
    public int encode(M message, MemorySegment memory, long at) {
        return SegmentBytes.write(message.toByteArray(), memory, at, this);
    }

    @Override
    public M decode(MemorySegment memory, long at, int bytes) {
        try {
            return parser.parseFrom(memory.asSlice(at, bytes).toArray(ValueLayout.JAVA_BYTE));
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }
}
