package tidepool.schema;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import tidepool.base.Checks;

/**
 * An analysed record class: the component that is the key, and the attribute that each other component becomes. The
 * numbers of the attributes follow the order of the components, the key left out.
 */
record RecordShape(Class<? extends Record> type, List<RecordComponent> components, int key) {
    static RecordShape of(Class<? extends Record> type) {
        Checks.argument(type != null, "the schema of null: a record class is needed");
        Checks.argument(type.isRecord(), type.getName() + " is not a record class");
        List<RecordComponent> components = List.of(type.getRecordComponents());
        return new RecordShape(type, components, keyOf(type, components));
    }

    private static int keyOf(Class<?> type, List<RecordComponent> components) {
        int key = -1;
        for (int i = 0; i < components.size(); i++) {
            if (!components.get(i).isAnnotationPresent(Key.class)) continue;
            if (key >= 0)
                throw refused(
                        type,
                        components.get(i),
                        "is a second @Key, after '" + components.get(key).getName()
                                + "'; pack the parts of a key into one long, see EightByteKeys.packer");
            key = i;
        }
        if (key < 0)
            throw new IllegalArgumentException(
                    "record " + type.getName() + " has no key: put @Key on one component of type long or int");
        Class<?> held = components.get(key).getType();
        if (held != long.class && held != int.class)
            throw refused(
                    type,
                    components.get(key),
                    "is the @Key and of type " + held.getTypeName() + "; a key is a long or an int");
        if (components.get(key).isAnnotationPresent(Length.class))
            throw refused(type, components.get(key), "is the @Key, which takes no @Length");
        return key;
    }

    Schema schema() {
        String simple = type.getSimpleName();
        return schema(simple.substring(0, 1).toLowerCase(Locale.ROOT) + simple.substring(1));
    }

    Schema schema(String name) {
        Schema.Builder builder = Schema.builder(name);
        parts().attributes(builder::attribute);
        Schema schema = builder.build();
        Updated updated = type.getAnnotation(Updated.class);
        return updated == null ? schema : schema.withUpdates(updated.value());
    }

    /** Analyses the components anew. */
    RecordParts parts() {
        return RecordAnalysis.of(type, key);
    }

    static IllegalArgumentException refused(Class<?> type, RecordComponent component, String why) {
        return new IllegalArgumentException(
                "component '" + component.getName() + "' of record " + type.getName() + " " + why);
    }
}
