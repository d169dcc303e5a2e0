package tidepool.cli.shell;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.RowPages;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.base.NameSuggestion;
import tidepool.cli.shell.Statement.Assignment;
import tidepool.cli.shell.Statement.TypedKey;
import tidepool.schema.Attribute;
import tidepool.schema.Field;
import tidepool.schema.FieldRow;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;
import tidepool.spi.FieldRows;
import tidepool.spi.PoolAccess;
import tidepool.store.TableLayout;
import tidepool.txn.RangeScan;
import tidepool.txn.Txn;

/**
 * The records of one transaction, by the names of their fields. The transaction sees its own writes. A
 * {@link StatementException} leaves the transaction unchanged and open.
 */
final class ShellRows {
    /** The number of records that {@code rows} shows if it is not told. */
    static final long LIMIT = 100;

    private static final int PAGE = 256;

    private final Tidepool pool;
    private final Transaction transaction;

    ShellRows(Tidepool pool, Transaction transaction) {
        this.pool = pool;
        this.transaction = transaction;
    }

    /** Looks up the records of some keys together and returns one line for each. Waits for the pool. */
    String get(TableLayout table, List<TypedKey> keys) {
        if (hasContents(table)) return getContents(table, keys);
        Txn txn = transaction.raw();
        List<Integer> accesses = new ArrayList<>();
        for (TypedKey key : keys) accesses.add(txn.read(table, keyOf(table, key)));
        transaction.execute();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            TypedKey key = keys.get(i);
            lines.add(
                    txn.found(accesses.get(i))
                            ? print(table, name(table, key), txn.memory(), txn.value(accesses.get(i)))
                            : "no record: " + name(table, key));
        }
        return String.join(System.lineSeparator(), lines);
    }

    private static boolean hasContents(TableLayout table) {
        return !table.schema().contents().isEmpty();
    }

    private String getContents(TableLayout table, List<TypedKey> keys) {
        FieldRows rows = PoolAccess.fieldRows(pool, table);
        List<String> lines = new ArrayList<>();
        for (TypedKey key : keys) {
            FieldRow row = rows.get(transaction, keyOf(table, key));
            lines.add(row == null ? "no record: " + name(table, key) : print(table, name(table, key), row));
        }
        return String.join(System.lineSeparator(), lines);
    }

    /** Returns one line for each record, at most {@code limit}, and one about what was read. Waits for the pool. */
    static String all(Tidepool pool, TableLayout table, long limit) {
        RowPages<String> pages = PoolAccess.fieldRows(pool, table)
                .pages(
                        (int) Math.min(limit, PAGE),
                        (key, row) -> print(table, table.name() + " " + KeyText.print(key), row));
        List<String> lines = new ArrayList<>();
        boolean more = false;
        while (!more && pages.next()) {
            for (String row : pages.rows()) {
                if (lines.size() < limit) lines.add(row);
                else more = true;
            }
            if (lines.size() == limit && pages.progress() < 1) more = true;
        }
        String count = lines.size() + (lines.size() == 1 ? " record" : " records");
        String moment = pages.isSnapshot() ? ", all of one moment" : "";
        lines.add(count + (more ? ", and there may be more" : "") + moment);
        return String.join(System.lineSeparator(), lines);
    }

    /** Returns one line for each record of a scan, at most {@code limit}, and one about them. Waits for the pool. */
    String scan(TableLayout table, RangeScan scan, long limit) {
        FieldRows contents = hasContents(table) ? PoolAccess.fieldRows(pool, table) : null;
        if (contents != null) scan.keysOnly();
        scan.limit(limit == Long.MAX_VALUE ? limit : limit + 1).begin();
        List<String> lines = new ArrayList<>();
        boolean more = false;
        while (scan.hasNext()) {
            PoolAccess.scan(transaction, scan);
            List<RowKey> keys = new ArrayList<>();
            for (int row = 0; row < scan.rows(); row++)
                keys.add(scan.key(row, table.schema().key().newKey()));
            for (int row = 0; row < keys.size(); row++) {
                if (lines.size() < limit) lines.add(line(table, scan, row, keys.get(row), contents));
                else more = true;
            }
        }
        String count = lines.size() + (lines.size() == 1 ? " record" : " records");
        lines.add(count + (more ? ", and there are more" : ""));
        return String.join(System.lineSeparator(), lines);
    }

    private String line(TableLayout table, RangeScan scan, int row, RowKey key, FieldRows contents) {
        String name = table.name() + " " + KeyText.print(key);
        if (contents != null) return print(table, name, contents.get(transaction, key));
        Txn txn = transaction.raw();
        return print(table, name, txn.memory(), txn.value(scan.access(row)));
    }

    /** Puts, inserts or updates a record. Waits for the pool. */
    String write(Statement.Kind kind, TableLayout table, TypedKey key, List<Assignment> assignments) {
        if (hasContents(table)) return writeContents(kind, table, key, assignments);
        Txn txn = transaction.raw();
        int access =
                switch (kind) {
                    case PUT -> txn.put(table, keyOf(table, key));
                    case INSERT -> txn.insert(table, keyOf(table, key));
                    case UPDATE -> txn.update(table, keyOf(table, key));
                };
        transaction.execute();
        boolean there = txn.found(access);
        if (kind == Statement.Kind.INSERT && there) throw exists(table, key);
        if (kind == Statement.Kind.UPDATE && !there) throw missing(table, key);
        set(table.schema(), assignments, txn.memory(), txn.value(access));
        return (there ? "updated " : "inserted ") + name(table, key);
    }

    private String writeContents(Statement.Kind kind, TableLayout table, TypedKey key, List<Assignment> assignments) {
        FieldRows rows = PoolAccess.fieldRows(pool, table);
        FieldRow there = rows.get(transaction, keyOf(table, key));
        if (kind == Statement.Kind.INSERT && there != null) throw exists(table, key);
        if (kind == Statement.Kind.UPDATE && there == null) throw missing(table, key);
        FieldRow row = there == null ? new FieldRow(table.schema()) : there;
        for (Assignment each : assignments) FieldText.write(field(table.schema(), each.field()), each.value(), row);
        rows.put(transaction, keyOf(table, key), row);
        transaction.execute();
        return (there != null ? "updated " : "inserted ") + name(table, key);
    }

    /** Deletes a record. Waits for the pool. */
    String delete(TableLayout table, TypedKey key) {
        boolean there = PoolAccess.fieldRows(pool, table).delete(transaction, keyOf(table, key));
        return there ? "deleted " + name(table, key) : "no record: " + name(table, key);
    }

    // ---- fields

    /**
     * Refuses fields that the table does not have, and values that do not fit. Called before {@link #write}, on private
     * memory. Otherwise two values would already be written when the third does not fit.
     */
    static void check(TableLayout table, List<Assignment> assignments) {
        FieldRow row = new FieldRow(table.schema());
        for (Assignment each : assignments) FieldText.write(field(table.schema(), each.field()), each.value(), row);
    }

    private static void set(Schema schema, List<Assignment> assignments, MemorySegment memory, long offset) {
        for (Assignment each : assignments) FieldText.write(field(schema, each.field()), each.value(), memory, offset);
    }

    private static Field field(Schema schema, String name) {
        List<String> names = schema.attributes().stream().map(Attribute::name).toList();
        if (names.contains(name)) return schema.field(name);
        String likely = NameSuggestion.to(name, names);
        throw new StatementException("table '" + schema.name() + "' has no field '" + name + "'; "
                + (likely == null ? "it has " + String.join(", ", names) : "did you mean '" + likely + "'?"));
    }

    private static String print(TableLayout table, String name, MemorySegment memory, long offset) {
        StringBuilder line = new StringBuilder(name);
        for (Attribute each : table.schema().attributes())
            line.append(' ').append(each.name()).append('=').append(FieldText.print(Field.of(each), memory, offset));
        return line.toString();
    }

    private static String print(TableLayout table, String name, FieldRow row) {
        StringBuilder line = new StringBuilder(name);
        for (Attribute each : table.schema().attributes())
            line.append(' ').append(each.name()).append('=').append(FieldText.print(Field.of(each), row));
        return line.toString();
    }

    private static RowKey keyOf(TableLayout table, TypedKey key) {
        return KeyText.of(table.schema().key(), key);
    }

    /** Refuses keys that the table cannot have. Called before a transaction begins. */
    static void check(TableLayout table, TypedKey key) {
        keyOf(table, key);
    }

    private static String name(TableLayout table, TypedKey key) {
        return table.name() + " " + key.text();
    }

    private static StatementException exists(TableLayout table, TypedKey key) {
        return new StatementException("the key exists: " + name(table, key) + "; put or update changes it");
    }

    private static StatementException missing(TableLayout table, TypedKey key) {
        return new StatementException("no record to update: " + name(table, key) + "; put or insert makes one");
    }
}
