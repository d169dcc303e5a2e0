package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;

/**
 * The components of a record class with the attributes that they become, for records with other components than
 * primitives, strings and bytes. A component that is a record itself becomes several attributes, {@code owner.name},
 * and if it may be null, one more that says whether it is there.
 *
 * <p>As in {@link RecordHandles}, the comment at each handle gives its type: R is the record, M the memory, J a long,
 * A the type of a component.
 */
final class RecordParts {
    private static final MethodHandles.Lookup OWN = MethodHandles.lookup();
    private static final MethodType WRITE = MethodType.methodType(void.class, MemorySegment.class, long.class);

    /** Whether a nested record may be absent, and how its component says so. */
    enum Absence {
        NEVER,
        NULL,
        EMPTY_OPTIONAL
    }

    /** A component; exactly one of primitive, form and nested is set, none for the key. */
    static final class Part {
        final RecordComponent component;
        final String path;
        AttributeType primitive;
        Form form;
        RecordParts nested;
        Absence absence = Absence.NEVER;
        private int offset; // of the attribute, or of the mark of presence

        Part(RecordComponent component, String path) {
            this.component = component;
            this.path = path;
        }

        boolean isKey() {
            return primitive == null && form == null && nested == null;
        }

        private void attributes(BiConsumer<String, AttributeType> to) {
            if (primitive != null) to.accept(path, primitive);
            if (form != null) to.accept(path, form.type);
            if (nested == null) return;
            if (absence != Absence.NEVER) to.accept(path, AttributeType.PRESENT);
            nested.attributes(to);
        }

        private void place(ToIntFunction<String> offsets) {
            if (primitive != null || form != null || absence != Absence.NEVER) offset = offsets.applyAsInt(path);
            if (nested != null) nested.place(offsets);
        }
    }

    final Class<?> type;
    final List<Part> parts = new ArrayList<>();

    RecordParts(Class<?> type) {
        this.type = type;
    }

    /** Gives all attributes, in their order, with paths and types. */
    void attributes(BiConsumer<String, AttributeType> to) {
        for (Part each : parts) each.attributes(to);
    }

    /** Tells where each attribute lies. */
    void place(ToIntFunction<String> offsets) {
        for (Part each : parts) each.place(offsets);
    }

    // ---- encoding

    /** Returns (M, J, R) void, which writes into zeros. */
    MethodHandle writer(MethodHandles.Lookup lookup) throws IllegalAccessException {
        MethodHandle all = MethodHandles.empty(WRITE.appendParameterTypes(type));
        for (Part each : parts.reversed()) {
            if (each.isKey()) continue;
            MethodHandle accessor = lookup.unreflect(each.component.getAccessor()); // (R) A
            MethodHandle write = write(each, lookup); // (M, J, A) void
            all = MethodHandles.foldArguments(all, MethodHandles.filterArguments(write, 2, accessor));
        }
        return all;
    }

    private static MethodHandle write(Part part, MethodHandles.Lookup lookup) throws IllegalAccessException {
        Class<?> held = part.component.getType();
        if (part.primitive != null)
            return at(
                    part.offset,
                    own("put", WRITE.insertParameterTypes(0, int.class).appendParameterTypes(held)));
        MethodType write = WRITE.appendParameterTypes(held);
        if (part.form != null) {
            part.form.bind(lookup);
            MethodHandle object = own(
                    "put",
                    MethodType.methodType(
                            void.class, Form.class, int.class, MemorySegment.class, long.class, Object.class));
            return MethodHandles.insertArguments(object, 0, part.form, part.offset)
                    .asType(write);
        }
        MethodHandle nested = part.nested.writer(reach(part.nested.type, lookup)); // (M, J, A) void
        MethodType named = MethodType.methodType(Object.class, String.class, Object.class);
        if (part.absence == Absence.NEVER)
            return MethodHandles.filterArguments(nested, 2, filter("required", named, part.path, part.nested.type));
        MethodHandle mark = at(part.offset, own("mark", WRITE.insertParameterTypes(0, int.class))); // (M, J) void
        MethodHandle isThere = own("isThere", MethodType.methodType(boolean.class, Object.class))
                .asType(MethodType.methodType(boolean.class, part.nested.type));
        MethodHandle orNull = MethodHandles.guardWithTest(
                MethodHandles.dropArguments(isThere, 0, MemorySegment.class, long.class),
                MethodHandles.foldArguments(nested, mark),
                MethodHandles.empty(nested.type()));
        if (part.absence == Absence.NULL) return orNull;
        MethodHandle content = MethodHandles.insertArguments(own("orNull", named), 0, part.path)
                .asType(MethodType.methodType(part.nested.type, Optional.class));
        return MethodHandles.filterArguments(orNull, 2, content);
    }

