package tidepool.store.motor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import tidepool.store.RowFormat;
import tidepool.store.schema.Schema;
import tidepool.store.schema.Updates;

/**
 * How large the attribute bars of a table are made, and why (§4.2): as much as the versions that a tuple keeps usually need, by
 * how many bytes of attributes transactions change and how often. For each size that occurs there is room for its part of the
 * versions, rounded down, and for at least one:
 *
 * <pre>
 *   sum over all sizes of  max(versions × weight / all weights, 1) × size
 *   customer of the paper: 10 × 512 bytes, 88 × 12, 2 × 4; 4 versions:   1 × 512 + 3 × 12 + 1 × 4 = 552
 * </pre>
 *
 * The size of a delta here is that of its attributes, rounded up to words, and three words more ({@link DeltaLayout}). A bar holds
 * at least one delta of a whole value, because a version that is being written is undone from its delta, and anything may be
 * changed, declared or not.
 *
 * @param bytes of the bar of one row
 * @param basis where the number comes from
 * @param parts what there is room for; empty if the number was given
 */
public record BarSize(long bytes, Basis basis, List<Part> parts) {
    /** Where the size of a bar comes from. */
    public enum Basis {
        /** Somebody asked for so many bytes. */
        GIVEN,
        /** Somebody said what will be changed. */
        DECLARED,
        /** Somebody has seen what is changed. */
        SAMPLED,
        /** Nobody knows: one update of a whole value, the others of a quarter of it. */
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

    /** By what is known about updates of the table; assumed if nothing is. */
    public static BarSize of(Schema schema, int versions) {
        Updates updates = schema.updates();
        if (updates == null) {
            List<Part> assumed = List.of(new Part(1, schema.length()), new Part(versions - 1, quarter(schema)));
            return new BarSize(sum(assumed), Basis.ASSUMED, assumed);
        }
        List<Part> parts = parts(schema, versions, updates);
        Basis basis = updates.isSampled() ? Basis.SAMPLED : Basis.DECLARED;
        return new BarSize(Math.max(sum(parts), least(schema)), basis, parts);
    }

    /** So many bytes, and a few more if that is less than a whole value needs. */
    public static BarSize given(Schema schema, long bytes) {
        return new BarSize(Math.max(bytes + 7 & -8, least(schema)), Basis.GIVEN, List.of());
    }

    /** Deltas of each size, fewest bytes first. */
    static List<Part> parts(Schema schema, int versions, Updates updates) {
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

    /** One delta of a whole value. */
    static long least(Schema schema) {
        return DeltaLayout.bytes(schema.length());
    }

    private static long quarter(Schema schema) {
        return (schema.length() + 3L) / 4;
    }

    // ---- as the catalog keeps it, and for people

    /** In the catalog, behind the size of the block: {@code declared:1x512+3x12}. */
    String text() {
        StringJoiner text = new StringJoiner("+", name(basis) + ":", "");
        for (Part part : parts) text.add(part.deltas + "x" + part.bytes);
        return text.toString();
    }

    /** The bar of a table and why it is so large, from what the catalog keeps: {@code 40 bytes (given)}. */
    public static String describe(Schema schema, RowFormat format) {
        long bytes = format.sideBytes() - PackageLayout.bytes(schema.length());
        return bytes + " bytes (" + reason(format.why())
                + (bytes == least(schema) ? "; the least, for one delta of a whole value)" : ")");
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
