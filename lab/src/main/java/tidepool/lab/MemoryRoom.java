package tidepool.lab;

import java.lang.management.ManagementFactory;

/**
 * The memory in which pools are simulated side by side. Who finds no room waits until others are done; who needs more than there
 * is for all of them runs alone, as long as the machine has so much.
 */
final class MemoryRoom {
    private final long most;
    private final long machine;
    private long taken;
    private int inside;

    /**
     * @param most bytes for all pools together
     * @param machine bytes that there are
     */
    MemoryRoom(long most, long machine) {
        this.most = most;
        this.machine = machine;
    }

    /** Half of what the machine has: the heap, and whoever else is there, want the rest. */
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
        while (inside > 0 && taken + bytes > most) wait();
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
