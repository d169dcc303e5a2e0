package tidepool.protocol.record;

import tidepool.store.Pointer;

/** Where records lie, as far as a coordinator remembers: a transaction recalls it, and learns more. */
final class Addresses {
    private final RecordTxn txn;
    private final RecordCoordinator coordinator;

    Addresses(RecordTxn txn, RecordCoordinator coordinator) {
        this.txn = txn;
        this.coordinator = coordinator;
    }

    /** Resolves accesses whose addresses are remembered, and hints at those records. */
    void recall(Access[] accesses, int from, int to) {
        for (int i = from; i < to; i++) {
            Access a = accesses[i];
            if (a.resolved) continue;
            long cached = a.kind == Access.Kind.INSERT || !txn.mayBeCached(a)
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

    /**
     * Hints at all records whose addresses are known, close behind each other: between a load that misses and the next one a
     * processor looks ahead over a few hundred instructions only, and a look-up takes many.
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

    /** What a transaction that committed has put somewhere, or taken away. */
    void learn(Access[] accesses, int count) {
        for (int i = 0; i < count; i++) {
            Access a = accesses[i];
            if (a.before != null) a.pointer = a.record.pointer; // which may have been placed later than asked for
            if (a.isInsert()) remember(a);
            else if (a.kind == Access.Kind.DELETE && a.writes()) forget(a);
        }
    }
}
