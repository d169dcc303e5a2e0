package tidepool.bench.growth;

/**
 * The options of a measurement of growth.
 *
 * @param protocol ours, with its switches
 * @param fabric mem, shm or tcp, with memory nodes in processes of their own
 * @param rows the number of rows for which the table that grows is made
 * @param grown the number of rows that it takes
 * @param threads that insert; one more reads
 * @param rounds that count, after one for the compilers
 * @param bytes memory of the pool, all copies and logs; 0 for as many as two tables of the grown size need
 * @param isAlone whether no table that was made large is measured
 */
public record GrowthOptions(
        String protocol, String fabric, long rows, long grown, int threads, int rounds, long bytes, boolean isAlone) {
    /** Returns the options of the round that does not count. A large table would only prolong it. */
    GrowthOptions warmUp(long most) {
        long fewer = Math.min(grown, Math.max(rows, most));
        return new GrowthOptions(protocol, fabric, rows, fewer, threads, 1, bytes, isAlone);
    }
}
