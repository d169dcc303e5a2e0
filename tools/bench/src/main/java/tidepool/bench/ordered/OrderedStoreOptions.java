package tidepool.bench.ordered;

import java.nio.file.Path;

/**
 * The options of an ordered store.
 *
 * @param folder empty, in shared memory if there is room; removed when the race is over
 * @param bytes that all rows and entries will take at most
 * @param threads number of sessions that will work at once
 */
public record OrderedStoreOptions(Path folder, long bytes, int threads) {}
