package tidepool.bench.smallbank;

import java.nio.file.Path;

/**
 * What a contender is made of.
 *
 * @param name the contender's, as the command line has it: {@code ford}, {@code rocksdb}
 * @param folder empty, in shared memory if there is room; removed when the race is over
 * @param customers how many
 * @param threads how many tellers will work at once
 */
public record BankOptions(String name, Path folder, int customers, int threads) {}
