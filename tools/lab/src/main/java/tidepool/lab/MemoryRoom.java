package tidepool.lab;

import java.lang.management.ManagementFactory;

/**
 * The memory for concurrently simulated pools. A pool without room waits until others are done. A pool that needs more
 * than the total runs alone, if the machine has that memory.
 */
final class MemoryRoom {
    private final long max;
    private final long machine;
    private long taken;
    private int inside;

    /**
     * @param max bytes for all pools together
     * @param machine bytes of the machine
     */
    MemoryRoom(long max, long machine) {
        this.max = max;
        this.machine = machine;
    }

    /** Returns half the memory of the machine. The heap and other processes need the rest. */
    static MemoryRoom ofMachine() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new MemoryRoom(system.getTotalMemorySize() / 2, system.getTotalMemorySize());
    }

    /** Waits until there is room. */
    synchronized void enter(long bytes) throws InterruptedException {
        if (bytes > machine)
            throw new IllegalArgumentException(String.format(
                    "its pool takes %.1f GB and this machine has %.1f; --quick takes less",
                    gigabytes(bytes), gigabytes(machine)));
        while (inside > 0 && taken + bytes > max) wait();
        taken += bytes;
        inside++;
    }

    synchronized void leave(long bytes) {
        taken -= bytes;
        inside--;
        notifyAll();
    }

    private static double gigabytes(long bytes) {
        return bytes / 1e9;
    }
}
