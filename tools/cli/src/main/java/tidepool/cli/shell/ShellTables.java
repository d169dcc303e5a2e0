package tidepool.cli.shell;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tidepool.TableSize;
import tidepool.Tidepool;
import tidepool.base.NameSuggestion;
import tidepool.schema.Attribute;
import tidepool.schema.KeySchema;
import tidepool.schema.SchemaChange;
import tidepool.spi.PoolAccess;
import tidepool.store.RowReport;
import tidepool.store.TableLayout;
import tidepool.store.TableUsage;
import tidepool.store.motor.BarSize;

/** The tables of the pool: finds, creates and describes them. */
final class ShellTables {
    /** The number of buckets of each partition that are read to describe a table. */
    private static final long MAX_BUCKETS = 4096;

    private final Tidepool pool;
    private volatile List<TableLayout> known = List.of();

    ShellTables(Tidepool pool) {
        this.pool = pool;
    }

    /** Reads all tables from the catalog, sorted by name. Waits for the pool. */
    List<TableLayout> all() {
        known = pool.tables().stream()
                .map(PoolAccess::layout)
                .sorted(Comparator.comparing(TableLayout::name))
                .toList();
        return known;
    }

    /** Makes the next statement read the catalog, because another process may have changed a table. */
    void forget() {
        known = List.of();
    }

    /** Returns the tables that were read last. */
    List<TableLayout> known() {
        return known;
    }

    /** Returns the table of a name. Waits for the pool if the table was not read yet. */
    TableLayout find(String name) {
        for (TableLayout each : known) if (each.name().equals(name)) return each;
        List<String> names = new ArrayList<>();
        for (TableLayout each : all()) {
            if (each.name().equals(name)) return each;
            names.add(each.name());
        }
        String likely = NameSuggestion.to(name, names);
        String advice = names.isEmpty()
                ? "the pool has no tables yet, create makes one"
                : likely != null ? "did you mean '" + likely + "'?" : "tables lists those that there are";
        throw new StatementException("no such table: '" + name + "'; " + advice);
    }

    String create(Statement.Create create) {
        String name = create.schema().name();
        for (TableLayout each : all())
            if (each.name().equals(name)) throw new StatementException("table '" + name + "' exists: " + text(each));
        TableLayout made = PoolAccess.layout(pool.table(create.schema(), create.rows()));
        all();
        return "created " + text(made) + " with room for " + create.rows() + " records"
                + (create.keyName() == null || create.keyName().equals("key")
                        ? ""
                        : "; the key is a number, its name '" + create.keyName() + "' is not kept");
    }

    /** Drops a table. Waits until its memory can be used again. */
    String drop(String name) {
        pool.drop(found(name));
        all();
        return "dropped " + name;
    }

    /** Deletes all records of a table, and waits for that. */
    String truncate(String name) {
        pool.truncate(found(name));
        all();
        return "table " + name + " is empty";
    }

    /** Renames a table, and waits for that. */
    String rename(String name, String to) {
        pool.rename(found(name), to);
        all();
        return "table " + name + " is now " + to;
    }

    /** Adds, drops and widens fields. Waits until all records have the new layout. */
    String alter(String name, SchemaChange change) {
        String table = found(name);
        long[] moved = new long[1];
        pool.alter(table, change, (rows, _) -> moved[0] = rows);
        all();
        return "altered " + text(find(table)) + String.format(Locale.ROOT, "; %,d records moved", moved[0]);
    }

    /** Counts the records of a table. Waits for the reads. */
    String count(String name) {
        TableSize size = pool.size(found(name));
        return String.format(
                Locale.ROOT,
                "%,d records, room for %,d, %,d bytes of each copy",
                size.rows(),
                size.room(),
                size.bytes());
    }

    private String found(String name) {
        all();
        return find(name).name();
    }

    /** Lists all tables. Waits for the pool. */
    String list() {
        List<TableLayout> tables = all();
        if (tables.isEmpty()) return "no tables yet; create makes one: " + ShellCommands.usage("create");
        int width = tables.stream().mapToInt(each -> each.name().length()).max().orElse(0);
        List<String> lines = new ArrayList<>();
        for (TableLayout each : tables)
            lines.add(String.format(Locale.ROOT, "%-" + width + "s  %s", each.name(), fields(each)));
        return String.join(System.lineSeparator(), lines);
    }

    private static String text(TableLayout table) {
        return table.name() + " (" + fields(table) + ")";
    }

    private static String fields(TableLayout table) {
        KeySchema key = table.schema().key();
        Stream<String> keys = IntStream.range(0, key.isLong() ? 0 : key.parts())
                .mapToObj(part -> key.name(part) + " " + FieldText.type(key.type(part)) + " key");
        Stream<String> fields =
                table.schema().attributes().stream().map(each -> each.name() + " " + FieldText.type(each.type()));
        return Stream.concat(keys, fields).collect(Collectors.joining(", "));
    }

    /** Describes a table. Waits for the pool. */
    String describe(TableLayout table) {
        List<Attribute> fields = table.schema().attributes();
        int keys = IntStream.range(0, table.schema().key().parts())
                .map(part -> table.schema().key().name(part).length())
                .max()
                .orElse(0);
        int width = Math.max(
                keys,
                fields.stream().mapToInt(each -> each.name().length()).max().orElse(0));
        String format = "%-" + width + "s  %s";
        List<String> lines = new ArrayList<>();
        KeySchema key = table.schema().key();
        for (int part = 0; part < key.parts(); part++)
            lines.add(String.format(
                    Locale.ROOT,
                    format,
                    key.name(part),
                    FieldText.type(key.type(part)) + (key.parts() == 1 ? ", the key" : ", part of the key")));
        for (Attribute each : fields)
            lines.add(String.format(Locale.ROOT, format, each.name(), FieldText.type(each.type())));
        ScanText.describe(table.schema()).forEach(lines::add);
        lines.add(String.format(
                Locale.ROOT,
                "%d bytes a record; %d buckets of %d records in each partition, %d more for overflow",
                table.valueBytes(),
                table.bucketRoom(),
                table.slots(),
                table.overflowRoom()));
        lines.add(RowReport.of(table));
        lines.add(use(table));
        return String.join(System.lineSeparator(), lines);
    }

    /**
     * Describes the contents of the first buckets and the updates there. For versioned tables also returns the size of
     * the bar that these updates need.
     */
    private String use(TableLayout table) {
        TableUsage usage = PoolAccess.usage(pool, table, MAX_BUCKETS);
        String grown = table.hasGrown()
                ? String.format(
                        Locale.ROOT,
                        "it has grown from %,d to %,d buckets, in %d areas%n",
                        (long) table.buckets() * table.partitions(),
                        usage.chains(),
                        table.areaCount())
                : "";
        String seen = String.format(
                Locale.ROOT,
                "in the first %,d buckets: %,d records, %,d deleted, %,d slots never used; %,d overflow buckets in use",
                usage.buckets(),
                usage.rows(),
                usage.tombstones(),
                usage.empty(),
                usage.overflowBuckets());
        if (usage.updates() == null) return grown + seen;
        BarSize bar = BarSize.of(
                table.schema().withUpdates(usage.updates()), table.format().versions());
        return grown
                + seen
                + System.lineSeparator()
                + String.format(
                        Locale.ROOT,
                        "%,d versions; last updates: %s, for which a bar of %d bytes would do",
                        usage.versions(),
                        usage.updates().text(table.schema()),
                        bar.bytes());
    }
}
