package tidepool.schema;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Checks;

/**
 * What is to change in a schema: attributes that are added, dropped or widened, and indexes that are added or dropped.
 * Rows of a table move to a new layout, and indexes are built, while programs go on; {@code docs/guide/schema.md} has
 * the rules for record classes of before.
 *
 * <pre>{@code
 * SchemaChange change = new SchemaChange()
 *         .add("level", AttributeType.INT, "3")
 *         .drop("note")
 *         .widen("balance", AttributeType.LONG);
 * pool.alter("accounts", change);
 * }</pre>
 */
public final class SchemaChange {
    /** An attribute on its way, with its default or null. */
    private record Part(String name, AttributeType type, String value) {}

    /** One step of the change. */
    private interface Step {
        void apply(List<Part> parts, List<Part> dropped);
    }

    /** One step of the change, of the indexes. */
    private interface IndexStep {
        void apply(Schema stored, List<IndexSchema> indexes);
    }

    private final List<Step> steps = new ArrayList<>();
    private final List<IndexStep> indexSteps = new ArrayList<>();

    /** Begins a change that changes nothing. */
    public SchemaChange() {}

    /** Adds an attribute that may be null, and is null in all rows that there are. */
    public SchemaChange add(String name, AttributeType type) {
        Checks.argument(type != null, "attribute '" + name + "' needs a type");
        if (!type.isNullable() && type.kind() != AttributeType.Kind.PRESENT)
            throw new IllegalArgumentException("attribute '" + name + "' needs a default, because " + type
                    + " is never null; one that may be is " + type + "?");
        return add(new Part(name, type, null));
    }

    /** Adds an attribute with a default, as text, which all rows have that there are. */
    public SchemaChange add(String name, AttributeType type, String value) {
        Checks.argument(type != null && value != null, "attribute '" + name + "' needs a type and a default");
        return add(new Part(name, type, value));
    }

    private SchemaChange add(Part part) {
        steps.add((parts, dropped) -> {
            parts.add(part);
            dropped.removeIf(each -> each.name.equals(part.name));
        });
        return this;
    }

    /** Drops an attribute. Programs whose record class has it are refused. */
    public SchemaChange drop(String name) {
        steps.add((parts, dropped) -> parts.remove(find(parts, name)));
        return this;
    }

    /**
     * Drops an attribute and keeps a default of it, as text. Programs whose record class has it go on: they read this
     * value, and may write no other one.
     */
    public SchemaChange drop(String name, String value) {
        steps.add((parts, dropped) -> {
            Part gone = find(parts, name);
            parts.remove(gone);
            dropped.add(new Part(name, gone.type, value));
        });
        return this;
    }

    /** Gives an attribute a type that holds all values of the type that it has. */
    public SchemaChange widen(String name, AttributeType type) {
        steps.add((parts, dropped) -> {
            Part had = find(parts, name);
            if (!TypeMapping.isWider(type, had.type))
                throw new IllegalArgumentException(
                        "attribute '" + name + "' is " + had.type + ", and " + type + " does not hold all of that");
            parts.set(parts.indexOf(had), new Part(name, type, had.value));
        });
        return this;
    }

    // ---- indexes

    /**
     * Adds an index, which is in state {@link IndexSchema.State#BUILDING} until all rows have entries. Changes nothing
     * if the table has this index.
     */
    public SchemaChange addIndex(String name, String... columns) {
        return add(IndexSchema.of(name, 1, columns));
    }

    /** Adds an index in which no two rows have the same columns, as {@link #addIndex} does. */
    public SchemaChange addUnique(String name, String... columns) {
        return add(IndexSchema.unique(name, 1, columns));
    }

    /** Adds the index {@value IndexSchema#PRIMARY}, which has the rows in the order of their keys. */
    public SchemaChange addOrder() {
        return add(IndexSchema.primary(1));
    }

    private SchemaChange add(IndexSchema wanted) {
        indexSteps.add((stored, indexes) -> {
            for (IndexSchema each : indexes) {
                if (!each.name().equals(wanted.name())) continue;
                if (each.isSameIndex(wanted) && each.state() != IndexSchema.State.DROPPING) return;
                throw new IllegalArgumentException("table '" + stored.name() + "' has an index '" + each.name() + "': "
                        + each + "; an index is changed by dropping it first");
            }
            indexes.add(new IndexSchema(
                    wanted.name(),
                    freeNumber(indexes),
                    wanted.isUnique(),
                    IndexSchema.State.BUILDING,
                    wanted.columns()));
        });
        return this;
    }

    /** Drops an index, which is in state {@link IndexSchema.State#DROPPING} until all its entries are gone. */
    public SchemaChange dropIndex(String name) {
        indexSteps.add((stored, indexes) -> {
            for (int i = 0; i < indexes.size(); i++) {
                if (!indexes.get(i).name().equals(name)) continue;
                indexes.set(i, indexes.get(i).withState(IndexSchema.State.DROPPING));
                return;
            }
            throw new IllegalArgumentException("table '" + stored.name() + "' has no index '" + name
                    + "'; its indexes are "
                    + indexes.stream().map(IndexSchema::name).toList());
        });
        return this;
    }

    private static int freeNumber(List<IndexSchema> indexes) {
        int number = 1;
        while (isUsed(indexes, number)) number++;
        return number;
    }

    private static boolean isUsed(List<IndexSchema> indexes, int number) {
        return indexes.stream().anyMatch(each -> each.number() == number);
    }

    /** Refuses another type, or none, of an attribute whose bytes lie in entries of an index. */
    private static void requireSameColumns(Schema stored, List<Part> parts) {
        for (IndexSchema index : stored.indexes())
            for (String column : index.columns())
                for (Attribute had : stored.attributes())
                    if (had.name().equals(column)
                            && parts.stream()
                                    .noneMatch(each -> each.name.equals(column) && each.type.equals(had.type())))
                        throw new IllegalArgumentException("attribute '" + column + "' is a column of " + index
                                + " and can be dropped or widened when that is gone: new SchemaChange().dropIndex(\""
                                + index.name() + "\")");
    }

    // ---- attributes

    private static Part find(List<Part> parts, String name) {
        for (Part each : parts) if (each.name.equals(name)) return each;
        throw new IllegalArgumentException("the table has no attribute '" + name + "': "
                + parts.stream().map(Part::name).toList());
    }

    /** Returns the schema of a table after the change. */
    public Schema apply(Schema stored) {
        List<Part> parts = new ArrayList<>();
        List<Part> dropped = new ArrayList<>();
        for (Attribute each : stored.attributes())
            parts.add(new Part(each.name(), each.type(), stored.droppedDefault(each.name())));
        for (Attribute each : stored.dropped())
            dropped.add(new Part(each.name(), each.type(), stored.droppedDefault(each.name())));
        for (Step each : steps) each.apply(parts, dropped);
        requireSameColumns(stored, parts);
        List<IndexSchema> indexes = new ArrayList<>(stored.indexes());
        for (IndexStep each : indexSteps) each.apply(stored, indexes);
        Schema.Builder builder = Schema.builder(stored.name());
        KeySchema key = stored.key();
        for (int part = 0; part < key.parts() && !key.isLong(); part++) builder.key(key.name(part), key.type(part));
        for (Part each : parts) {
            if (each.value == null) builder.attribute(each.name, each.type);
            else builder.attribute(each.name, each.type, each.value);
        }
        for (Part each : dropped) builder.dropped(each.name, each.type, each.value);
        return builder.build().withIndexes(indexes);
    }
}
