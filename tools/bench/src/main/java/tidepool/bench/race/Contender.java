package tidepool.bench.race;

import java.util.List;
import java.util.Map;

/** A store with its data loaded, ready for drivers. Loading is not measured. */
public interface Contender extends AutoCloseable {
    /** Returns its settings in a few words, for the report. */
    String settings();

    /** Returns the names of the types of transactions, in the order of their numbers. */
    List<String> types();

    /**
     * Returns a driver for the calling thread or strand.
     *
     * @param number from 0; unique in a run
     * @param drivers number of drivers in the run
     * @param seed of the run; together with the number it decides all random choices
     */
    ClientDriver driver(int number, int drivers, long seed);

    /** Returns the aborted attempts so far, by reason. Called when no driver works. */
    Map<String, Long> aborts();

    /** Returns the counts of other events so far, such as recoveries. Called when no driver works. */
    default Map<String, Long> events() {
        return Map.of();
    }

    /**
     * Checks whether the store holds the results of the committed transactions. Returns the findings, a sentence each.
     */
    List<String> check();

    @Override
    void close();
}
