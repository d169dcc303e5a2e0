package tidepool.schema;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tidepool.base.Checks;
import tidepool.schema.AttributeType.Kind;

/**
 * An analysed record class: the components that are the key, and the attribute that each other component becomes. The
 * numbers of the attributes follow the order of the components, the key left out.
 *
 * @param keys the components that are the key, as indexes in their order
 */
record RecordShape(Class<? extends Record> type, List<RecordComponent> components, List<Integer> keys) {
    private static final String HOLDS = "a value holds byte, short, int, long, float, double, boolean, char, and"
            + " String and byte[] with @Length";

    static RecordShape of(Class<? extends Record> type) {
        Checks.argument(type != null, "the schema of null: a record class is needed");
        Checks.argument(type.isRecord(), type.getName() + " is not a record class");
        List<RecordComponent> components = List.of(type.getRecordComponents());
        return new RecordShape(type, components, keysOf(type, components));
    }

    private static List<Integer> keysOf(Class<?> type, List<RecordComponent> components) {
        List<Integer> keys = new ArrayList<>();
        for (int i = 0; i < components.size(); i++) if (components.get(i).isAnnotationPresent(Key.class)) keys.add(i);
        if (keys.isEmpty())
            throw new IllegalArgumentException("record " + type.getName()
                    + " has no key: put @Key on a component, of type long for example, or on several");
        return List.copyOf(keys);
    }

    /** Returns whether the key is one component that is a long or an int: a key of the form without text. */
    boolean hasLongKey() {
        return keys.size() == 1 && (keyType(0) == long.class || keyType(0) == int.class);
    }

    private Class<?> keyType(int part) {
        return components.get(keys.get(part)).getType();
    }

    boolean isKey(int component) {
        return keys.contains(component);
    }

    /** Returns the number of the attribute that a component becomes: the keys before it are no attributes. */
    int number(int component) {
        return component - (int) keys.stream().filter(key -> key < component).count();
    }

    /** Returns the component of an attribute. */
    int component(int number) {
        int component = number;
        for (int key : keys) if (key <= component) component++;
        return component;
    }

    Schema schema() {
        String simple = type.getSimpleName();
        return schema(simple.substring(0, 1).toLowerCase(Locale.ROOT) + simple.substring(1));
    }

    Schema schema(String name) {
        Schema.Builder builder = Schema.builder(name);
        for (int i = 0; i < components.size(); i++)
            if (!isKey(i)) builder.attribute(components.get(i).getName(), typeOf(components.get(i)));
        for (int key : keys) builder.key(components.get(key).getName(), keyTypeOf(components.get(key)));
        Schema schema = builder.build();
        Updated updated = type.getAnnotation(Updated.class);
        return updated == null ? schema : schema.withUpdates(updated.value());
    }

    private AttributeType keyTypeOf(RecordComponent component) {
        Class<?> held = component.getType();
        if (keys.size() == 1 && hasLongKey() && component.isAnnotationPresent(Length.class))
            throw refused(type, component, "is the @Key, which takes no @Length");
        boolean possible = false;
        for (Kind kind : Kind.values()) possible |= kind.javaType() == held && KeySchema.mayBeKey(kind);
        if (!possible)
            throw refused(
                    type,
                    component,
                    "is a @Key and of type " + held.getTypeName() + "; a key holds " + KeySchema.POSSIBLE);
        return typeOf(component);
    }

    private AttributeType typeOf(RecordComponent component) {
        Length length = component.getAnnotation(Length.class);
        for (Kind kind : Kind.values()) {
            if (kind.javaType() != component.getType()) continue;
            if (kind.hasLength()) return sized(component, kind, length);
            if (length != null)
                throw refused(
                        type,
                        component,
                        "has a @Length, but a " + kind.text() + " always takes "
                                + AttributeType.of(kind).bytes() + " bytes");
            return AttributeType.of(kind);
        }
        throw refused(type, component, "is of type " + component.getType().getTypeName() + "; " + HOLDS);
    }

    private AttributeType sized(RecordComponent component, Kind kind, Length length) {
        String javaType = component.getType().getSimpleName();
        if (length == null)
            throw refused(type, component, "needs a @Length: how many bytes the " + javaType + " takes");
        if (length.value() < 1 || length.value() > Schema.MAX_BYTES)
            throw refused(
                    type,
                    component,
                    "has @Length(" + length.value() + "); possible are 1 to " + Schema.MAX_BYTES + " bytes");
        return new AttributeType(kind, length.value());
    }

    static IllegalArgumentException refused(Class<?> type, RecordComponent component, String why) {
        return new IllegalArgumentException(
                "component '" + component.getName() + "' of record " + type.getName() + " " + why);
    }
}
