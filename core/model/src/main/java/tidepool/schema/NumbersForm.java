package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;

/** The form of an array of primitive elements: a count, then the elements, copied together. */
final class NumbersForm extends Form {
    NumbersForm(String name, AttributeType element, int most) {
        super(name, AttributeType.list(element, most));
    }

    @Override
    void write(Object value, MemorySegment memory, long at) {
        int count = Array.getLength(required(value));
        ListForm.requireFits(count, type.length(), name);
        Unaligned.putCount(memory, at, count);
        long from = at + AttributeType.COUNT_BYTES;
        if (value instanceof boolean[] truths) {
            for (int i = 0; i < count; i++) Unaligned.putByte(memory, from + i, truths[i] ? 1 : 0);
        } else {
            MemorySegment.copy(value, 0, memory, layout(), from, count);
        }
    }

    @Override
    Object read(MemorySegment memory, long at) {
        int count = sound(Unaligned.getCount(memory, at), type.length(), name);
        Object array = Array.newInstance(type.element().kind().javaType(), count);
        long from = at + AttributeType.COUNT_BYTES;
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
