package tidepool.lab;

import tidepool.protocol.ForwardingTxn;
import tidepool.sim.Simulation;
import tidepool.txn.Outcome;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/** A transaction with the costs of its coordinator: each access takes CPU time of its core, as the profile says. */
final class ChargedTxn extends ForwardingTxn {
    private final LabProfile.CoordinatorCosts costs;
    private boolean writes;

    ChargedTxn(LabProfile.CoordinatorCosts costs) {
        this.costs = costs;
    }

    ChargedTxn of(Txn begun) {
        inner = begun;
        writes = false;
        Simulation.work(costs.transactionNanos());
        return this;
    }

    @Override
    public int read(TableHandle table, long key) {
        Simulation.work(costs.readNanos());
        return super.read(table, key);
    }

    @Override
    public int update(TableHandle table, long key) {
        write();
        return super.update(table, key);
    }

    @Override
    public int insert(TableHandle table, long key) {
        write();
        return super.insert(table, key);
    }

    @Override
    public int put(TableHandle table, long key) {
        write();
        return super.put(table, key);
    }

    @Override
    public int delete(TableHandle table, long key) {
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

    /** Charges the commit, for callers that commit by another path. */
    void chargeCommit() {
        if (writes) Simulation.work(costs.commitNanos());
    }
}