    // ---- decoding

    /**
     * Returns (K, M, J) R.
     *
     * @param keys (K) A, of each component that is the key, in their order
     * @param key the class K that has the key
     */
    MethodHandle reader(List<MethodHandle> keys, Class<?> key, MethodHandles.Lookup lookup)
            throws IllegalAccessException {
        MethodHandle read = constructor(lookup); // (A...) R
        int[] order = new int[3 * parts.size()];
        int count = 0;
        int keysRead = 0;
        for (Part each : parts) {
            boolean isKey = each.isKey();
            MethodHandle one = isKey ? keys.get(keysRead++) : read(each, lookup);
            read = MethodHandles.collectArguments(read, count, one);
            if (isKey) {
                order[count++] = 0;
            } else {
                order[count++] = 1;
                order[count++] = 2;
            }
        }
        MethodType all = MethodType.methodType(type, key, MemorySegment.class, long.class);
        return MethodHandles.permuteArguments(read, all, java.util.Arrays.copyOf(order, count));
    }

    MethodHandle constructor(MethodHandles.Lookup lookup) throws IllegalAccessException {
        Class<?>[] types = parts.stream().map(each -> each.component.getType()).toArray(Class<?>[]::new);
        try {
            return lookup.unreflectConstructor(type.getDeclaredConstructor(types));
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(type.getName() + " has no canonical constructor", e);
        }
    }

    /** Returns (M, J) A. */
    private static MethodHandle read(Part part, MethodHandles.Lookup lookup) throws IllegalAccessException {
        Class<?> held = part.component.getType();
        MethodType read = MethodType.methodType(held, MemorySegment.class, long.class);
        if (part.primitive != null) {
            String name = "get" + Character.toUpperCase(held.getName().charAt(0))
                    + held.getName().substring(1);
            return at(part.offset, own(name, read.insertParameterTypes(0, int.class)));
        }
        if (part.form != null) {
            MethodHandle object = own(
                    "get", MethodType.methodType(Object.class, Form.class, int.class, MemorySegment.class, long.class));
            return MethodHandles.insertArguments(object, 0, part.form, part.offset)
                    .asType(read);
        }
        MethodHandle nested = part.nested.reader(List.of(), long.class, reach(part.nested.type, lookup));
        nested = MethodHandles.insertArguments(nested, 0, 0L); // (M, J) A
        if (part.absence == Absence.NEVER) return nested;
        MethodHandle isMarked = at(
                part.offset,
                own("getBoolean", read.changeReturnType(boolean.class).insertParameterTypes(0, int.class)));
        MethodHandle orNull = MethodHandles.guardWithTest(isMarked, nested, MethodHandles.empty(nested.type()));
        if (part.absence == Absence.NULL) return orNull;
        MethodHandle optional = own("optional", MethodType.methodType(Optional.class, Object.class))
                .asType(MethodType.methodType(Optional.class, part.nested.type));
        return MethodHandles.filterReturnValue(orNull, optional);
    }

