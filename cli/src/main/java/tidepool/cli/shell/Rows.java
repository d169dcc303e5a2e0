package tidepool.cli.shell;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.Transaction;
import tidepool.base.Nearest;
import tidepool.cli.shell.Statement.Assignment;
import tidepool.cli.shell.Statement.TypedKey;
import tidepool.protocol.Txn;
import tidepool.store.TableInfo;
import tidepool.store.schema.Attribute;
import tidepool.store.schema.Field;
import tidepool.store.schema.Schema;

/**
 * Records in one transaction, by the names of their fields. What the transaction has written it sees; a {@link Refused}
 * leaves it as it was and open.
 */
final class Rows {
    private final Transaction transaction;

    Rows(Transaction transaction) {
        this.transaction = transaction;
    }

    /** The records under some keys, a line each, looked up together. Waits. */
    String get(TableInfo table, List<TypedKey> keys) {
        Txn txn = transaction.raw();
        List<Integer> accesses = new ArrayList<>();
        for (TypedKey key : keys) accesses.add(txn.read(table, key.value()));
        transaction.execute();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            TypedKey key = keys.get(i);
            lines.add(
                    txn.found(accesses.get(i))
                            ? print(table, key, txn.memory(), txn.value(accesses.get(i)))
                            : "no record: " + name(table, key));
        }
        return String.join(System.lineSeparator(), lines);
    }

    /** Puts, inserts or updates a record. Waits. */
    String write(Statement.Kind kind, TableInfo table, TypedKey key, List<Assignment> assignments) {
        Txn txn = transaction.raw();
        int access =
                switch (kind) {
                    case PUT -> txn.put(table, key.value());
                    case INSERT -> txn.insert(table, key.value());
                    case UPDATE -> txn.update(table, key.value());
                };
        transaction.execute();
        boolean there = txn.found(access);
        if (kind == Statement.Kind.INSERT && there) throw exists(table, key);
        if (kind == Statement.Kind.UPDATE && !there) throw missing(table, key);
        set(table.schema(), assignments, txn.memory(), txn.value(access));
        return (there ? "updated " : "inserted ") + name(table, key);
    }

    /** Deletes a record. Waits. */
    String delete(TableInfo table, TypedKey key) {
        Txn txn = transaction.raw();
        int access = txn.delete(table, key.value());
        transaction.execute();
        if (!txn.found(access)) return "no record: " + name(table, key);
        return "deleted " + name(table, key);
    }

    // ---- fields

    /**
     * Refuses fields that the table does not have, and values that do not fit. To be asked before {@link #write}, in memory
     * of our own: when the third value does not fit, the first two must not have been written.
     */
    static void check(TableInfo table, List<Assignment> assignments) {
        try (Arena arena = Arena.ofConfined()) {
            set(table.schema(), assignments, arena.allocate(table.valueBytes(), Long.BYTES), 0);
        }
    }

    private static void set(Schema schema, List<Assignment> assignments, MemorySegment memory, long offset) {
        for (Assignment each : assignments) Values.write(field(schema, each.field()), each.value(), memory, offset);
    }

    private static Field field(Schema schema, String name) {
        List<String> names = schema.attributes().stream().map(Attribute::name).toList();
        if (names.contains(name)) return schema.field(name);
        String likely = Nearest.to(name, names);
        throw new Refused("table '" + schema.name() + "' has no field '" + name + "'; "
                + (likely == null ? "it has " + String.join(", ", names) : "did you mean '" + likely + "'?"));
    }

    private static String print(TableInfo table, TypedKey key, MemorySegment memory, long offset) {
        StringBuilder line = new StringBuilder(name(table, key));
        for (Attribute each : table.schema().attributes())
            line.append(' ').append(each.name()).append('=').append(Values.print(Field.of(each), memory, offset));
        return line.toString();
    }

    private static String name(TableInfo table, TypedKey key) {
        return table.name() + " " + key.text();
    }

    private static Refused exists(TableInfo table, TypedKey key) {
        return new Refused("the key exists: " + name(table, key) + "; put or update changes it");
    }

    private static Refused missing(TableInfo table, TypedKey key) {
        return new Refused("no record to update: " + name(table, key) + "; put or insert makes one");
    }
}
