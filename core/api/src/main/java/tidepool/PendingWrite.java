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
 * @param bound the table as the attempt knows it
 * @param key the key, or the word of a key of several parts
 * @param parts the key of several parts; null if the key is one long
 * @param image the encoded record, if the table has long attributes or another schema than the class, or the row is
 *     given on fields; otherwise null
 */
record PendingWrite<T extends Record>(
        Table<T> table,
        Table.Binding<T> bound,
        long key,
        RowKey parts,
        int access,
        Kind kind,
        T record,
        RowImage image) {
    /** The required state of the key before the write. */
    enum Kind {
        /** The key must be new. */
        INSERT,
        /** The key must exist. */
        UPDATE,
        /** The key may exist or not. */
        PUT,
        /** The key was made by this transaction, and its value is zeros. */
        NEW
    }

    boolean isOf(TableLayout other, long otherKey, RowKey otherParts) {
        return bound.layout().id() == other.id() && Table.isSameKey(key, parts, otherKey, otherParts);
    }

    /** Whether the record has long attributes, whose contents may lie in parts. */
    boolean hasContents() {
        return bound.contents() != null;
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
        if (image != null) copy(txn, memory, txn.value(access));
        else bound.codec().encode(record, memory, txn.value(access));
    }

    /** Writes the image over the row. An existing row keeps attributes that the record class lacks. */
    void copy(Txn txn, MemorySegment memory, long value) {
        if (!isNew(txn)) {
            image.copyOver(memory, value);
            return;
        }
        if (bound.codec() != null) bound.codec().requireWhole();
        image.copyTo(memory, value);
    }

    /** Returns whether the row was made by this transaction. */
    boolean isNew(Txn txn) {
        return kind == Kind.INSERT || kind == Kind.NEW || kind == Kind.PUT && !txn.found(access);
    }
}
