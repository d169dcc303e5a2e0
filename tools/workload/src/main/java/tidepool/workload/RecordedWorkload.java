package tidepool.workload;

import java.util.function.LongSupplier;
import tidepool.base.Randomness;
import tidepool.history.HistoryRecorder;

/** A workload whose transactions are recorded, so that they can be checked. */
public interface RecordedWorkload {
    /**
     * Records what the pool does between the transactions of clients. Called once in each process that records, before
     * its first client; waits for the pool.
     */
    default void recordPool(Pen pen) {
        // a workload whose operations depend on rows alone
    }

    /** Makes a client for one thread or strand. Waits for the pool. */
    Client client(Pen pen, Randomness random);

    /**
     * Reads every key once more, each in its own transaction, when all others have completed, and waits for the reads.
     * Without these reads the last writes of a key would prove nothing.
     */
    EventCounts readAll(Pen pen);

    /** A client that runs transactions, one after the other. */
    interface Client {
        /** Runs one transaction to its end and waits for its outcome. An exception ends the client. */
        void next();

        /** Returns the process number under which its transaction is recorded. For the thread that runs it. */
        long process();

        /** Returns the outcomes of its transactions. */
        TxnTally tally();

        /** Returns the counts of events in its transactions. */
        EventCounts eventCounts();
    }

    /**
     * The recorder of a client and its source of process numbers.
     *
     * @param processes unique process numbers for the history; a client takes another one when the outcome of a
     * transaction stays unknown
     */
    record Pen(HistoryRecorder recorder, LongSupplier processes) {}
}
