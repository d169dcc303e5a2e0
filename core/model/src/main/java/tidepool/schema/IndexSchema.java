package tidepool.schema;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import tidepool.base.Checks;

/**
 * The definition of an index of a table: its columns, which are attributes or parts of the key, in their order. Entries
 * of an index are sorted by the columns, then by the parts of the key that are not among them. {@link IndexKeys} makes
 * their bytes.
 *
 * <pre>{@code
 * Schema orders = Schema.parse("orders(warehouse:int, customer:int)")
 *         .withIndexes(List.of(IndexSchema.of("by_customer", 1, "warehouse", "customer")));
 * IndexSchema byCustomer = orders.index("by_customer"); // index by_customer#1(warehouse, customer)
 * }</pre>
 *
 * @param name unique in the table; {@value #PRIMARY} for the order of the key, which has no columns
 * @param number unique in the table, from 1 to {@value #MAX_NUMBER}: nodes of the index have it in their keys
 * @param isUnique whether two rows may not have the same columns, unless one of the columns is null
 * @param columns names of attributes or of parts of the key; empty if the rows are ordered by the key alone
 */
public record IndexSchema(String name, int number, boolean isUnique, State state, List<String> columns) {
    /** The name of the index that has the rows in the order of their keys. */
    public static final String PRIMARY = "primary";

    /** The maximum number of indexes of a table. */
    public static final int MAX_INDEXES = 32;

    /** The largest number of an index. */
    public static final int MAX_NUMBER = 127;

    /** The stages in the life of an index. */
    public enum State {
        /** It has an entry for each row, and transactions scan it. */
        READY,
        /** Transactions write its entries and do not scan it: rows of before may have no entry yet. */
        BUILDING,
        /** No transaction uses it: its entries are being removed. */
        DROPPING;

        /** Returns the word in front of the index in the text of the schema, with a blank; none if it is ready. */
        String text() {
            return this == READY ? "" : name().toLowerCase(Locale.ROOT) + " ";
        }
    }

    /** Refuses names, numbers and columns that no index can have; the table decides which columns it has. */
    public IndexSchema {
        SchemaText.checkName("index", name);
        if (number < 1 || number > MAX_NUMBER)
            throw new IllegalArgumentException(
                    "index '" + name + "' has a number from 1 to " + MAX_NUMBER + ", not " + number);
        Checks.argument(state != null, "index '" + name + "' needs a state");
        columns = List.copyOf(columns);
        for (String each : columns) SchemaText.checkPath(each);
        if (new HashSet<>(columns).size() < columns.size())
            throw new IllegalArgumentException("index '" + name + "' has a column twice: " + columns);
        if (columns.isEmpty() != name.equals(PRIMARY))
            throw new IllegalArgumentException("index '" + name + "' "
                    + (columns.isEmpty()
                            ? "has no columns; the order of the key is the index '" + PRIMARY + "'"
                            : "is the order of the key and has no columns, not " + columns));
        Checks.argument(
                !columns.isEmpty() || !isUnique, "index '" + PRIMARY + "' is the order of the key, which is unique");
    }

    /** Returns an index that is ready, and that may have two rows with the same columns. */
    public static IndexSchema of(String name, int number, String... columns) {
        return new IndexSchema(name, number, false, State.READY, Arrays.asList(columns));
    }

    /** Returns an index that is ready, and in which no two rows have the same columns. */
    public static IndexSchema unique(String name, int number, String... columns) {
        return new IndexSchema(name, number, true, State.READY, Arrays.asList(columns));
    }

    /** Returns the index that has the rows in the order of their keys, ready. */
    public static IndexSchema primary(int number) {
        return of(PRIMARY, number);
    }

    /** Returns this index in another stage of its life. */
    public IndexSchema withState(State now) {
        return new IndexSchema(name, number, isUnique, now, columns);
    }

    /** Returns whether the two have one name and the same columns, and are both unique or not. */
    boolean isSameIndex(IndexSchema other) {
        return other.name.equals(name) && other.isUnique == isUnique && other.columns.equals(columns);
    }

    /** Returns name and columns, for messages: {@code unique code(code)}. */
    String declaration() {
        return (isUnique ? "unique " : "index ") + name + "(" + String.join(", ", columns) + ")";
    }

    /** Returns its text in the text form of a schema: {@code building index by_customer#1(warehouse, customer)}. */
    public String text() {
        return state.text() + (isUnique ? "unique " : "index ") + name + "#" + number + "(" + String.join(", ", columns)
                + ")";
    }

    @Override
    public String toString() {
        return text();
    }
}
