package tidepool.clusters;

import java.util.List;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Promise;
import tidepool.protocol.Protocol;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.Recovery;
import tidepool.protocol.ReplicaFill;
import tidepool.protocol.Step;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.FlushPolicy;
import tidepool.store.RowFormat;

/**
 * A protocol in pools whose log slots hold nothing but a header, so that every log lies in the log heap. Scenes and
 * simulations then try with short transactions what large ones do.
 */
public record LogsInHeap(Protocol inner) implements Protocol {
    /** No log is as short. */
    private static final long SLOT_BYTES = 64;

    /** Returns the length of the log slots of a pool of this protocol. */
    public static long slotBytes(Protocol protocol, long usual) {
        return protocol instanceof LogsInHeap ? SLOT_BYTES : usual;
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public FlushPolicy flush() {
        return inner.flush();
    }

    @Override
    public Promise promise() {
        return inner.promise();
    }

    @Override
    public RowFormat rows(Schema schema) {
        return inner.rows(schema);
    }

    @Override
    public String caveat() {
        return inner.caveat();
    }

    @Override
    public List<Step> steps() {
        return inner.steps();
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return inner.coordinator(session, catalog, counters);
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        return inner.recovery(session, catalog);
    }

    @Override
    public Reconfiguration change(Session session, Catalog catalog) {
        return inner.change(session, catalog);
    }

    @Override
    public ReplicaFill fill(Session session, Catalog catalog, TxnCounter counters) {
        return inner.fill(session, catalog, counters);
    }
}
