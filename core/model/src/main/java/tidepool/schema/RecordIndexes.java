package tidepool.schema;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;

/** The indexes that a record class declares by annotations, numbered from 1: those of the class come first. */
final class RecordIndexes {
    private final RecordShape shape;
    private final List<IndexSchema> indexes = new ArrayList<>();

    private RecordIndexes(RecordShape shape) {
        this.shape = shape;
    }

    static List<IndexSchema> of(RecordShape shape) {
        RecordIndexes all = new RecordIndexes(shape);
        if (shape.type().isAnnotationPresent(Ordered.class)) all.indexes.add(IndexSchema.primary(1));
        all.addAll(shape.type(), null);
        for (RecordComponent each : shape.components()) all.addAll(each, each.getName());
        return all.indexes;
    }

    /** Refuses indexes on a component of a record that is nested in another one. */
    static void requireNone(Class<?> owner, RecordComponent component, String path) {
        if (component.getAnnotationsByType(Index.class).length > 0
                || component.getAnnotationsByType(Unique.class).length > 0)
            throw RecordShape.refused(
                    owner,
                    component,
                    "has an index, and the record is nested; the index belongs on the record of the table, as"
                            + " @Index(name = \"…\", on = \"" + path + "\")");
    }

    private void addAll(AnnotatedElement element, String component) {
        for (Index each : element.getAnnotationsByType(Index.class)) add(each.name(), each.on(), false, component);
        for (Unique each : element.getAnnotationsByType(Unique.class)) add(each.name(), each.on(), true, component);
    }

    private void add(String name, String[] on, boolean isUnique, String component) {
        if (component == null && (name.isEmpty() || on.length == 0))
            throw new IllegalArgumentException("record " + shape.type().getName() + " has "
                    + (isUnique ? "@Unique" : "@Index")
                    + " without a name or without columns; on a class it needs both, as in @Index(name = \"by_owner\","
                    + " on = \"owner\")");
        String[] columns = on.length == 0 ? new String[] {component} : on.clone();
        for (int i = 0; i < columns.length; i++) columns[i] = column(columns[i]);
        String named = name.isEmpty() ? component : name;
        int number = indexes.size() + 1;
        if (number > IndexSchema.MAX_INDEXES)
            throw new IllegalArgumentException(
                    "record " + shape.type().getName() + " has more than " + IndexSchema.MAX_INDEXES + " indexes");
        indexes.add(isUnique ? IndexSchema.unique(named, number, columns) : IndexSchema.of(named, number, columns));
    }

    /** Returns the name of a column in the schema, where the key of the form without text has a name of its own. */
    private String column(String component) {
        String key = KeySchema.LONG.name(0);
        if (!shape.hasLongKey()) return component;
        RecordComponent declared = shape.components().get(shape.keys().getFirst());
        if (!declared.getName().equals(component) || component.equals(key)) return component;
        for (RecordComponent each : shape.components())
            if (each.getName().equals(key))
                throw RecordShape.refused(
                        shape.type(),
                        declared,
                        "is a column of an index, in which the key is named '" + key + "', as another component is");
        return key;
    }
}
