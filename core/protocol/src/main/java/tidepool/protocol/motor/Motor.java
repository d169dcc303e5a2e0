package tidepool.protocol.motor;

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
import tidepool.protocol.record.LogClearing;
import tidepool.protocol.record.ReplicaFiller;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.RowFormat;

/** The protocol Motor, as described in {@code docs/internals/protocols/motor.md}. */
public class Motor implements Protocol {
    /** Tuples have no marks, so a decision needs all logs of a transaction or none. */
    static final LogClearing CLEARING = LogClearing.OVER_FIRST;

    private final MotorOptions options;

    public Motor() {
        this(MotorOptions.DEFAULT);
    }

    public Motor(MotorOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "motor";
    }

    public final MotorOptions options() {
        return options;
    }

    @Override
    public Promise promise() {
        return options.isSerializable() ? Promise.STRICT : Promise.SNAPSHOT;
    }

    @Override
    public RowFormat rows(Schema schema) {
        return options.format(schema);
    }

    @Override
    public List<Step> steps() {
        return List.of(
                Step.SNAPSHOT,
                Step.LOOKUP,
                Step.LOCK,
                Step.READ,
                Step.VALUES,
                Step.STAMP,
                Step.VALIDATE,
                Step.COMMIT,
                Step.RELEASE);
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new MotorCoordinator(session, catalog, counters, options);
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        return new MotorRecovery(session, catalog, options);
    }

    @Override
    public Reconfiguration change(Session session, Catalog catalog) {
        return new MotorReconfiguration(session, catalog, options);
    }

    @Override
    public ReplicaFill fill(Session session, Catalog catalog, TxnCounter counters) {
        return new ReplicaFiller(new MotorCoordinator(session, catalog, counters, options), catalog);
    }
}
