package tidepool.store.motor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import tidepool.schema.Schema;
import tidepool.schema.UpdateProfile;
import tidepool.store.RowFormat;

/**
 * The size of the attribute bars of a table, and the reason for it (§4.2). A bar has the room that the versions of a
 * tuple usually need, by how many bytes of attributes transactions change and how often. Each size that occurs gets
 * room for its share of the versions, rounded down, and for at least one:
 *
 * <pre>
 *   sum over all sizes of  max(versions × weight / all weights, 1) × size
 *   customer of the paper: 10 × 512 bytes, 88 × 12, 2 × 4; 4 versions:   1 × 512 + 3 × 12 + 1 × 4 = 552
 * </pre>
 *
 * The size of a delta here is that of its attributes, rounded up to words, plus three words ({@link DeltaLayout}). A
 * bar holds at least one delta of a whole value. A version that is being written is undone from its delta, and
 * transactions may change any attribute, declared or not.
 *
 * @param bytes of the bar of one row
 * @param basis where the number comes from
 * @param parts the deltas for which there is room; empty if the number was given
 */
public record BarSize(long bytes, Basis basis, List<Part> parts) {
    /** Where the size of a bar comes from. */
    public enum Basis {
        /** The user asked for this number of bytes. */
        GIVEN,
        /** The schema declares which attributes are changed. */
        DECLARED,
        /** A sample shows which attributes are changed. */
        SAMPLED,
        /** Nothing is known: one update of a whole value, the others of a quarter of it. */
        ASSUMED
    }

    /**
     * Room for deltas of one size.
     *
     * @param deltas how many
     * @param bytes of attributes in each
     */
    public record Part(long deltas, long bytes) {}

    public BarSize {
        parts = List.copyOf(parts);
    }

    /** Returns the size by what is known about updates of the table; assumed if nothing is. */
    public static BarSize of(Schema schema, int versions) {
        UpdateProfile updates = schema.updates();
        if (updates == null) {
            List<Part> assumed = List.of(new Part(1, schema.length()), new Part(versions - 1, quarter(schema)));
            return new BarSize(sum(assumed), Basis.ASSUMED, assumed);
        }
        List<Part> parts = parts(schema, versions, updates);
        Basis basis = updates.isSampled() ? Basis.SAMPLED : Basis.DECLARED;
        return new BarSize(Math.max(sum(parts), minBytes(schema)), basis, parts);
    }

    /** Returns a size of the given bytes, or of one delta of a whole value if that is more. */
    public static BarSize given(Schema schema, long bytes) {
        return new BarSize(Math.max(bytes + 7 & -8, minBytes(schema)), Basis.GIVEN, List.of());
    }

    /** Returns the deltas of each size, fewest bytes first. */
    static List<Part> parts(Schema schema, int versions, UpdateProfile updates) {
        List<Part> parts = new ArrayList<>();
        long all = updates.weight();
        for (Map.Entry<Long, Long> size : updates.bySize(schema).entrySet())
            parts.add(new Part(Math.max(versions * size.getValue() / all, 1), size.getKey()));
        return parts;
    }

    private static long sum(List<Part> parts) {
        return parts.stream()
                .mapToLong(part -> part.deltas * DeltaLayout.bytes(part.bytes))
                .sum();
    }

    /** Returns the bytes of one delta of a whole value. */
    static long minBytes(Schema schema) {
        return DeltaLayout.bytes(schema.length());
    }

    private static long quarter(Schema schema) {
        return (schema.length() + 3L) / 4;
    }

    // ---- text for the catalog and for people

    /** Returns the text that the catalog keeps after the size of the block: {@code declared:1x512+3x12}. */
    String text() {
        StringJoiner text = new StringJoiner("+", name(basis) + ":", "");
        for (Part part : parts) text.add(part.deltas + "x" + part.bytes);
        return text.toString();
    }

    /**
     * Describes the bar of a table and the reason for its size, from the text in the catalog: {@code 40 bytes (given)}.
     */
    public static String describe(Schema schema, RowFormat format) {
        long bytes = format.sideBytes() - PackageLayout.bytes(schema.length());
        return bytes + " bytes (" + reason(format.why())
                + (bytes == minBytes(schema) ? "; the least, for one delta of a whole value)" : ")");
    }

    private static String reason(String kept) {
        int colon = kept.indexOf(':');
        if (colon < 0) return "nobody wrote down why";
        String basis = kept.substring(0, colon);
        String parts = kept.substring(colon + 1);
        if (basis.equals(name(Basis.GIVEN))) return basis;
        if (parts.isEmpty()) return basis + ": rows are never changed";
        return basis + ": " + parts.replace("x", " × ").replace("+", " + ") + " bytes of attributes";
    }

    private static String name(Basis basis) {
        return basis.name().toLowerCase(Locale.ROOT);
    }
}
