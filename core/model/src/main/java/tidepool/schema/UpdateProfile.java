package tidepool.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import tidepool.base.Checks;

/**
 * The attributes that transactions change in the rows of a table, and how often. Protocols that keep several versions
 * of a row use it to choose the room for older versions. It is a hint when a table is made, and no part of the schema:
 * a table does not depend on it, and transactions may also change attributes that were not declared.
 *
 * <p>The text form has a weight and the attributes of each kind of update. Weights count in any unit, because only
 * their ratios matter. A table whose rows are never changed has {@code never}.
 *
 * <pre>
 *   updates = "never" | kind *( "," kind )
 *   kind    = weight ( attribute *( "+" attribute ) | "-" )          as in: 9 balance, 1 balance+owner
 * </pre>
 *
 * {@code -} stands for updates that change no attribute.
 *
 * <pre>{@code
 * UpdateProfile updates = UpdateProfile.parse(schema, "9 balance, 1 balance+owner");
 * System.out.println(updates.weight()); // 10
 * }</pre>
 */
public final class UpdateProfile {
    /** Rows are inserted and deleted, and never changed. */
    public static final UpdateProfile NEVER = new UpdateProfile(List.of(), false);

    private static final String NEVER_TEXT = "never";
    private static final String NOTHING = "-";
    private static final long MAX_WEIGHT = 1L << 40;

    /**
     * A kind of update.
     *
     * @param attributes those that it changes, a bit for each number
     * @param weight how often it happens, relative to the others
     */
    public record Kind(long attributes, long weight) {
        public Kind {
            Checks.argument(
                    weight >= 1 && weight <= MAX_WEIGHT,
                    "a weight of updates is a whole number from 1 to 2^40, not " + weight);
        }
    }

    private final List<Kind> kinds;
    private final boolean sampled;

    private UpdateProfile(List<Kind> kinds, boolean sampled) {
        this.kinds = kinds;
        this.sampled = sampled;
    }

    /** Returns a profile of updates that were observed, not declared. */
    public static UpdateProfile sampled(List<Kind> kinds) {
        return new UpdateProfile(List.copyOf(kinds), true);
    }

    /** Reads the text form, for the attributes of that schema. */
    public static UpdateProfile parse(Schema schema, String text) {
        Checks.argument(text != null, "the updates of table '" + schema.name() + "' are null");
        if (text.strip().equals(NEVER_TEXT)) return NEVER;
        List<Kind> kinds = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String[] words = part.strip().split("\\s+", 2);
            if (words.length < 2 || !words[0].matches("[0-9]{1,12}"))
                throw new IllegalArgumentException("not updates of table '" + schema.name()
                        + "': a weight and attributes are expected, as in '9 a, 1 a+b', or 'never': "
                        + SchemaText.quote(text));
            kinds.add(new Kind(attributes(schema, words[1]), Long.parseLong(words[0])));
        }
        return new UpdateProfile(List.copyOf(kinds), false);
    }

    private static long attributes(Schema schema, String text) {
        if (text.strip().equals(NOTHING)) return 0;
        long set = 0;
        for (String name : text.split("\\+", -1)) {
            long bit = 1L << schema.attribute(name.strip()).number();
            Checks.argument(
                    (set & bit) == 0,
                    "attribute '" + name.strip() + "' of table '" + schema.name() + "' stands twice in one update");
            set |= bit;
        }
        return set;
    }

    public List<Kind> kinds() {
        return kinds;
    }

    /** Returns whether the updates were observed; otherwise they were declared. */
    public boolean isSampled() {
        return sampled;
    }

    /** Returns the sum of all weights. */
    public long weight() {
        return kinds.stream().mapToLong(Kind::weight).sum();
    }

    /**
     * Returns the weights by how many bytes of attributes an update changes, fewest first: the room for versions
     * depends on them.
     */
    public Map<Long, Long> bySize(Schema schema) {
        Map<Long, Long> sizes = new TreeMap<>();
        for (Kind kind : kinds) sizes.merge(bytes(schema, kind.attributes), kind.weight, Long::sum);
        return sizes;
    }

    private static long bytes(Schema schema, long attributes) {
        long sum = 0;
        for (Attribute each : schema.attributes()) if ((attributes >>> each.number() & 1) != 0) sum += each.bytes();
        return sum;
    }

    /** Returns the text form, which {@link #parse} reads. */
    public String text(Schema schema) {
        if (kinds.isEmpty()) return NEVER_TEXT;
        StringJoiner all = new StringJoiner(", ");
        for (Kind kind : kinds) {
            StringJoiner names = new StringJoiner("+").setEmptyValue(NOTHING);
            for (Attribute each : schema.attributes())
                if ((kind.attributes >>> each.number() & 1) != 0) names.add(each.name());
            all.add(kind.weight + " " + names);
        }
        return all.toString();
    }
}
