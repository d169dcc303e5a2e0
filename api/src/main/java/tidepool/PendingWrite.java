package tidepool;

import java.lang.foreign.MemorySegment;
import tidepool.protocol.Txn;
import tidepool.store.TableInfo;

/** A record on its way into the memory of a transaction, which has room for it once its access was carried out. */
record PendingWrite<T extends Record>(Table<T> table, long key, int access, Kind kind, T record) {
    /** What is to be true of the key before. */
    enum Kind {
        /** It is new. */
        INSERT,
        /** It is there. */
        UPDATE,
        /** Either. */
        PUT
    }

    boolean isOf(TableInfo other, long otherKey) {
        return key == otherKey && table.info().id() == other.id();
    }

    /** Refuses a record whose key is not as it is to be. */
    void check(Txn txn) {
        boolean found = txn.found(access);
        if (kind == Kind.INSERT && found)
            throw new DuplicateKeyException("the key exists: table=" + table.name() + " key=" + key);
        if (kind == Kind.UPDATE && !found)
            throw new NotFoundException("no record to update: table=" + table.name() + " key=" + key);
    }

    /** A record that was made and deleted since has no place, and needs none. */
    void apply(Txn txn) {
        MemorySegment memory = txn.memory();
        if (txn.writes(access)) table.encode(record, memory, txn.value(access));
    }
}
