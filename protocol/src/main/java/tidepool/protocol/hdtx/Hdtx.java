package tidepool.protocol.hdtx;

import tidepool.fabric.Session;
import tidepool.protocol.Change;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.Refilling;
import tidepool.protocol.TxnCounter;
import tidepool.store.Catalog;

/** HDTX, as {@code docs/protocols/hdtx.md} describes it. */
public class Hdtx implements Protocol {
    private final HdtxOptions options;

    public Hdtx() {
        this(HdtxOptions.DEFAULT);
    }

    public Hdtx(HdtxOptions options) {
        this.options = options;
    }

    /** The form as published has a name of its own: nobody is to take it for the other. */
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
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new HdtxCoordinator(session, catalog, counters, options);
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        return new HdtxRecovery(session, catalog);
    }

    @Override
    public Change change(Session session, Catalog catalog) {
        return new HdtxChange(session, catalog);
    }

    @Override
    public Refilling refilling(Session session, Catalog catalog, TxnCounter counters) {
        return new HdtxRefill(new HdtxCoordinator(session, catalog, counters, options), catalog);
    }
}
