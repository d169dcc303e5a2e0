package tidepool.lab;

import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.motor.Motor;
import tidepool.protocol.motor.MotorCoordinator;
import tidepool.protocol.motor.MotorOptions;
import tidepool.protocol.motor.MotorRecovery;
import tidepool.protocol.motor.TxnMemory;
import tidepool.protocol.motor.VersionStructure;
import tidepool.protocol.record.PoolRegions;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.RowFormat;

/**
 * Motor with the paper's anchors instead of checksums. Unsafe and only for figures: no pool outside the lab accepts it.
 */
final class AnchoredMotor extends Motor {
    AnchoredMotor(int versions) {
        super(MotorOptions.DEFAULT.withVersions(versions));
    }

    @Override
    public String name() {
        return LabProtocols.ANCHORS;
    }

    @Override
    public String caveat() {
        return "a value of which some words are new and others old goes unnoticed where words of a WRITE land"
                + " in any order";
    }

    @Override
    public RowFormat rows(Schema schema) {
        return AnchoredTuples.formatOf(schema, options().versions());
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new MotorCoordinator(session, catalog, counters, options()) {
            @Override
            protected VersionStructure structure(TxnMemory memory) {
                return new AnchoredTuples(pool(), memory, options());
            }
        };
    }

    /** Frees locks of transactions that have written nothing. It cannot undo other transactions, and refuses them. */
    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        return new MotorRecovery(session, catalog, options()) {
            @Override
            protected VersionStructure structure(PoolRegions regions, TxnMemory memory) {
                return new AnchoredTuples(regions, memory, options());
            }
        };
    }

    @Override
    public Reconfiguration change(Session session, Catalog catalog) {
        throw OnlyForFigures.refused(name());
    }
}
