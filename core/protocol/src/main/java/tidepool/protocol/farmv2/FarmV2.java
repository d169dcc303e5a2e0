package tidepool.protocol.farmv2;

import java.util.List;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.Recovery;
import tidepool.protocol.ReplicaFill;
import tidepool.protocol.Step;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.ReplicaFiller;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.RowFormat;
import tidepool.store.farmv2.ChainLayout;

/** FaRMv2, one-sided, as {@code docs/internals/protocols/farmv2.md} describes it. */
public class FarmV2 implements Protocol {
    private final FarmV2Options options;

    public FarmV2() {
        this(FarmV2Options.DEFAULT);
    }

    public FarmV2(FarmV2Options options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "farmv2";
    }

    @Override
    public RowFormat rows(Schema schema) {
        return ChainLayout.format(schema, options.versions());
    }

    @Override
    public List<Step> steps() {
        return List.of(
                Step.SNAPSHOT,
                Step.LOOKUP,
                Step.READ,
                Step.VALUES,
                Step.LOCK,
                Step.STAMP,
                Step.VALIDATE,
                Step.LOG,
                Step.COMMIT,
                Step.RELEASE);
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new FarmV2Coordinator(session, catalog, counters);
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        return new FarmV2Recovery(session, catalog);
    }

    @Override
    public Reconfiguration change(Session session, Catalog catalog) {
        return new FarmV2Reconfiguration(session, catalog);
    }

    @Override
    public ReplicaFill fill(Session session, Catalog catalog, TxnCounter counters) {
        return new ReplicaFiller(new FarmV2Coordinator(session, catalog, counters), catalog);
    }
}
