package tidepool.lab;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.sim.Simulation;
import tidepool.protocol.AbortReason;
import tidepool.protocol.Outcome;
import tidepool.protocol.Txn;
import tidepool.store.TableInfo;

/** A transaction whose coordinator also computes: each access costs CPU of its core, as the profile says. */
final class ChargedTxn implements Txn {
    private final LabProfile.Coordinator costs;
    private Txn txn;
    private boolean writes;

    ChargedTxn(LabProfile.Coordinator costs) {
        this.costs = costs;
    }

    ChargedTxn of(Txn begun) {
        txn = begun;
        writes = false;
        Simulation.work(costs.transactionNanos());
        return this;
    }

    @Override
    public int read(TableInfo table, long key) {
        Simulation.work(costs.readNanos());
        return txn.read(table, key);
    }

    @Override
    public int update(TableInfo table, long key) {
        write();
        return txn.update(table, key);
    }

    @Override
    public int insert(TableInfo table, long key) {
        write();
        return txn.insert(table, key);
    }

    @Override
    public int put(TableInfo table, long key) {
        write();
        return txn.put(table, key);
    }

    @Override
    public int delete(TableInfo table, long key) {
        write();
        return txn.delete(table, key);
    }

    private void write() {
        writes = true;
        Simulation.work(costs.writeNanos());
    }

    @Override
    public boolean execute() {
        return txn.execute();
    }

    @Override
    public boolean found(int access) {
        return txn.found(access);
    }

    @Override
    public boolean writes(int access) {
        return txn.writes(access);
    }

    @Override
    public MemorySegment memory() {
        return txn.memory();
    }

    @Override
    public long value(int access) {
        return txn.value(access);
    }

    @Override
    public long version(int access) {
        return txn.version(access);
    }

    @Override
    public long bucketVersion(int access) {
        return txn.bucketVersion(access);
    }

    @Override
    public Outcome commit() {
        if (writes) Simulation.work(costs.commitNanos());
        return txn.commit();
    }

    @Override
    public void rollback() {
        txn.rollback();
    }

    @Override
    public long id() {
        return txn.id();
    }

    @Override
    public AbortReason abortReason() {
        return txn.abortReason();
    }

    @Override
    public int blockingSession() {
        return txn.blockingSession();
    }
}
