package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tidepool.base.Words;

/**
 * The method handles of a {@link RecordCodec}. The comment at each handle gives its type: R is the record, M the
 * memory, J a long (the key, or where the value begins), A an attribute, and A... all of them by number.
 */
final class RecordHandles {
    static final MethodType KEY = MethodType.methodType(long.class, Record.class);
    static final MethodType PART = MethodType.methodType(Object.class, Record.class);
    static final MethodType ENCODE = MethodType.methodType(void.class, Record.class, MemorySegment.class, long.class);
    /** Decodes a record whose key is more than one long. */
    static final MethodType DECODE_PARTS =
            MethodType.methodType(Record.class, RowKey.class, MemorySegment.class, long.class);

    static final MethodType DECODE = MethodType.methodType(Record.class, long.class, MemorySegment.class, long.class);

    private static final MethodHandles.Lookup OWN = MethodHandles.lookup();

    private RecordHandles() {}

    static MethodHandle[] accessors(RecordShape shape, MethodHandles.Lookup lookup) throws IllegalAccessException {
        List<RecordComponent> components = shape.components();
        MethodHandle[] accessors = new MethodHandle[components.size()]; // (R) key or A
        for (int i = 0; i < accessors.length; i++)
            accessors[i] = lookup.unreflect(components.get(i).getAccessor());
        return accessors;
    }

