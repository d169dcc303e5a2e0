package tidepool.bench.race;

import java.util.List;
import java.util.Map;

/** A store with its data loaded, ready for hands. Loading is not measured. */
public interface Contender extends AutoCloseable {
    /** In a few words, what was set; it stands in the report. */
    String settings();

    /** Names of the types of transactions, in the order of their numbers. */
    List<String> types();

    /**
     * A hand for the calling thread or strand.
     *
     * @param number from 0; no two hands of a run have the same
     * @param hands how many there are in the run
     * @param seed of the run; together with the number it decides all that is drawn
     */
    Hand hand(int number, int hands, long seed);

    /** Attempts so far that were aborted, by reason. Asked when nobody works. */
    Map<String, Long> aborts();

    /** What else happened so far and should be known: recoveries, say. Asked when nobody works. */
    default Map<String, Long> events() {
        return Map.of();
    }

    /** Whether the store holds what the committed transactions left there: what is wrong, a sentence each. */
    List<String> check();

    @Override
    void close();
}