    /** Returns a lookup for a nested record, from that of the record around it. */
    static MethodHandles.Lookup reach(Class<?> nested, MethodHandles.Lookup lookup) {
        try {
            return MethodHandles.privateLookupIn(nested, lookup);
        } catch (IllegalAccessException e) {
            MethodHandles.Lookup own = RecordCodec.reach(nested);
            return own.lookupClass() == nested ? own : lookup;
        }
    }

    // ---- single handles

    private static MethodHandle at(int offset, MethodHandle handle) {
        return MethodHandles.insertArguments(handle, 0, offset);
    }

    private static MethodHandle filter(String name, MethodType type, String path, Class<?> held)
            throws IllegalAccessException {
        return MethodHandles.insertArguments(own(name, type), 0, path).asType(MethodType.methodType(held, held));
    }

    private static MethodHandle own(String name, MethodType type) throws IllegalAccessException {
        try {
            return OWN.findStatic(RecordParts.class, name, type);
        } catch (NoSuchMethodException e) {
            throw new LinkageError("a method of RecordParts is missing", e);
        }
    }

    static Object required(String path, Object value) {
        if (value == null) throw Form.isNull(path);
        return value;
    }

    static boolean isThere(Object value) {
        return value != null;
    }

    static Object orNull(String path, Object value) {
        return Form.Maybe.orNull(path, value);
    }

    static Optional<?> optional(Object value) {
        return Optional.ofNullable(value);
    }

    static void mark(int offset, MemorySegment memory, long at) {
        Unaligned.putByte(memory, at + offset, 1);
    }

    static void put(Form form, int offset, MemorySegment memory, long at, Object value) {
        form.write(value, memory, at + offset);
    }

    static Object get(Form form, int offset, MemorySegment memory, long at) {
        return form.read(memory, at + offset);
    }

    static void put(int offset, MemorySegment memory, long at, byte value) {
        Unaligned.putByte(memory, at + offset, value);
    }

    static void put(int offset, MemorySegment memory, long at, short value) {
        memory.set(Unaligned.I16, at + offset, value);
    }

    static void put(int offset, MemorySegment memory, long at, int value) {
        memory.set(Unaligned.I32, at + offset, value);
    }

    static void put(int offset, MemorySegment memory, long at, long value) {
        memory.set(Unaligned.I64, at + offset, value);
    }

    static void put(int offset, MemorySegment memory, long at, float value) {
        memory.set(Unaligned.F32, at + offset, value);
    }

    static void put(int offset, MemorySegment memory, long at, double value) {
        memory.set(Unaligned.F64, at + offset, value);
    }

    static void put(int offset, MemorySegment memory, long at, boolean value) {
        Unaligned.putByte(memory, at + offset, value ? 1 : 0);
    }

    static void put(int offset, MemorySegment memory, long at, char value) {
        memory.set(Unaligned.UTF16, at + offset, value);
    }

    static byte getByte(int offset, MemorySegment memory, long at) {
        return (byte) Unaligned.getByte(memory, at + offset);
    }

    static short getShort(int offset, MemorySegment memory, long at) {
        return memory.get(Unaligned.I16, at + offset);
    }

    static int getInt(int offset, MemorySegment memory, long at) {
        return memory.get(Unaligned.I32, at + offset);
    }

    static long getLong(int offset, MemorySegment memory, long at) {
        return memory.get(Unaligned.I64, at + offset);
    }

    static float getFloat(int offset, MemorySegment memory, long at) {
        return memory.get(Unaligned.F32, at + offset);
    }

    static double getDouble(int offset, MemorySegment memory, long at) {
        return memory.get(Unaligned.F64, at + offset);
    }

    static boolean getBoolean(int offset, MemorySegment memory, long at) {
        return Unaligned.getByte(memory, at + offset) != 0;
    }

    static char getChar(int offset, MemorySegment memory, long at) {
        return memory.get(Unaligned.UTF16, at + offset);
    }
}
