package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;

/** The form of an array of primitive elements: a count, then the elements, copied together. */
final class NumbersForm extends Form {
    NumbersForm(String name, AttributeType element, int most) {
        this(name, AttributeType.list(element, most));
    }

    /** @param type may be that of a long list: then only {@link #pack} and {@link #unpack} are called */
    NumbersForm(String name, AttributeType type) {
        super(name, type);
    }

    @Override
    void write(Object value, MemorySegment memory, long at) {
        int count = Array.getLength(required(value));
        ListForm.requireFits(count, type.length(), name);
        Unaligned.putCount(memory, at, count);
        write(value, count, memory, at + AttributeType.COUNT_BYTES);
    }

    private void write(Object value, int count, MemorySegment memory, long from) {
        if (value instanceof boolean[] truths) {
            for (int i = 0; i < count; i++) Unaligned.putByte(memory, from + i, truths[i] ? 1 : 0);
        } else {
            MemorySegment.copy(value, 0, memory, layout(), from, count);
        }
    }

    @Override
    void pack(Object value, PackedBytes to) {
        int count = Array.getLength(required(value));
        ListForm.requireFits(count, type.length(), name);
        to.putInt(count);
        long at = to.reserve(count * type.element().bytes());
        write(value, count, to.memory(), at);
    }

    @Override
    Object unpack(PackedReader from) {
        int count = from.count(type.length());
        long at = from.skip((long) count * type.element().bytes());
        return read(count, from.memory(), at);
    }

    @Override
    Object read(MemorySegment memory, long at) {
        int count = sound(Unaligned.getCount(memory, at), type.length(), name);
        return read(count, memory, at + AttributeType.COUNT_BYTES);
    }

    private Object read(int count, MemorySegment memory, long from) {
        Object array = Array.newInstance(type.element().kind().javaType(), count);
        if (array instanceof boolean[] truths) {
            for (int i = 0; i < count; i++) truths[i] = Unaligned.getByte(memory, from + i) != 0;
        } else {
            MemorySegment.copy(memory, layout(), from, array, 0, count);
        }
        return array;
    }

    private ValueLayout layout() {
        return switch (type.element().kind()) {
            case SHORT -> Unaligned.I16;
            case INT -> Unaligned.I32;
            case LONG -> Unaligned.I64;
            case FLOAT -> Unaligned.F32;
            case DOUBLE -> Unaligned.F64;
            case CHAR -> Unaligned.UTF16;
            default -> ValueLayout.JAVA_BYTE;
        };
    }
}
