package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import tidepool.base.Randomness;
import tidepool.txn.Txn;

/** One of the five transactions, with the parameters that were drawn for it. */
abstract class TpccTransaction {
    /** The answer of a lookup in an attempt that was aborted. */
    static final int ABORTED = -1;

    final TpccClient client;
    final TpccSize size;
    final TpccTables tables;

    TpccTransaction(TpccClient client) {
        this.client = client;
        this.size = client.size;
        this.tables = client.tables;
    }

    /** Draws all parameters. */
    abstract void draw(Randomness random);

    /** Runs one attempt, see {@link tidepool.workload.measured.WorkloadClient#run}. */
    abstract boolean attempt(Txn txn);

    /** Called when the drawn transaction has committed. */
    void committed() {}

    /**
     * Called when a row is missing that must exist. Some protocols read first, and notice only at the commit that their
     * reads were not of one moment. So the attempt ends as if all were well: the commit refuses it, or else the book
     * shows it to the check.
     */
    final boolean missing() {
        client.count(TpccTotals.MISSING, 1);
        return true;
    }

    /**
     * Looks for the customer in the middle of those with one last name (clause 2.5.2.2). Returns its number; 0 if there
     * is none, {@link #ABORTED} if the attempt was aborted.
     */
    final int customerNamed(Txn txn, int warehouse, int district, int name) {
        if (client.indexes != null)
            return client.indexes.findCustomers(txn, warehouse, district, name)
                    ? client.indexes.middleCustomer()
                    : ABORTED;
        int namesakes = txn.read(tables.namesakes, CustomerTables.name(warehouse, district, name));
        return txn.execute() ? middle(txn.memory(), txn.value(namesakes)) : ABORTED;
    }

    /** Returns the customer in the middle of a row of namesakes. */
    static int middle(MemorySegment memory, long namesakes) {
        return CustomerTables.namesake(memory, namesakes, (CustomerTables.N_COUNT.get(memory, namesakes) + 1) / 2 - 1);
    }
}
