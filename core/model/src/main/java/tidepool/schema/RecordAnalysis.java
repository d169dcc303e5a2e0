package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import tidepool.schema.AttributeType.Kind;
import tidepool.schema.RecordParts.Absence;
import tidepool.schema.RecordParts.Part;

/** An analysis of a record class: which attributes its components become, and in which form. */
final class RecordAnalysis {
    private static final String HOLDS = "a value holds primitive and boxed types, enums, Instant, LocalDate, Duration,"
            + " UUID, BigDecimal, String and byte[], records of these, lists and arrays of these, Optional of these,"
            + " and what a codec encodes, with @Encoded";
    private static final int DIGITS = 38;

    /** Texts, varying bytes and codecs with more bytes than this have no fixed room. */
    private static final int MAX_FIXED = 256;

    private final Deque<Class<?>> enclosing = new ArrayDeque<>();

    private final boolean former;

    private RecordAnalysis(boolean former) {
        this.former = former;
    }

    /**
     * Returns the parts of a record class; the components with these numbers are the key.
     *
     * @param former whether every attribute gets fixed room, as in tables of programs without long attributes
     */
    static RecordParts of(Class<?> type, List<Integer> keys, boolean former) {
        return new RecordAnalysis(former).parts(type, "", keys);
    }

    /** Returns the type of a component that becomes one attribute; null if it becomes several. */
    static AttributeType typeOf(Class<?> owner, RecordComponent component) {
        Part part = new Part(component, component.getName());
        new RecordAnalysis(false).analyse(owner, part);
        if (part.primitive != null) return part.primitive;
        return part.form == null ? null : part.form.type;
    }

