package tidepool.cli.shell;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tidepool.Tidepool;
import tidepool.base.Nearest;
import tidepool.store.RowReport;
import tidepool.store.TableInfo;
import tidepool.store.TableUse;
import tidepool.store.motor.BarSize;
import tidepool.store.schema.Attribute;

/** The tables of the pool, as the shell finds, makes and shows them. */
final class Tables {
    /** So many of each partition are looked at to describe a table. */
    private static final long MOST_BUCKETS = 4096;

    private final Tidepool pool;
    private volatile List<TableInfo> known = List.of();

    Tables(Tidepool pool) {
        this.pool = pool;
    }

    /** All of them, by name, as the catalog has them now. Waits. */
    List<TableInfo> all() {
        known = pool.tables().stream()
                .sorted(Comparator.comparing(TableInfo::name))
                .toList();
        return known;
    }

    /** Those that were seen last. */
    List<TableInfo> known() {
        return known;
    }

    /** The table of a name. Waits, if it was not seen yet. */
    TableInfo find(String name) {
        for (TableInfo each : known) if (each.name().equals(name)) return each;
        List<String> names = new ArrayList<>();
        for (TableInfo each : all()) {
            if (each.name().equals(name)) return each;
            names.add(each.name());
        }
        String likely = Nearest.to(name, names);
        String advice = names.isEmpty()
                ? "the pool has no tables yet, create makes one"
                : likely != null ? "did you mean '" + likely + "'?" : "tables lists those that there are";
        throw new Refused("no such table: '" + name + "'; " + advice);
    }

    String create(Statement.Create create) {
        String name = create.schema().name();
        for (TableInfo each : all())
            if (each.name().equals(name)) throw new Refused("table '" + name + "' exists: " + text(each));
        TableInfo made = pool.table(create.schema(), create.rows());
        all();
        return "created " + text(made) + " with room for " + create.rows() + " records"
                + (create.keyName() == null || create.keyName().equals("key")
                        ? ""
                        : "; the key is a number, its name '" + create.keyName() + "' is not kept");
    }

    /** Waits. */
    String list() {
        List<TableInfo> tables = all();
        if (tables.isEmpty()) return "no tables yet; create makes one: " + Words.usage("create");
        int width = tables.stream().mapToInt(each -> each.name().length()).max().orElse(0);
        List<String> lines = new ArrayList<>();
        for (TableInfo each : tables)
            lines.add(String.format(Locale.ROOT, "%-" + width + "s  %s", each.name(), fields(each)));
        return String.join(System.lineSeparator(), lines);
    }

    private static String text(TableInfo table) {
        return table.name() + " (" + fields(table) + ")";
    }

    private static String fields(TableInfo table) {
        return table.schema().attributes().stream()
                .map(each -> each.name() + " " + Values.type(each.type()))
                .collect(Collectors.joining(", "));
    }

    /** Waits. */
    String describe(TableInfo table) {
        List<Attribute> fields = table.schema().attributes();
        int width = Math.max(
                3, fields.stream().mapToInt(each -> each.name().length()).max().orElse(0));
        String format = "%-" + width + "s  %s";
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, format, "key", "long, the key"));
        for (Attribute each : fields)
            lines.add(String.format(Locale.ROOT, format, each.name(), Values.type(each.type())));
        lines.add(String.format(
                Locale.ROOT,
                "%d bytes a record; %d buckets of %d records in each partition, %d more for overflow",
                table.valueBytes(),
                table.buckets(),
                table.slots(),
                table.overflow()));
        lines.add(RowReport.of(table));
        lines.add(use(table));
        return String.join(System.lineSeparator(), lines);
    }

    /** What lies in the first buckets, and what is changed there; with versions also how large a bar that asks for. */
    private String use(TableInfo table) {
        TableUse use = pool.use(table, MOST_BUCKETS);
        String seen = String.format(
                Locale.ROOT,
                "in the first %,d buckets: %,d records, %,d deleted, %,d slots never used; %,d overflow buckets in use",
                use.buckets(),
                use.rows(),
                use.tombstones(),
                use.empty(),
                use.overflowBuckets());
        if (use.updates() == null) return seen;
        BarSize bar = BarSize.of(
                table.schema().withUpdates(use.updates()), table.format().versions());
        return seen
                + System.lineSeparator()
                + String.format(
                        Locale.ROOT,
                        "%,d versions; last updates: %s, for which a bar of %d bytes would do",
                        use.versions(),
                        use.updates().text(table.schema()),
                        bar.bytes());
    }
}
