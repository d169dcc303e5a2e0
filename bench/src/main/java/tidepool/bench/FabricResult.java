package tidepool.bench;

/**
 * One row of {@code bench fabric}.
 *
 * @param fabric {@code mem}, {@code shm}, {@code tcp} or {@code sim}
 * @param operation what was done, and over how much memory
 * @param nanosP50 what it took through the fabric, median of the samples
 * @param limitNanosP50 what the machine needs for the same thing without the fabric; for {@code sim}, the most that is
 *     promised
 * @param ratio the first by the second; for rates, ours by the one to compare with
 * @param bytesAllocatedPerRound by an allocation counter of the JVM
 * @param spread half the distance between the quarters of our samples, relative to the median
 * @param bound what was promised, as text; empty where nothing was
 * @param holds whether it was kept in this run; true where nothing was promised
 */
public record FabricResult(
        String fabric,
        String operation,
        double nanosP50,
        double limitNanosP50,
        double ratio,
        double bytesAllocatedPerRound,
        double spread,
        String bound,
        boolean holds) {}
