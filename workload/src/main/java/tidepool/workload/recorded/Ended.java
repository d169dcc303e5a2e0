package tidepool.workload.recorded;

import java.nio.file.Path;
import java.util.List;

/**
 * A run that has ended, before its histories are put together.
 *
 * @param seconds how long clients worked; in virtual time if it was simulated
 * @param killed how many died meanwhile
 * @param histories one for each who recorded
 */
record Ended(Progress progress, double seconds, int killed, List<Path> histories) {
    Ended {
        histories = List.copyOf(histories);
    }
}
