package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.RandomAccess;

/** The form of a {@code List} or an array of objects: a count, then the elements. */
final class ListForm extends Form {
    private final Form element;
    private final Class<?> array; // the class of the elements of an array; null for a List

    ListForm(String name, Form element, int most, Class<?> array) {
        this(name, AttributeType.list(element.type, most), element, array);
    }

    /** @param type may be that of a long list: then only {@link #pack} and {@link #unpack} are called */
    ListForm(String name, AttributeType type, Form element, Class<?> array) {
        super(name, type);
        this.element = element;
        this.array = array;
    }

    @Override
    void bind(MethodHandles.Lookup lookup) throws IllegalAccessException {
        element.bind(lookup);
    }

    @Override
    void write(Object value, MemorySegment memory, long at) {
        if (!(required(value) instanceof List<?> list)) writeArray((Object[]) value, memory, at);
        else if (list instanceof RandomAccess) writeList(list, memory, at);
        else writeArray(list.toArray(), memory, at);
    }

    private void writeArray(Object[] elements, MemorySegment memory, long at) {
        requireFits(elements.length, type.length(), name);
        Unaligned.putCount(memory, at, elements.length);
        for (int i = 0; i < elements.length; i++) element.write(elements[i], memory, place(at, i));
    }

    private void writeList(List<?> list, MemorySegment memory, long at) {
        int count = list.size();
        requireFits(count, type.length(), name);
        Unaligned.putCount(memory, at, count);
        for (int i = 0; i < count; i++) element.write(list.get(i), memory, place(at, i));
    }

    @Override
    void pack(Object value, PackedBytes to) {
        Object[] elements = required(value) instanceof List<?> list ? list.toArray() : (Object[]) value;
        requireFits(elements.length, type.length(), name);
        to.putInt(elements.length);
        for (Object each : elements) element.pack(each, to);
    }

    @Override
    Object unpack(PackedReader from) {
        int count = from.count(type.length());
        // A damaged count must not take memory that the bytes cannot fill: every element has at least one byte.
        from.require(count);
        Object[] elements = array == null ? new Object[count] : (Object[]) Array.newInstance(array, count);
        for (int i = 0; i < count; i++) elements[i] = element.unpack(from);
        return array == null ? Collections.unmodifiableList(Arrays.asList(elements)) : elements;
    }

    static void requireFits(int count, int most, String name) {
        if (count > most)
            throw new IllegalArgumentException(
                    "attribute '" + name + "' holds at most " + most + " elements, not " + count);
    }

    private long place(long at, int index) {
        return at + AttributeType.COUNT_BYTES + (long) index * element.type.bytes();
    }

    @Override
    Object read(MemorySegment memory, long at) {
        int count = sound(Unaligned.getCount(memory, at), type.length(), name);
        Object[] elements = array == null ? new Object[count] : (Object[]) Array.newInstance(array, count);
        for (int i = 0; i < count; i++) elements[i] = element.read(memory, place(at, i));
        return array == null ? Collections.unmodifiableList(Arrays.asList(elements)) : elements;
    }
}
