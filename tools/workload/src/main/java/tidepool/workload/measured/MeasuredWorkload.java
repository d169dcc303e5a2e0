package tidepool.workload.measured;

import java.util.List;
import tidepool.store.TableLayout;

/**
 * A workload with its load, run and check. An object is the description with all its parameters. It keeps no state of a
 * run, so several processes, protocols and fabrics can use equal ones.
 */
public interface MeasuredWorkload {
    /** Returns the name on the command line and in reports. */
    String name();

    /** Returns the parameters in a few words, for the report. */
    String settings();

    /** Returns the names of the types of transactions, in the order of their numbers. */
    List<String> types();

    /** Returns the tables, in the order of their numbers. */
    List<TableSpec> tables();

    /** Returns the names of the entries of {@link WorkloadClient#book}, in its order. */
    List<String> books();

    /**
     * Writes a share of the initial rows. All shares together are the whole, and may be written concurrently. Equal
     * workloads always write equal rows.
     */
    void load(RowSink rows, int share, int shares);

    /**
     * Makes one client.
     *
     * @param tables in the order of {@link #tables()}
     * @param number of the client, from 0; unique in a run
     * @param clients number of clients in the run
     * @param seed of the run; together with the number it decides all random choices
     */
    WorkloadClient client(List<TableLayout> tables, int number, int clients, long seed);

    /**
     * Checks the contents of the store after the run, when no client works.
     *
     * @param book the sums of all clients' books
     * @return the findings, a sentence each; empty if all is well
     */
    List<String> check(RowSource rows, long[] book);
}
