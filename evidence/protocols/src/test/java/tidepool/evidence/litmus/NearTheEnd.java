package tidepool.evidence.litmus;

import java.util.HashMap;
import java.util.Map;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.RowFormat;

/** A protocol each of whose sessions has only {@link #LEFT} transaction ids left. */
final class NearTheEnd implements Protocol {
    /** The number of ids that a session has left. */
    static final int LEFT = 5;

    private final Protocol protocol;
    private final Map<Integer, TxnCounter> counters = new HashMap<>();

    NearTheEnd(Protocol protocol) {
        this.protocol = protocol;
    }

    @Override
    public String name() {
        return protocol.name();
    }

    @Override
    public RowFormat rows(Schema schema) {
        return protocol.rows(schema);
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter ignored) {
        boolean first = !counters.containsKey(session.number());
        TxnCounter last = counters.computeIfAbsent(session.number(), n -> new TxnCounter(TxnCounter.blocks() - 1));
        Coordinator coordinator = protocol.coordinator(session, catalog, last);
        for (long i = LEFT; first && i < TxnCounter.BLOCK; i++)
            coordinator.begin().rollback();
        return coordinator;
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        return protocol.recovery(session, catalog);
    }
}
