package tidepool.bench.smallbank;

import java.nio.file.Path;

/**
 * The options of a bank.
 *
 * @param name of the contender on the command line: {@code ford}, {@code rocksdb}
 * @param folder empty, in shared memory if there is room; removed when the race is over
 * @param customers their number
 * @param threads number of tellers that will work at once
 */
public record BankOptions(String name, Path folder, int customers, int threads) {}
