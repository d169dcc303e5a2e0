package tidepool;

import java.lang.foreign.MemorySegment;
import tidepool.schema.RowImage;
import tidepool.schema.RowKey;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;

/**
 * A record that waits to be written into the memory of a transaction. There is room for it once its access is carried
 * out.
 *
 * @param key the key, or the word of a key of several parts
 * @param parts the key of several parts; null if the key is one long
 * @param image the encoded record, if the table has long attributes or the row is given on fields; otherwise null
 */
record PendingWrite<T extends Record>(
        Table<T> table, long key, RowKey parts, int access, Kind kind, T record, RowImage image) {
    /** The required state of the key before the write. */
    enum Kind {
        /** The key must be new. */
        INSERT,
        /** The key must exist. */
        UPDATE,
        /** The key may exist or not. */
        PUT
    }

    boolean isOf(TableLayout other, long otherKey, RowKey otherParts) {
        return table.layout().id() == other.id() && Table.isSameKey(key, parts, otherKey, otherParts);
    }

    /** Whether the record has long attributes, whose contents may lie in parts. */
    boolean hasContents() {
        return table.contents() != null;
    }

    /** Refuses a record whose key is not in the required state. */
    void check(Txn txn) {
        boolean found = txn.found(access);
        if (kind == Kind.INSERT && found)
            throw new DuplicateKeyException("the key exists: table=" + table.name() + " key=" + Table.text(key, parts));
        if (kind == Kind.UPDATE && !found)
            throw new NotFoundException(
                    "no record to update: table=" + table.name() + " key=" + Table.text(key, parts));
    }

    /** Writes the record. A record that was inserted and deleted in this transaction has no place, and needs none. */
    void apply(Txn txn) {
        MemorySegment memory = txn.memory();
        if (!txn.writes(access)) return;
        if (image != null) image.copyTo(memory, txn.value(access));
        else table.encode(record, memory, txn.value(access));
    }
}
