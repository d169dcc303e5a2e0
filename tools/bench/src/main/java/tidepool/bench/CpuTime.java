package tidepool.bench;

import java.time.Duration;

/** Processor time of processes, in user and kernel mode, all their threads, in steps of some milliseconds. */
public final class CpuTime {
    private CpuTime() {}

    /** Returns the time of one process; 0 if it has ended or the system does not report it. */
    public static long nanos(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    /** Returns the time of a process and of all its running descendants. */
    public static long nanosWithDescendants(ProcessHandle process) {
        return nanos(process) + process.descendants().mapToLong(CpuTime::nanos).sum();
    }
}
