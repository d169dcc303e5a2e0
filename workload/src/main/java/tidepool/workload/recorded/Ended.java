package tidepool.workload.recorded;

import java.nio.file.Path;
import java.util.List;

/**
 * A run that has ended, before its histories are put together.
 *
 * @param seconds how long clients worked; in virtual time if it was simulated
 * @param deaths of processes that were killed meanwhile, as far as their places are known; the simulator tells none
 * @param killed how many died meanwhile
 * @param lastReads transactions of the histories that read everything in the end
 * @param histories one for each who recorded
 */
record Ended(
        Progress progress,
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