    private RecordParts parts(Class<?> type, String prefix, List<Integer> keys) {
        enclosing.addLast(type);
        RecordParts parts = new RecordParts(type);
        RecordComponent[] components = type.getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            Part part = new Part(components[i], prefix + components[i].getName());
            if (!prefix.isEmpty()) RecordIndexes.requireNone(type, components[i], part.path);
            if (!keys.contains(i)) analyse(type, part);
            parts.parts.add(part);
        }
        enclosing.removeLast();
        // Each component of a constructor takes up to three slots of a method handle, which has 255.
        if (components.length > Schema.MAX_ATTRIBUTES + Math.max(1, keys.size()))
            throw new IllegalArgumentException("record " + type.getName() + " has " + components.length
                    + " components; at most " + Schema.MAX_ATTRIBUTES + " and a key are possible");
        return parts;
    }

    private void analyse(Class<?> owner, Part part) {
        RecordComponent component = part.component;
        Class<?> held = component.getType();
        Type generic = component.getGenericType();
        boolean marked = component.isAnnotationPresent(Nullable.class);
        if (marked && (held.isPrimitive() || held == Optional.class))
            throw refused(component, owner, "is @Nullable, which " + held.getSimpleName() + " cannot be");
        Absence absence = marked ? Absence.NULL : Absence.NEVER;
        if (held == Optional.class) {
            absence = Absence.EMPTY_OPTIONAL;
            generic = argument(owner, component, generic);
            held = raw(owner, component, generic);
        } else if (unboxed(held) != null) {
            absence = Absence.NULL;
        }
        if (component.isAnnotationPresent(Encoded.class)) {
            part.form = wrapped(codec(owner, component, part.path, held), absence);
        } else if (held.isPrimitive()) {
            refuseLength(owner, component, held);
            part.primitive = primitive(held);
        } else if (held.isRecord()) {
            refuseLength(owner, component, held);
            requireFinite(owner, component, held);
            part.nested = parts(held, part.path + ".", List.of());
            part.absence = absence;
        } else {
            part.form = wrapped(form(owner, component, part.path, held, generic), absence);
        }
    }

    private static Form wrapped(Form form, Absence absence) {
        return switch (absence) {
            case NEVER -> form;
            case NULL -> new Form.OrNull(form);
            case EMPTY_OPTIONAL -> new Form.Maybe(form);
        };
    }

    /** Returns the form of a component that is neither primitive nor a record. */
    private Form form(Class<?> owner, RecordComponent component, String path, Class<?> held, Type generic) {
        Length length = component.getAnnotation(Length.class);
        boolean isList = held == List.class || held.isArray() && held != byte[].class;
        if (length != null && length.each() != 0 && !isList)
            throw refused(component, owner, "has a @Length with 'each', which is for elements of lists");
        if (isList) return list(owner, component, path, held, generic, length);
        return single(owner, component, path, held, length == null ? 0 : length.value(), length, "");
    }

    /** Returns the form of an object that is no list; {@code length} is 0 if none is given. */
    private Form single(
            Class<?> owner,
            RecordComponent component,
            String path,
            Class<?> held,
            int length,
            Length declared,
            String each) {
        boolean varying = declared != null && declared.varying();
        if (held == String.class || held == byte[].class) {
            boolean isText = held == String.class;
            if (!former && isLong(owner, component, isText, length, declared, each, varying)) {
                int most = length == 0 ? AttributeType.MAX_CONTENT : length;
                return new LongForm(path, isText ? AttributeType.longstring(most) : AttributeType.longbytes(most));
            }
            requireLength(owner, component, held, length, declared, each, varying);
            if (varying)
                return new LeafForm(path, isText ? AttributeType.varstring(length) : AttributeType.varbytes(length));
            return new LeafForm(path, new AttributeType(isText ? Kind.STRING : Kind.BYTES, length));
        }
        if (varying) throw refused(component, owner, "has a varying @Length, which is for String and byte[]");
        if (held == Kind.DECIMAL.javaType()) {
            int digits = length == 0 ? DIGITS : length;
            if (digits < 1 || digits > AttributeType.MAX_DIGITS)
                throw refused(
                        component,
                        owner,
                        "has @Length(" + digits + "); possible are 1 to " + AttributeType.MAX_DIGITS + " digits");
            return new LeafForm(path, AttributeType.decimal(digits));
        }
        AttributeType type = typeOf(held);
        if (type == null && !held.isEnum())
            throw refused(
                    component, owner, "is of type " + component.getGenericType().getTypeName() + "; " + HOLDS);
        Form form = type != null ? new LeafForm(path, type) : new EnumForm(path, held);
        if (length != 0)
            throw refused(
                    component,
                    owner,
                    "has a @Length, but " + article(held) + " always takes " + form.type.bytes() + " bytes");
        return form;
    }

    /** Whether a text or bytes have no fixed room. A {@code byte[]} with an exact length has. */
    private static boolean isLong(
            Class<?> owner,
            RecordComponent component,
            boolean isText,
            int length,
            Length declared,
            String each,
            boolean varying) {
        if (declared == null || !each.isEmpty() && length == 0) return true;
        if (!isText && !varying) {
            if (length > Schema.MAX_BYTES)
                throw refused(
                        component,
                        owner,
                        "has @Length(" + length + "), of exactly so many bytes; possible are 1 to " + Schema.MAX_BYTES
                                + ", and up to " + AttributeType.MAX_CONTENT + " with varying = true");
            return false;
        }
        if (length < 1 || length > AttributeType.MAX_CONTENT)
            throw refused(
                    component,
                    owner,
                    "has @Length(" + length + "); possible are 1 to " + AttributeType.MAX_CONTENT + " bytes");
        return length > MAX_FIXED;
    }

    private static void requireLength(
            Class<?> owner,
            RecordComponent component,
            Class<?> held,
            int length,
            Length declared,
            String each,
            boolean varying) {
        String javaType = held.getSimpleName();
        if (declared == null || !each.isEmpty() && length == 0)
            throw refused(component, owner, "needs a @Length: how many bytes the " + javaType + " takes" + each);
        int most = Schema.MAX_BYTES - (varying ? AttributeType.COUNT_BYTES : 0);
        if (length < 1 || length > most)
            throw refused(component, owner, "has @Length(" + length + "); possible are 1 to " + most + " bytes");
    }

    private Form list(
            Class<?> owner, RecordComponent component, String path, Class<?> held, Type generic, Length length) {
        int most = elements(owner, component, length);
        Class<?> inArray = held.getComponentType();
        if (inArray != null && inArray.isPrimitive()) {
            if (length != null && (length.each() != 0 || length.varying()))
                throw refused(component, owner, "has more in its @Length than the number of elements needs");
            AttributeType number = primitive(inArray);
            if (!isLongList(number, length)) return new NumbersForm(path, number, most);
            AttributeType type = AttributeType.longlist(number, most);
            return new LongForm(path, type, new NumbersForm(path, type));
        }
        Type elementType = inArray != null ? inArray : argument(owner, component, generic);
        Form element = element(owner, component, path + "[]", elementType, length);
        if (!isLongList(element.type, length)) return new ListForm(path, element, most, inArray);
        AttributeType type = AttributeType.longlist(element.type, most);
        return new LongForm(path, type, new ListForm(path, type, element, inArray));
    }

    /** Returns the maximum number of elements of a list. */
    private int elements(Class<?> owner, RecordComponent component, Length length) {
        if (length == null) {
            if (former) throw refused(component, owner, "needs a @Length: how many elements it has at most");
            return AttributeType.MAX_CONTENT;
        }
        int most = former ? Schema.MAX_BYTES - AttributeType.COUNT_BYTES : AttributeType.MAX_CONTENT;
        if (length.value() < 1 || length.value() > most)
            throw refused(
                    component, owner, "has @Length(" + length.value() + "); possible are 1 to " + most + " elements");
        return length.value();
    }

    /** Whether a list has no fixed room: the room of its maximum would be more than a value, with a mark for null. */
    private boolean isLongList(AttributeType element, Length length) {
        if (former) return false;
        if (length == null || element.isLongInside()) return true;
        return 1 + AttributeType.COUNT_BYTES + (long) length.value() * element.bytes() > Schema.MAX_BYTES;
    }

    private Form element(Class<?> owner, RecordComponent component, String path, Type type, Length length) {
        Class<?> held = raw(owner, component, type);
        if (held == Optional.class)
            return new Form.Maybe(element(owner, component, path, argument(owner, component, type), length));
        if (held == List.class || held.isArray() && held != byte[].class)
            throw refused(
                    component, owner, "is a list of lists; put a record between them, which holds the inner list");
        if (held.isRecord()) {
            requireFinite(owner, component, held);
            return new RecordForm(path, parts(held, "", List.of()));
        }
        Class<?> unboxed = unboxed(held);
        if (unboxed != null) return new LeafForm(path, primitive(unboxed));
        int each = length == null ? 0 : length.each();
        return single(owner, component, path, held, each, length, ", as in @Length(value = 10, each = 16)");
    }

    private void requireFinite(Class<?> owner, RecordComponent component, Class<?> nested) {
        if (enclosing.contains(nested))
            throw refused(
                    component, owner, "is a " + nested.getName() + ", which contains itself: a value has no such end");
    }

    // ---- types

    private static Type argument(Class<?> owner, RecordComponent component, Type type) {
        if (type instanceof ParameterizedType generic) return generic.getActualTypeArguments()[0];
        throw refused(component, owner, "is of type " + type.getTypeName() + " without the type of what it holds");
    }

    private static Class<?> raw(Class<?> owner, RecordComponent component, Type type) {
        if (type instanceof Class<?> plain) return plain;
        if (type instanceof ParameterizedType generic) return (Class<?>) generic.getRawType();
        throw refused(component, owner, "is of type " + type.getTypeName() + "; " + HOLDS);
    }

    private static AttributeType primitive(Class<?> held) {
        for (Kind kind : Kind.values())
            if (kind.isPrimitive() && kind.javaType() == held) return AttributeType.of(kind);
        throw new IllegalArgumentException("not a primitive type: " + held);
    }

    private static Class<?> unboxed(Class<?> held) {
        Class<?> unboxed = MethodType.methodType(held).unwrap().returnType();
        return unboxed.isPrimitive() && !held.isPrimitive() && unboxed != void.class ? unboxed : null;
    }

    private static AttributeType typeOf(Class<?> held) {
        Class<?> unboxed = unboxed(held);
        if (unboxed != null) return primitive(unboxed);
        for (Kind kind : List.of(Kind.INSTANT, Kind.DURATION, Kind.DATE, Kind.UUID))
            if (kind.javaType() == held) return AttributeType.of(kind);
        return null;
    }

    private static String article(Class<?> held) {
        String name = held.getSimpleName();
        return ("AEIO".indexOf(name.charAt(0)) >= 0 || "aeio".indexOf(name.charAt(0)) >= 0 ? "an " : "a ") + name;
    }

    private static void refuseLength(Class<?> owner, RecordComponent component, Class<?> held) {
        if (!component.isAnnotationPresent(Length.class)) return;
        if (held.isRecord()) throw refused(component, owner, "has a @Length, but a record takes what its parts take");
        throw refused(
                component,
                owner,
                "has a @Length, but a " + held.getSimpleName() + " always takes "
                        + primitive(held).bytes() + " bytes");
    }

    // ---- codecs

    private Form codec(Class<?> owner, RecordComponent component, String path, Class<?> held) {
        if (component.isAnnotationPresent(Length.class))
            throw refused(component, owner, "has @Encoded and a @Length; its codec knows its length");
        Class<? extends Codec<?>> type = component.getAnnotation(Encoded.class).value();
        Class<?> made = decoded(type);
        Class<?> boxed = MethodType.methodType(held).wrap().returnType();
        if (held.isPrimitive()
                || made != Object.class && !made.isAssignableFrom(boxed) && !boxed.isAssignableFrom(made))
            throw refused(
                    component,
                    owner,
                    "is of type " + held.getTypeName() + ", and its codec " + type.getName() + " encodes "
                            + made.getTypeName());
        try {
            Codec<?> codec = instance(type);
            return former || codec.maxBytes() <= MAX_FIXED ? new CodecForm(path, codec) : new LongForm(path, codec);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    refused(component, owner, "has the codec " + type.getName() + ", which is refused: ")
                                    .getMessage()
                            + e.getMessage(),
                    e);
        }
    }

    /** Returns the class of the objects that a codec makes, as far as its class says. */
    private static Class<?> decoded(Class<?> codec) {
        for (Method each : codec.getMethods())
            if (each.getName().equals("decode")
                    && !each.isBridge()
                    && each.getParameterCount() == 3
                    && each.getParameterTypes()[0] == MemorySegment.class) return each.getReturnType();
        return Object.class;
    }

    private static Codec<?> instance(Class<? extends Codec<?>> type) {
        try {
            return (Codec<?>) RecordCodec.reach(type)
                    .findConstructor(type, MethodType.methodType(void.class))
                    .invoke();
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new IllegalArgumentException(
                    "it needs a constructor without parameters, in a package that is open to "
                            + MethodHandles.lookup().lookupClass().getModule(),
                    e);
        } catch (Throwable e) {
            throw RecordCodec.unchecked(e);
        }
    }

    private static IllegalArgumentException refused(RecordComponent component, Class<?> owner, String why) {
        return RecordShape.refused(owner, component, why);
    }
}
