package tidepool.workload.recorded;

import java.nio.file.Path;
import java.util.List;

/**
 * A run that has ended, before its histories are merged.
 *
 * @param seconds how long clients worked; in virtual time if it was simulated
 * @param deaths of processes that were killed meanwhile, as far as their places are known; the simulator reports none
 * @param killed number of deaths meanwhile
 * @param lastReads transactions of the histories that read everything in the end
 * @param histories one for each recorder
 */
record Ended(
        RunProgress progress,
        double seconds,
        List<Deaths.Death> deaths,
        int killed,
        long lastReads,
        List<Path> histories) {
    Ended {
        deaths = List.copyOf(deaths);
        histories = List.copyOf(histories);
    }
}
