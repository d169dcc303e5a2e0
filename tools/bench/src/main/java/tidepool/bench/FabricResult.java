package tidepool.bench;

/**
 * One row of {@code bench fabric}.
 *
 * @param fabric {@code mem}, {@code shm}, {@code tcp} or {@code sim}
 * @param operation the operation, and the size of its memory
 * @param nanosP50 its time through the fabric, median of the samples
 * @param limitNanosP50 the machine's time for the operation without the fabric; for {@code sim}, the promised maximum
 * @param ratio the first by the second; for rates, ours by the reference
 * @param bytesAllocatedPerRound by an allocation counter of the JVM
 * @param spread half the distance between the quarters of our samples, relative to the median
 * @param bound the promise as text; empty where there is none
 * @param holds whether the promise was kept in this run; true where there is none
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
