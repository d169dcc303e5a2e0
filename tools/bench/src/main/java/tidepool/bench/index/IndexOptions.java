package tidepool.bench.index;

import java.util.List;

/**
 * The options of a measurement of ordered tables.
 *
 * @param protocols ours, with their switches
 * @param fabric mem or shm
 * @param rows that a table takes
 * @param threads that insert
 * @param rounds of which the middle one counts, by its rate
 */
public record IndexOptions(List<String> protocols, String fabric, long rows, int threads, int rounds) {}
