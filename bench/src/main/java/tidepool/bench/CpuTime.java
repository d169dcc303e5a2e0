package tidepool.bench;

import java.time.Duration;

/** Processor time of processes, in user and kernel mode, all their threads, in steps of some milliseconds. */
public final class CpuTime {
    private CpuTime() {}

    /** Of one process; 0 if it is gone or the system does not tell. */
    public static long nanos(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    /** Of one and of all that it has started and that still run. */
    public static long nanosWithDescendants(ProcessHandle process) {
        return nanos(process) + process.descendants().mapToLong(CpuTime::nanos).sum();
    }
}
