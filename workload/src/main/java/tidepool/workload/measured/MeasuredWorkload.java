package tidepool.workload.measured;

import java.util.List;
import tidepool.store.TableInfo;

/**
 * A workload as load, run and check. An object is the description with all its parameters; it keeps nothing of a run, so
 * that several processes, protocols and fabrics can use equal ones.
 */
public interface MeasuredWorkload {
    /** On the command line and in reports. */
    String name();

    /** The parameters in a few words; they stand in the report. */
    String settings();

    /** Names of the types of transactions, in the order of their numbers. */
    List<String> types();

    /** The tables, in the order of their numbers. */
    List<TableSpec> tables();

    /** Names of what {@link Client#book} counts, in its order. */
    List<String> books();

    /**
     * Writes a share of the first rows. All shares together are the whole; they may be written at the same time, and
     * the same workload always writes the same rows.
     */
    void load(RowSink rows, int share, int shares);

    /**
     * Makes one client.
     *
     * @param tables in the order of {@link #tables()}
     * @param number of the client, from 0; no two clients of a run have the same
     * @param clients how many there are in the run
     * @param seed of the run; together with the number it decides all that is drawn
     */
    Client client(List<TableInfo> tables, int number, int clients, long seed);

    /**
     * Looks whether the store holds what it should after the run, when nobody works.
     *
     * @param book the sums of all clients' books
     * @return what is wrong, a sentence each; empty if all is well
     */
    List<String> check(RowSource rows, long[] book);
}
