package tidepool.bench.race;

import java.nio.file.Path;
import tidepool.workload.measured.MeasuredWorkload;

/**
 * The options of a contender.
 *
 * @param entry its name and fabric
 * @param workload the workload that it loads
 * @param folder empty, in shared memory if there is room; removed when the race is over
 * @param threads number of threads that will work at once
 * @param drivers number of drivers on them
 * @param shape of our pools; without effect on foreign stores
 * @param attempts the attempts after which a transaction is abandoned; 0 for never
 */
public record ContenderOptions(
        RaceEntry entry,
        MeasuredWorkload workload,
        Path folder,
        int threads,
        int drivers,
        PoolShape shape,
        int attempts) {}
