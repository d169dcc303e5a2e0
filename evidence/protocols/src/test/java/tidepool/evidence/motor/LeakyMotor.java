package tidepool.evidence.motor;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.motor.Motor;
import tidepool.protocol.motor.MotorCoordinator;
import tidepool.protocol.motor.MotorVerbs;
import tidepool.protocol.motor.TupleVersions;
import tidepool.protocol.motor.TxnMemory;
import tidepool.protocol.motor.VersionStructure;
import tidepool.protocol.motor.VersionedRow;
import tidepool.protocol.record.RecordVerbs;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;

/** Motor that takes more and more memory, in one of two ways. */
public final class LeakyMotor {
    private static final int SELDOM = 100;

    private LeakyMotor() {}

    /** Inserts take only slots that were never used. */
    public static Protocol keepingTombstones() {
        return new Motor() {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new MotorCoordinator(session, catalog, counters, options()) {
                    @Override
                    protected RecordVerbs newVerbs(MemorySegment memory) {
                        return new MotorVerbs(pool(), memory) {
                            @Override
                            public boolean mayTake(MemorySegment landed, long body) {
                                return Words.plain(landed, body + ObjectLayout.BODY_WRITER) == 0;
                            }
                        };
                    }
                };
            }
        };
    }

    /** Every hundredth insert costs a line of memory. */
    public static Protocol askingForMemory() {
        return new Motor() {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new MotorCoordinator(session, catalog, counters, options()) {
                    private int inserts;

                    @Override
                    protected VersionStructure structure(TxnMemory memory) {
                        return new TupleVersions(pool(), memory, options()) {
                            @Override
                            public void startEmpty(VersionedRow row) {
                                super.startEmpty(row);
                                if (++inserts % SELDOM == 0) lane.landing(64);
                            }
                        };
                    }
                };
            }
        };
    }
}
