package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import tidepool.base.Randomness;
import tidepool.protocol.Txn;

/** One of the five transactions, with the parameters that were drawn for it. */
abstract class TpccTransaction {
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

    /** One attempt, see {@link tidepool.workload.measured.Client#run}. */
    abstract boolean attempt(Txn txn);

    /** What was drawn has committed. */
    void committed() {}

    /**
     * Some protocols read first and notice only when they commit that what they read was not all there at one moment. So
     * a row that must be there and is not ends the attempt as if all were well: the commit refuses it, or else the book
     * tells the check.
     */
    final boolean missing() {
        client.count(Books.MISSING, 1);
        return true;
    }

    /** The customer in the middle of those with one last name (clause 2.5.2.2). */
    static int middle(MemorySegment memory, long namesakes) {
        return People.namesake(memory, namesakes, (People.N_COUNT.get(memory, namesakes) + 1) / 2 - 1);
    }
}
