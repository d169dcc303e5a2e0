package tidepool.bench.race;

import java.nio.file.Path;
import tidepool.workload.measured.MeasuredWorkload;

/**
 * What a contender is made of.
 *
 * @param entry who it is
 * @param workload what it is loaded with
 * @param folder empty, in shared memory if there is room; removed when the race is over
 * @param threads how many will work at once
 * @param hands how many there are on them
 * @param shape of our pools; nothing to others
 * @param attempts after so many a transaction is abandoned; 0 for never
 */
public record ContenderOptions(
        Entry entry, MeasuredWorkload workload, Path folder, int threads, int hands, PoolShape shape, int attempts) {}
