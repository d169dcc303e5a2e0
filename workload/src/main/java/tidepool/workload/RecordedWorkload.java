package tidepool.workload;

import java.util.function.LongSupplier;
import tidepool.base.Randomness;
import tidepool.check.history.HistoryRecorder;

/** A workload whose transactions are written down, so that they can be checked. */
public interface RecordedWorkload {
    /** A client for one thread or strand. Waits. */
    Client client(Pen pen, Randomness random);

    /**
     * Reads every key once more, each in a transaction of its own, when all others have completed: without this the end of
     * a key's life would prove nothing. Waits.
     */
    Facts readAll(Pen pen);

    /** Runs transactions, one after the other. */
    interface Client {
        /** Runs one transaction to its end. Waits. What is thrown ends the client. */
        void next();

        /** The number under which its transaction is recorded. For the thread that runs it. */
        long process();

        /** What became of them. */
        Tally tally();

        /** What happened in them. */
        Facts facts();
    }

    /**
     * What somebody writes down with.
     *
     * @param processes numbers for the history that nobody else uses; a client takes another one when the outcome of a
     *     transaction stays unknown
     */
    record Pen(HistoryRecorder recorder, LongSupplier processes) {}
}
