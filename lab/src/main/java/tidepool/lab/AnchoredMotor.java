package tidepool.lab;

import tidepool.fabric.Session;
import tidepool.protocol.Change;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.motor.Memory;
import tidepool.protocol.motor.Motor;
import tidepool.protocol.motor.MotorCoordinator;
import tidepool.protocol.motor.MotorOptions;
import tidepool.protocol.motor.MotorRecovery;
import tidepool.protocol.motor.VersionStructure;
import tidepool.protocol.record.PoolRegions;
import tidepool.store.Catalog;
import tidepool.store.RowFormat;
import tidepool.store.schema.Schema;

/** Motor with the paper's anchors in place of checksums. Unsafe, and only for figures: no pool outside the lab takes it. */
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
        return "a value of which some words are new and others old goes unnoticed where words of a WRITE land in any order";
    }

    @Override
    public RowFormat rows(Schema schema) {
        return AnchoredTuples.formatOf(schema, options().versions());
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new MotorCoordinator(session, catalog, counters, options()) {
            @Override
            protected VersionStructure structure(Memory memory) {
                return new AnchoredTuples(pool(), memory, options());
            }
        };
    }

    /** Frees locks of transactions that have written nothing; others it cannot undo, and says so. */
    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        return new MotorRecovery(session, catalog, options()) {
            @Override
            protected VersionStructure structure(PoolRegions regions, Memory memory) {
                return new AnchoredTuples(regions, memory, options());
            }
        };
    }

    @Override
    public Change change(Session session, Catalog catalog) {
        throw OnlyForFigures.refused(name());
    }
}
