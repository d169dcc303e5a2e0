package tidepool.protocol.hdtx;

import java.util.List;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.Recovery;
import tidepool.protocol.ReplicaFill;
import tidepool.protocol.Step;
import tidepool.protocol.TxnCounter;
import tidepool.store.Catalog;

/** The protocol HDTX, as described in {@code docs/internals/protocols/hdtx.md}. */
public class Hdtx implements Protocol {
    private final HdtxOptions options;

    public Hdtx() {
        this(HdtxOptions.DEFAULT);
    }

    public Hdtx(HdtxOptions options) {
        this.options = options;
    }

    /**
     * Returns the name of the form in use. The published form has a name of its own, so that it is not mistaken for the
     * other.
     */
    @Override
    public String name() {
        return options.reads() == HdtxOptions.Reads.PUBLISHED ? "hdtx-published" : "hdtx";
    }

    public HdtxOptions options() {
        return options;
    }

    @Override
    public String caveat() {
        return options.reads() == HdtxOptions.Reads.PUBLISHED
                ? "a transaction with read-only data that was reported may be undone, and one that was not valid may be"
                        + " carried out, when its coordinator dies"
                : null;
    }

    @Override
    public List<Step> steps() {
        return List.of(
                Step.LOOKUP, Step.LOCK, Step.READ, Step.PREPARE, Step.VALIDATE, Step.COMMIT, Step.COPY, Step.RELEASE);
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new HdtxCoordinator(session, catalog, counters, options);
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        return new HdtxRecovery(session, catalog);
    }

    @Override
    public Reconfiguration change(Session session, Catalog catalog) {
        return new HdtxReconfiguration(session, catalog);
    }

    @Override
    public ReplicaFill fill(Session session, Catalog catalog, TxnCounter counters) {
        return new HdtxReplicaFiller(new HdtxCoordinator(session, catalog, counters, options), catalog);
    }
}
