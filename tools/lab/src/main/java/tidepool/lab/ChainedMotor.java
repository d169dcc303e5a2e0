package tidepool.lab;

import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.motor.Motor;
import tidepool.protocol.motor.MotorCoordinator;
import tidepool.protocol.motor.MotorOptions;
import tidepool.protocol.motor.TxnMemory;
import tidepool.protocol.motor.VersionStructure;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.RowFormat;

/**
 * Motor on chains of versions instead of tuples. Only for figures: it has no recovery, so no pool outside the lab
 * accepts it.
 */
final class ChainedMotor extends Motor {
    private final boolean newToOld;

    ChainedMotor(boolean newToOld, int versions) {
        super(MotorOptions.DEFAULT.withVersions(versions));
        this.newToOld = newToOld;
    }

    @Override
    public String name() {
        return newToOld ? LabProtocols.N2O : LabProtocols.O2N;
    }

    @Override
    public RowFormat rows(Schema schema) {
        return LinkedChains.formatOf(schema, options().versions());
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new MotorCoordinator(session, catalog, counters, options()) {
            @Override
            protected VersionStructure structure(TxnMemory memory) {
                return new LinkedChains(pool(), memory, newToOld, options().versions());
            }
        };
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        throw OnlyForFigures.refused(name());
    }

    @Override
    public Reconfiguration change(Session session, Catalog catalog) {
        throw OnlyForFigures.refused(name());
    }
}
