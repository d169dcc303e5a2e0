package tidepool.protocol.motor;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Session;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.time.CounterTimestamps;
import tidepool.protocol.time.Timestamps;
import tidepool.store.Catalog;

/** The Motor coordinator of one strand. */
public class MotorCoordinator extends RecordCoordinator {
    private final MotorOptions options;
    private Timestamps timestamps;

    /** Takes a place among the coordinators of the pool. Waits for the answers of the nodes. */
    public MotorCoordinator(Session session, Catalog catalog, TxnCounter counters, MotorOptions options) {
        super(session, catalog, counters, Motor.CLEARING);
        this.options = options;
    }

    @Override
    protected RecordTxn newTxn() {
        return new MotorTxn(this, options);
    }

    @Override
    protected RecordVerbs newVerbs(MemorySegment memory) {
        return new MotorVerbs(pool(), memory);
    }

    /** Returns the structure in which versions are kept. */
    protected VersionStructure structure(TxnMemory memory) {
        return new TupleVersions(pool(), memory, options);
    }

    /** Returns the source of its timestamps. */
    protected Timestamps timestamps() {
        if (timestamps == null) timestamps = newTimestamps();
        return timestamps;
    }

    protected Timestamps newTimestamps() {
        return new CounterTimestamps(lane, pool());
    }

    /** Returns the number of timestamps that came with a request of another coordinator of this session. */
    public final long sharedTimestamps() {
        return timestamps == null ? 0 : timestamps.sharedRequests();
    }

    public final MotorOptions options() {
        return options;
    }
}
