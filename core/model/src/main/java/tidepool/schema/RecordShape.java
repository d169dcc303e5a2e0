package tidepool.schema;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tidepool.base.Checks;

/**
 * An analysed record class: the components that are the key, and the attribute that each other component becomes. The
 * numbers of the attributes follow the order of the components, the key left out.
 *
 * @param keys the components that are the key, as indexes in their order
 */
record RecordShape(Class<? extends Record> type, List<RecordComponent> components, List<Integer> keys) {
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
        Schema schema = schema(name, false).withIndexes(RecordIndexes.of(this));
        Schema former = formerSchema(name);
        if (former != null && !former.hasShapeOf(schema)) schema = schema.withFormer(former);
        schema = schema.ofClass();
        Updated updated = type.getAnnotation(Updated.class);
        return updated == null ? schema : schema.withUpdates(updated.value());
    }

    /** Returns the schema with fixed room for all attributes; null if the class cannot have one. */
    private Schema formerSchema(String name) {
        try {
            return schema(name, true);
        } catch (IllegalArgumentException e) {
            return null; // no earlier program can have made a table of this class
        }
    }

    private Schema schema(String name, boolean former) {
        Schema.Builder builder = Schema.builder(name);
        parts(former).attributes(builder::attribute);
        for (int key : keys) builder.key(components.get(key).getName(), keyTypeOf(components.get(key)));
        return builder.build();
    }

    private AttributeType keyTypeOf(RecordComponent component) {
        if (hasLongKey() && component.isAnnotationPresent(Length.class))
            throw refused(type, component, "is the @Key, which takes no @Length");
        AttributeType found = RecordAnalysis.typeOf(type, component);
        if (found == null || !KeySchema.mayBeKey(found))
            throw refused(
                    type,
                    component,
                    "is a @Key and of type " + component.getType().getTypeName() + "; a key holds "
                            + KeySchema.POSSIBLE);
        return found;
    }

    /**
     * Analyses the components anew.
     *
     * @param former whether every attribute gets fixed room, as in tables of earlier programs
     */
    RecordParts parts(boolean former) {
        return RecordAnalysis.of(type, keys, former);
    }

    static IllegalArgumentException refused(Class<?> type, RecordComponent component, String why) {
        return new IllegalArgumentException(
                "component '" + component.getName() + "' of record " + type.getName() + " " + why);
    }
}
