package tidepool.protocol.record;

import tidepool.store.Pointer;

/** The use of a coordinator's address cache by a transaction: looks up where records lie, and adds what it learns. */
final class AddressHints {
    /** Accesses of one execute from which on their hints are loaded together first, such as those of a scan. */
    private static final int MANY = 8;

    private final RecordTxn txn;
    private final RecordCoordinator coordinator;

    AddressHints(RecordTxn txn, RecordCoordinator coordinator) {
        this.txn = txn;
        this.coordinator = coordinator;
    }

    /** Resolves accesses whose addresses are cached, and issues prefetch hints for those records. */
    void recall(Access[] accesses, int from, int to) {
        if (to - from >= MANY) touch(accesses, from, to);
        for (int i = from; i < to; i++) {
            Access a = accesses[i];
            if (a.resolved) continue;
            long cached = a.kind == Access.Kind.INSERT
                            || a.sharesWord
                            || !txn.visibility().mayBeCached(a)
                    ? Pointer.NOWHERE
                    : coordinator.cache(a.table).find(a.key);
            if (cached == Pointer.NOWHERE) continue;
            a.pointer = cached;
            a.cached = true;
            a.found = true;
            a.resolved = true;
        }
        expect(accesses, from, to);
    }

    private void touch(Access[] accesses, int from, int to) {
        long touched = 0;
        for (int i = from; i < to; i++) {
            Access a = accesses[i];
            touched += coordinator.cache(a.table).touch(a.key);
        }
        coordinator.expected(touched);
    }

    /**
     * Issues hints for all records with known addresses, immediately one after the other. After a load that misses, a
     * processor looks ahead over only a few hundred instructions, and one cache lookup takes many.
     */
    private void expect(Access[] accesses, int from, int to) {
        long expected = 0;
        for (int i = from; i < to; i++) {
            Access a = accesses[i];
            if (!a.cached) continue;
            boolean written = a.kind != Access.Kind.READ;
            expected += coordinator.pool().expect(a.pointer, a.table.slotBytes(), written);
            if (a.table.hasSides())
                expected += coordinator.pool().expect(a.table.side(a.pointer), a.table.slotBytes(), written);
        }
        coordinator.expected(expected);
    }

    void remember(Access a) {
        if (!a.cached) coordinator.cache(a.table).put(a.key, a.pointer);
    }

    void forget(Access a) {
        a.cached = false;
        coordinator.cache(a.table).remove(a.key);
    }

    /** Updates the cache after a commit: adds records that were inserted, removes those that were deleted. */
    void learn(Access[] accesses, int count) {
        for (int i = 0; i < count; i++) {
            Access a = accesses[i];
            if (a.before != null) a.pointer = a.record.pointer; // which may have been placed later than declared
            if (a.isInsert()) remember(a);
            else if (a.kind == Access.Kind.DELETE && a.writes()) forget(a);
        }
    }
}