    static MethodHandle constructor(RecordShape shape, MethodHandles.Lookup lookup) throws IllegalAccessException {
        Class<?>[] types =
                shape.components().stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return lookup.unreflectConstructor(shape.type().getDeclaredConstructor(types));
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(shape.type().getName() + " has no canonical constructor", e);
        }
    }

    static MethodHandle encoder(RecordShape shape, Schema schema, MethodHandle[] accessors)
            throws IllegalAccessException {
        int count = schema.attributes().size();
        MethodHandle[] values = new MethodHandle[count]; // (R) A, each checked
        for (int number = 0; number < count; number++) {
            Field field = Field.of(schema.attribute(number));
            MethodHandle accessor = accessors[shape.component(number)];
            values[number] = hasLength(field) ? MethodHandles.filterReturnValue(accessor, check(field)) : accessor;
        }
        MethodHandle writeAll = writeAll(schema); // (M, J, A...) void
        MethodHandle filtered = MethodHandles.filterArguments(writeAll, 2, values); // (M, J, R...) void
        int[] order = new int[2 + count]; // the record, argument 0, in all places after memory and offset
        order[0] = 1;
        order[1] = 2;
        return MethodHandles.permuteArguments(filtered, ENCODE.changeParameterType(0, shape.type()), order);
    }

    private static MethodHandle writeAll(Schema schema) throws IllegalAccessException {
        List<Class<?>> types = Stream.<Class<?>>concat(
                        Stream.of(MemorySegment.class, long.class),
                        schema.attributes().stream()
                                .map(each -> each.type().kind().javaType()))
                .toList();
        MethodHandle all = MethodHandles.empty(MethodType.methodType(void.class, types)); // (M, J, A...) void
        for (Attribute each : schema.attributes().reversed()) {
            MethodHandle write = write(Field.of(each)); // (M, J, A) void
            MethodHandle inPlace = MethodHandles.dropArguments(write, 2, types.subList(2, 2 + each.number()));
            all = MethodHandles.foldArguments(all, inPlace);
        }
        // The padding is written first. The attributes that share the last word with it are written over it.
        return MethodHandles.foldArguments(all, clearLastWord(schema.length() - Words.BYTES));
    }

    static MethodHandle decoder(RecordShape shape, Schema schema, MethodHandle constructor)
            throws IllegalAccessException {
        MethodHandle decode = constructor; // (key and attributes, in the order of the components) R
        IntStream.Builder order = IntStream.builder(); // of the arguments of DECODE: 0 the key, 1 memory, 2 offset
        int place = 0;
        for (int i = 0; i < shape.components().size(); i++) {
            boolean isKey = shape.isKey(i);
            MethodHandle read = isKey ? readKey(shape, i) : read(Field.of(schema.attribute(shape.number(i))));
            decode = MethodHandles.collectArguments(decode, place, read);
            place += read.type().parameterCount();
            if (isKey) order.add(0);
            else order.add(1).add(2);
        }
        MethodType type = shape.hasLongKey() ? DECODE : DECODE_PARTS;
        return MethodHandles.permuteArguments(
                decode, type.changeReturnType(shape.type()), order.build().toArray());
    }

    // ---- single handles ----

    private static boolean hasLength(Field field) {
        return field.attribute().type().kind().hasLength();
    }

    private static MethodHandle check(Field field) throws IllegalAccessException {
        Class<?> held = field.attribute().type().kind().javaType();
        return bound(field, "checked", MethodType.methodType(held, held));
    }

    private static MethodHandle write(Field field) throws IllegalAccessException {
        Class<?> held = field.attribute().type().kind().javaType();
        // Values with a length have been checked already.
        String name = hasLength(field) ? "write" : "set";
        return bound(field, name, MethodType.methodType(void.class, MemorySegment.class, long.class, held));
    }

    private static MethodHandle read(Field field) throws IllegalAccessException {
        Class<?> held = field.attribute().type().kind().javaType();
        return bound(field, "get", MethodType.methodType(held, MemorySegment.class, long.class));
    }

    private static MethodHandle readKey(RecordShape shape, int index) throws IllegalAccessException {
        RecordComponent component = shape.components().get(index);
        if (!shape.hasLongKey()) return readPart(shape.keys().indexOf(index), component.getType());
        if (component.getType() == long.class) return MethodHandles.identity(long.class);
        MethodType type = MethodType.methodType(int.class, String.class, long.class);
        return MethodHandles.insertArguments(ownStatic("intKey", type), 0, component.getName());
    }

    /** Returns (J or RowKey) A of each component that is the key, in their order. */
    static List<MethodHandle> readKeys(RecordShape shape) throws IllegalAccessException {
        List<MethodHandle> keys = new ArrayList<>();
        for (int index : shape.keys()) keys.add(readKey(shape, index));
        return keys;
    }

    private static MethodHandle readPart(int part, Class<?> held) throws IllegalAccessException {
        try {
            if (held.isEnum()) {
                MethodType type = MethodType.methodType(Object.class, Class.class, int.class, RowKey.class);
                return MethodHandles.insertArguments(ownStatic("enumKey", type), 0, held, part)
                        .asType(MethodType.methodType(held, RowKey.class));
            }
            MethodHandle get = OWN.findVirtual(RowKey.class, "get", MethodType.methodType(Object.class, int.class));
            return MethodHandles.insertArguments(get, 1, part).asType(MethodType.methodType(held, RowKey.class));
        } catch (NoSuchMethodException e) {
            throw new LinkageError("a method of RowKey is missing", e);
        }
    }

    private static MethodHandle clearLastWord(int at) throws IllegalAccessException {
        MethodType type = MethodType.methodType(void.class, int.class, MemorySegment.class, long.class);
        return MethodHandles.insertArguments(ownStatic("clearWord", type), 0, at);
    }

    /** The schema has the names of this enum, so the name is one of its constants. */
    static Object enumKey(Class<?> held, int part, RowKey key) {
        Object name = key.get(part);
        for (Object each : held.getEnumConstants()) if (((Enum<?>) each).name().equals(name)) return each;
        throw new IllegalArgumentException("no constant of " + held.getName() + " is named " + name);
    }

    static int intKey(String component, long key) {
        if (key != (int) key)
            throw new IllegalArgumentException("key " + key + " does not fit the int component '" + component + "'");
        return (int) key;
    }

    static void clearWord(int at, MemorySegment memory, long offset) {
        Words.plain(memory, offset + at, 0);
    }

    private static MethodHandle bound(Field field, String name, MethodType type) throws IllegalAccessException {
        try {
            return OWN.bind(field, name, type);
        } catch (NoSuchMethodException e) {
            throw new LinkageError("a method of Fields is missing", e);
        }
    }

    private static MethodHandle ownStatic(String name, MethodType type) throws IllegalAccessException {
        try {
            return OWN.findStatic(RecordHandles.class, name, type);
        } catch (NoSuchMethodException e) {
            throw new LinkageError("a method of RecordHandles is missing", e);
        }
    }
}
