package tidepool.bench.ycsb;

import java.nio.file.Path;
import tidepool.base.Checks;

/**
 * The options of a key store.
 *
 * @param name of the contender on the command line: {@code rocksdb}
 * @param folder empty, in shared memory if there is room; removed when the race is over
 * @param records their number
 * @param keyShift the key of record {@code r} is {@code r << keyShift}
 * @param inserts room for records that are inserted later
 * @param valueBytes of each; a multiple of eight
 * @param threads number of clerks that will work at once
 */
public record KeyStoreOptions(
        String name, Path folder, int records, int keyShift, long inserts, int valueBytes, int threads) {
    public KeyStoreOptions {
        Checks.argument(records >= 1, "at least one record: " + records);
        Checks.argument(
                valueBytes >= Stamp.MIN_BYTES && valueBytes % Long.BYTES == 0,
                "a value has a multiple of 8 bytes, at least " + Stamp.MIN_BYTES + ": " + valueBytes);
        Checks.argument(threads >= 1, "at least one thread: " + threads);
    }
}
