package tidepool.lab;

import tidepool.fabric.sim.Simulation;
import tidepool.protocol.ForwardingTxn;
import tidepool.protocol.Outcome;
import tidepool.protocol.Txn;
import tidepool.store.TableInfo;

/** A transaction whose coordinator also computes: each access costs CPU of its core, as the profile says. */
final class ChargedTxn extends ForwardingTxn {
    private final LabProfile.Coordinator costs;
    private boolean writes;

    ChargedTxn(LabProfile.Coordinator costs) {
        this.costs = costs;
    }

    ChargedTxn of(Txn begun) {
        inner = begun;
        writes = false;
        Simulation.work(costs.transactionNanos());
        return this;
    }

    @Override
    public int read(TableInfo table, long key) {
        Simulation.work(costs.readNanos());
        return super.read(table, key);
    }

    @Override
    public int update(TableInfo table, long key) {
        write();
        return super.update(table, key);
    }

    @Override
    public int insert(TableInfo table, long key) {
        write();
        return super.insert(table, key);
    }

    @Override
    public int put(TableInfo table, long key) {
        write();
        return super.put(table, key);
    }

    @Override
    public int delete(TableInfo table, long key) {
        write();
        return super.delete(table, key);
    }

    private void write() {
        writes = true;
        Simulation.work(costs.writeNanos());
    }

    @Override
    public Outcome commit() {
        chargeCommit();
        return super.commit();
    }

    /** For whoever has somebody else commit it. */
    void chargeCommit() {
        if (writes) Simulation.work(costs.commitNanos());
    }
}
