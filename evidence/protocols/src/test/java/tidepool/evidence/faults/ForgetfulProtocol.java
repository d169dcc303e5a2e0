package tidepool.evidence.faults;

import java.util.function.Supplier;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.Recovery;
import tidepool.protocol.ReplicaFill;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.RowFormat;

/** A planted bug: the state that a protocol keeps for a session is lost whenever a copy is filled. */
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
    public Reconfiguration change(Session session, Catalog catalog) {
        return protocol.change(session, catalog);
    }

    @Override
    public ReplicaFill fill(Session session, Catalog catalog, TxnCounter counters) {
        ReplicaFill fill = protocol.fill(session, catalog, counters);
        protocol = fresh.get();
        return fill;
    }
}
