package tidepool.bench.ycsb;

import java.nio.file.Path;
import tidepool.base.Checks;

/**
 * What a contender is made of.
 *
 * @param name the contender's, as the command line has it: {@code rocksdb}
 * @param folder empty, in shared memory if there is room; removed when the race is over
 * @param records how many
 * @param valueBytes of each; a multiple of eight
 * @param threads how many clerks will work at once
 */
public record KeyStoreOptions(String name, Path folder, int records, int valueBytes, int threads) {
    public KeyStoreOptions {
        Checks.argument(records >= 1, "at least one record: " + records);
        Checks.argument(
                valueBytes >= Stamp.LEAST_BYTES && valueBytes % Long.BYTES == 0,
                "a value has a multiple of 8 bytes, at least " + Stamp.LEAST_BYTES + ": " + valueBytes);
        Checks.argument(threads >= 1, "at least one thread: " + threads);
    }
}
