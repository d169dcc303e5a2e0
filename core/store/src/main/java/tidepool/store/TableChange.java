package tidepool.store;

import java.util.List;
import tidepool.schema.Attribute;
import tidepool.schema.AttributeType;
import tidepool.schema.Schema;
import tidepool.store.StoreException.Reason;

/**
 * A change of one table, step by step, by a session that does nothing else: prepare it, {@link #announce} it, shut out
 * and recover every other session, {@link #apply} it. Closing it releases the catalog lock, and takes an announcement
 * back that was not followed by {@link #apply}. {@code docs/decisions/0034-schema-changes.md} has the crash table.
 *
 * <p>A change that was interrupted, and is prepared again by another session, may have happened: then there is nothing
 * to prepare.
 */
public final class TableChange implements AutoCloseable {
    private final Catalog catalog;
    private final CatalogTables tables;
    private final CatalogChanges changes;
    private TableLayout after;
    private List<TableLayout> hiddenAfter = List.of();
    private TableLayout second; // the table that changes with it; null if there is none

    TableChange(Catalog catalog, CatalogTables tables, CatalogChanges changes) {
        this.catalog = catalog;
        this.tables = tables;
        this.changes = changes;
        changes.lock();
    }

    /** Prepares the end of a table. Returns false if it is no more. */
    public boolean drop(TableLayout table) {
        TableLayout now = latest(table);
        if (now != null) requireOneVersion(now, "dropped");
        return prepare(now, EntryWord.DROPPED);
    }

    /** Prepares the end of a former version of a table. The parts stay. Returns false if it is no more. */
    public boolean dropVersion(TableLayout version) {
        TableLayout now = tables.now(version);
        if (now == null) return false;
        after = changed(now, EntryWord.DROPPED);
        tables.requireFits(after, List.of());
        return true;
    }

    /**
     * Prepares that a table gets a later version, {@link TableLayout#NEXT}, to which its rows move from then on.
     * Returns false if that has happened.
     *
     * @param schema the schema of the later version
     */
    public boolean succeed(TableLayout table, Schema schema) {
        TableLayout now = required(table);
        if (now.isBefore()) return false;
        requireOneVersion(now, "altered");
        // Otherwise rows would move that are gone, from buckets that are not zero yet, without their parts.
        if (!now.isReady())
            throw new StoreException(Reason.BUSY, "table " + now.name() + " is being emptied: try again");
        String name = now.name();
        TableLayout next = tables.named().stream()
                .filter(each -> each.schema().equals(schema.named(name + TableLayout.NEXT)))
                .findFirst()
                .orElse(null);
        if (next == null)
            throw new StoreException(Reason.BUSY, "table " + name + " is being altered by another process: try again");
        long origin = now.origin();
        after = now.withSchema(now.schema().named(name + TableLayout.BEFORE)).ofOrigin(origin);
        second = next.withSchema(next.schema().named(name)).ofOrigin(origin);
        tables.requireFitsTwo(after, second);
        changes.raiseVersion(CatalogChanges.versionOf(now.schema(), schema));
        return true;
    }

    /** Rows of another layout would be left, and no table would lead to them. */
    private static void requireOneVersion(TableLayout now, String what) {
        if (now.before() != null)
            throw new StoreException(
                    Reason.BUSY,
                    "table " + now.name() + " cannot be " + what + " while its rows move to another layout: finish that"
                            + " first, by 'table alter' without a change; stored=" + now.schema() + " before="
                            + now.before().schema());
    }

    /** Prepares the end of all rows of a table. Returns false if that has happened since {@code table} was read. */
    public boolean truncate(TableLayout table) {
        TableLayout now = requiredLatest(table);
        requireOneVersion(now, "emptied");
        // The entry of a later version says nothing about whether this version was emptied.
        boolean done = now.isOfTable(table) && EntryWord.emptied(now.entry()) != EntryWord.emptied(table.entry());
        return !done && prepare(now, EntryWord.EMPTYING);
    }

    private boolean prepare(TableLayout now, int state) {
        if (now == null) return false;
        after = changed(now, state);
        hiddenAfter =
                tables.hiddenOf(now).stream().map(each -> changed(each, state)).toList();
        tables.requireFits(after, hiddenAfter);
        return true;
    }

    private TableLayout changed(TableLayout table, int state) {
        return table.withEntry(EntryWord.of(state, EntryWord.made(table.entry()), changes.count() + 1));
    }

