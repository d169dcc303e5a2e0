package tidepool.schema;

import java.lang.foreign.MemorySegment;

/**
 * A codec between the objects of a type of the application and bytes, for components with {@link Encoded}:
 *
 * <pre>{@code
 * static final class MoneyCodec implements Codec<Money> {
 *     @Override
 *     public String name() {
 *         return "money";
 *     }
 *
 *     @Override
 *     public int maxBytes() {
 *         return 8;
 *     }
 *
 *     @Override
 *     public int encode(Money money, MemorySegment memory, long at) {
 *         memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, money.cents());
 *         return 8;
 *     }
 *
 *     @Override
 *     public Money decode(MemorySegment memory, long at, int bytes) {
 *         return new Money(memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
 *     }
 * }
 *
 * record Item(@Key long id, @Encoded(MoneyCodec.class) Money price) {}
 * }</pre>
 *
 * <p>Name, version and maximum are part of the schema: {@code price:codec<money/1>[8]}. A program with another version
 * does not touch the table. Equal objects should have equal bytes. Otherwise a protocol that keeps versions of single
 * attributes keeps more than it must.
 *
 * <p>One object of the class serves all threads, so it has no state.
 *
 * @param <T> the type of the component
 */
public interface Codec<T> {
    /** Returns its name in the schema: letters, digits, {@code _} and {@code -}, at most 64. */
    String name();

    /** Returns the version of its bytes, from 1 to 9999. */
    default int version() {
        return 1;
    }

    /** Returns the maximum number of bytes of an object, at least 1. */
    int maxBytes();

    /**
     * Writes an object, which is not null. There is room for {@link #maxBytes}. An exception leaves the record
     * unchanged, and comes out of the method that was given the record.
     *
     * @return the number of bytes
     */
    int encode(T value, MemorySegment memory, long at);

    /** Returns the object that {@code bytes} bytes spell, as {@link #encode} wrote them. Keeps no memory. */
    T decode(MemorySegment memory, long at, int bytes);
}
