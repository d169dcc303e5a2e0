package tidepool;

import java.util.Arrays;
import tidepool.txn.RangeScan;

/**
 * A range of an index, by values of its first columns: of the key for {@link Table#scan}, otherwise of the columns of
 * the {@link TableIndex}. Values have the types that a record has for them.
 *
 * <pre>{@code
 * KeyRange some = KeyRange.from(17).to(42); // 17 <= key < 42
 * KeyRange more = KeyRange.from(17).through(42); // 17 <= key <= 42
 * KeyRange berlin = KeyRange.of("Berlin"); // all entries whose first column is "Berlin"
 * }</pre>
 */
public final class KeyRange {
    private final Object[] from; // null for no bound
    private final boolean isFromExclusive;
    private final Object[] to;
    private final boolean isToInclusive;

    private KeyRange(Object[] from, boolean isFromExclusive, Object[] to, boolean isToInclusive) {
        this.from = from;
        this.isFromExclusive = isFromExclusive;
        this.to = to;
        this.isToInclusive = isToInclusive;
    }

    /** Returns the range of all entries. */
    public static KeyRange all() {
        return new KeyRange(null, false, null, false);
    }

    /** Returns the range of all entries whose first columns have these values. */
    public static KeyRange of(Object... values) {
        return new KeyRange(copy(values), false, copy(values), true);
    }

    /** Returns the range from these values on. */
    public static KeyRange from(Object... values) {
        return new KeyRange(copy(values), false, null, false);
    }

    /** Returns the range after all entries whose first columns have these values. */
    public static KeyRange after(Object... values) {
        return new KeyRange(copy(values), true, null, false);
    }

    /** Returns the range before these values. */
    public static KeyRange before(Object... values) {
        return new KeyRange(null, false, copy(values), false);
    }

    /** Returns this range with an end before these values. */
    public KeyRange to(Object... values) {
        return new KeyRange(from, isFromExclusive, copy(values), false);
    }

    /** Returns this range with an end after all entries whose first columns have these values. */
    public KeyRange through(Object... values) {
        return new KeyRange(from, isFromExclusive, copy(values), true);
    }

    private static Object[] copy(Object[] values) {
        if (values == null || values.length == 0) throw new IllegalArgumentException("a bound has at least one value");
        return values.clone();
    }

    /** Sets the bounds of a scan. Refuses values that its index does not have. */
    void applyTo(RangeScan scan) {
        scan.all();
        if (from != null && isFromExclusive) scan.after(from);
        else if (from != null) scan.from(from);
        if (to != null && isToInclusive) scan.through(to);
        else if (to != null) scan.to(to);
    }

    /** Returns the bounds for people. */
    @Override
    public String toString() {
        String low = from == null ? "all" : (isFromExclusive ? "after " : "from ") + Arrays.toString(from);
        return to == null ? low : low + (isToInclusive ? " through " : " to ") + Arrays.toString(to);
    }
}