    /** Prepares another name of a table. Returns false if it has that name. Refuses the name of another table. */
    public boolean rename(TableLayout table, String name) {
        TableLayout now = requiredLatest(table);
        if (now.name().equals(name)) return false;
        requireOneVersion(now, "renamed");
        if (now.schema().named(name).isHidden())
            throw new IllegalArgumentException("a name with a dot is that of a hidden table: " + name);
        for (TableLayout other : tables.named())
            if (other.name().equals(name))
                throw new StoreException(
                        Reason.MISMATCH, "table " + table.name() + " cannot be renamed: there is a table " + name);
        after = now.withSchema(now.schema().named(name));
        hiddenAfter = tables.hiddenOf(now).stream()
                .map(each -> each.withSchema(each.schema()
                        .named(name + each.name().substring(now.name().length()))))
                .toList();
        tables.requireFits(after, hiddenAfter);
        return true;
    }

    /**
     * Prepares another schema of a table whose values have the same bytes; its indexes may be others. Returns false if
     * it has that schema. Refuses a schema by which values would have other bytes, with both schemas. Makes the table
     * for nodes if these are its first indexes; if the change does not happen, that remains, empty.
     */
    public boolean alter(TableLayout table, Schema schema) {
        TableLayout now = required(table);
        requireOneVersion(now, "altered");
        Schema stored = now.schema();
        Schema next = schema.named(stored.name());
        if (next.equals(stored)) return false;
        String why = difference(stored, next);
        if (why != null)
            throw new StoreException(
                    Reason.MISMATCH,
                    "table " + stored.name() + " cannot be altered, because its rows would change: " + why
                            + "; an attribute can have another name, and an enum more constants after its last;"
                            + " a SchemaChange adds, drops and widens attributes; stored="
                            + stored + " asked=" + next);
        after = now.withSchema(next);
        tables.requireFits(after, hiddenAfter);
        tables.makeNodes(next, now.rows());
        return true;
    }

    /** Returns whether values of the one schema are values of the other one. */
    public static boolean keepsBytes(Schema stored, Schema next) {
        return difference(stored, next) == null;
    }

    /** Returns why values of the one schema are not values of the other one; null if they are. */
    private static String difference(Schema stored, Schema next) {
        if (!next.key().equals(stored.key())) return "its key is " + stored.key() + ", not " + next.key();
        int count = stored.attributes().size();
        if (next.attributes().size() != count)
            return "it has " + count + " attributes, not " + next.attributes().size();
        for (int number = 0; number < count; number++) {
            Attribute had = stored.attribute(number);
            Attribute gets = next.attribute(number);
            if (!isExtended(had.type(), gets.type()))
                return "attribute " + number + " is " + had.text() + ", not " + gets.text();
        }
        return null;
    }

    /** Returns whether every value of the one type has the same bytes in the other one. */
    private static boolean isExtended(AttributeType had, AttributeType gets) {
        if (had.equals(gets)) return true;
        List<String> before = had.constants();
        List<String> after = gets.constants();
        return had.kind() == AttributeType.Kind.ENUM
                && gets.kind() == AttributeType.Kind.ENUM
                && had.isNullable() == gets.isNullable()
                && had.bytes() == gets.bytes()
                && after.size() > before.size()
                && after.subList(0, before.size()).equals(before);
    }

    private TableLayout required(TableLayout table) {
        TableLayout now = tables.now(table);
        if (now != null) return now;
        requiredLatest(table);
        throw new StoreException(
                Reason.BUSY, "table " + table.name() + " was altered by another process meanwhile: try again");
    }

    private TableLayout requiredLatest(TableLayout table) {
        TableLayout now = latest(table);
        if (now == null)
            throw new StoreException(Reason.UNKNOWN_TABLE, "table " + table.name() + " was dropped meanwhile");
        return now;
    }

    /** Returns a table in its latest version; null if it is no more. A process may know an earlier version only. */
    private TableLayout latest(TableLayout table) {
        TableLayout now = tables.now(table);
        if (now != null && !now.isBefore()) return now;
        return tables.named().stream()
                .filter(each -> each.origin() == table.origin())
                .filter(each -> !each.isBefore() && !each.schema().isHidden())
                .findFirst()
                .orElse(null);
    }

    /** Announces the change. From here on no session that opens the pool uses it. */
    public void announce() {
        changes.announce();
    }

    /** Makes the change. Only when no session that opened the pool before the announcement can send a verb any more. */
    public void apply() {
        catalog.forgetVersions();
        if (second == null) tables.replace(after, hiddenAfter);
        else tables.replaceTwo(after, second);
    }

    @Override
    public void close() {
        changes.withdraw();
        changes.unlock();
    }
}
