package tidepool.check.cluster;

import java.util.function.Supplier;
import tidepool.fabric.Session;
import tidepool.protocol.Change;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.Refilling;
import tidepool.protocol.TxnCounter;
import tidepool.store.Catalog;
import tidepool.store.RowFormat;
import tidepool.store.schema.Schema;

/** A planted bug: what a protocol keeps for a session is forgotten whenever a copy is filled. */
final class ForgetfulProtocol implements Protocol {
    private final Supplier<Protocol> fresh;
    private Protocol protocol;

    ForgetfulProtocol(Protocol first, Supplier<Protocol> fresh) {
        this.protocol = first;
        this.fresh = fresh;
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
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return protocol.coordinator(session, catalog, counters);
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        return protocol.recovery(session, catalog);
    }

    @Override
    public Change change(Session session, Catalog catalog) {
        return protocol.change(session, catalog);
    }

    @Override
    public Refilling refilling(Session session, Catalog catalog, TxnCounter counters) {
        Refilling refilling = protocol.refilling(session, catalog, counters);
        protocol = fresh.get();
        return refilling;
    }
}
