package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tidepool.base.Checks;

/**
 * A function from values of one schema to values of another one, by the names of their attributes. An attribute that
 * only the second one has gets its default. {@code docs/guide/schema.md} has the rules.
 *
 * <pre>{@code
 * Schema before = Schema.parse("account(balance:int)");
 * Schema after = Schema.parse("account(balance:long, level:int='3')");
 * RowMapping mapping = RowMapping.between(before, after);
 * mapping.convert(oldValue, 0, newValue, 0);
 * }</pre>
 */
public final class RowMapping {
    /** An attribute of the target, and where it comes from; null if it gets its default. */
    private record Step(Attribute source, Attribute target) {
        boolean becomesLong() {
            return TypeMapping.becomesLong(target.type(), source.type());
        }
    }

    private final Schema to;
    private final List<Step> steps = new ArrayList<>();
    private final List<Step> longer = new ArrayList<>(); // those of contents that may lie in parts from now on
    private final byte[] defaults;

    private RowMapping(Schema from, Schema to) {
        this.to = to;
        this.defaults = to.defaultRow();
        for (Attribute each : to.attributes()) {
            Attribute source = find(from.attributes(), each.name());
            if (source == null) continue;
            Step step = new Step(source, each);
            if (step.becomesLong()) longer.add(step);
            else steps.add(step);
        }
    }

    /** Returns the function from rows of a table to its rows after a change. */
    public static RowMapping between(Schema before, Schema after) {
        for (Attribute each : after.attributes()) {
            Attribute had = find(before.attributes(), each.name());
            Checks.argument(
                    had == null ? after.hasDefault(each) : TypeMapping.isWider(each.type(), had.type()),
                    "attribute '" + each.name() + "' cannot be made of rows of " + before + ": " + after);
        }
        return new RowMapping(before, after);
    }

    /** Returns the function from the values of a record class to those of a table. */
    static RowMapping toTable(Schema here, Schema stored) {
        return new RowMapping(here, stored);
    }

    /** Returns the function from the values of a table to those of a record class. Refuses values by an exception. */
    static RowMapping fromTable(Schema here, Schema stored) {
        RowMapping mapping = new RowMapping(stored, here);
        for (Attribute each : here.attributes())
            if (find(stored.attributes(), each.name()) == null)
                DefaultText.write(each, stored.droppedDefault(each.name()), MemorySegment.ofArray(mapping.defaults), 0);
        return mapping;
    }

    /**
     * Returns why a record class cannot work on a table; null if it can. Every value of the class has to fit the table,
     * and a value of the table has to have a place in the class, if it is small enough.
     */
    static String refusal(Schema here, Schema stored) {
        if (!here.key().equals(stored.key())) return "the key is " + stored.key() + ", not " + here.key();
        for (Attribute each : here.attributes()) {
            Attribute there = find(stored.attributes(), each.name());
            if (there == null) {
                Attribute dropped = find(stored.dropped(), each.name());
                if (dropped == null) return "the table has no attribute '" + each.name() + "'";
                if (!dropped.type().equals(each.type())) return "it had " + dropped.text() + ", not " + each.text();
            } else if (!TypeMapping.isWider(there.type(), each.type())) {
                return "the table has " + there.text() + ", the class " + each.text();
            }
        }
        return null;
    }

    /** Returns the attributes of a table that a record class lacks: a bit for each number. */
    static long kept(Schema here, Schema stored) {
        long kept = 0;
        for (Attribute each : stored.attributes())
            if (find(here.attributes(), each.name()) == null) kept |= 1L << each.number();
        return kept;
    }

    /** Returns the attributes of a class that its table had once, and that have a default there. */
    static List<Attribute> dropped(Schema here, Schema stored) {
        return here.attributes().stream()
                .filter(each -> find(stored.attributes(), each.name()) == null)
                .collect(Collectors.toList());
    }

    private static Attribute find(List<Attribute> all, String name) {
        for (Attribute each : all) if (each.name().equals(name)) return each;
        return null;
    }

    /** Returns whether contents that have room in the row of the first schema may lie in parts in the second one. */
    public boolean makesLong() {
        return !longer.isEmpty();
    }

    /** Returns the bytes that {@link #convert} needs for a row, in whole words. */
    public long bytes(MemorySegment from, long fromAt) {
        long bytes = to.length();
        for (Step each : longer)
            bytes += ContentField.bytesElsewhere(
                    TypeMapping.lengthInRow(each.source.type(), from, fromAt + each.source.offset()));
        return bytes;
    }

    /**
     * Writes a whole value of the second schema, and after it the contents that may lie in parts and do not fit their
     * slots: {@link ContentField#isInMemory}. What is written does not overlap the value of the first schema.
     *
     * @param at a multiple of eight; {@link #bytes} says what is written from there
     */
    public void convert(MemorySegment from, long fromAt, MemorySegment into, long at) {
        MemorySegment.copy(defaults, 0, into, ValueLayout.JAVA_BYTE, at, to.length());
        for (Step each : steps)
            TypeMapping.convert(
                    each.source.type(),
                    from,
                    fromAt + each.source.offset(),
                    each.target.type(),
                    into,
                    at + each.target.offset(),
                    each.target.name());
        long place = at + to.length();
        for (Step each : longer)
            place = TypeMapping.convertToLong(
                    each.source.type(),
                    from,
                    fromAt + each.source.offset(),
                    each.target.type(),
                    into,
                    at + each.target.offset(),
                    place);
    }
}
