package tidepool.sim;

import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import tidepool.base.Id128;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;

/**
 * A benchmark of the simulator: one-verb rounds per second of wall time, one 64-byte READ each, 64 strands on 4
 * machines of 4 cores, 3 nodes, profile cx5. Prints one line without and one with the adversary. Also prints CPU time,
 * because machines are shared.
 */
public final class SimSpeed {
    private static final int STRANDS = 64;
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private SimSpeed() {}

    public static void main(String[] arguments) {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100_000;
        int times = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
        for (int i = 0; i < times; i++) {
            measure("adversary off       ", Adversary.NONE, rounds);
            measure("adversary order+tear", Adversary.ORDER, rounds);
        }
    }

    private static void measure(String what, Adversary adversary, int roundsPerStrand) {
        try (Simulation simulation = new Simulation(42)) {
            SimFabric fabric = new SimFabric(simulation, 3, CostProfile.CX5, adversary);
            Id128[] capabilities = new Id128[3];
            for (int i = 0; i < 3; i++) capabilities[i] = fabric.control(i).createRegion(1 << 20);
            for (int s = 0; s < STRANDS; s++) {
                int strand = s;
                simulation.start(simulation.machine("c" + s % 4, 4), "s" + s, () -> {
                    Lane lane = fabric.attach().lane();
                    Region region = lane.connect(strand % 3).open(capabilities[strand % 3]);
                    Round round = lane.round(1);
                    MemorySegment landing = lane.landing(64);
                    for (int i = 0; i < roundsPerStrand; i++)
                        round.read(region, (long) (i * 31 + strand * 7 & 0x3fff) * 64, 64, landing, 0)
                                .post()
                                .await();
                });
            }
            simulation.runUntil(200_000); // all strands are connected, pools are filled
            long allocated = allocatedBytes();
            long start = System.nanoTime();
            long cpu = THREADS.getCurrentThreadCpuTime();
            simulation.run();
            double seconds = (System.nanoTime() - start) / 1e9;
            double cpuSeconds = (THREADS.getCurrentThreadCpuTime() - cpu) / 1e9;
            double rounds = (double) STRANDS * roundsPerStrand;
            System.out.printf(
                    "%s  %.2f M rounds/s wall, %.2f M rounds/s of CPU (%.0f ns)  %.3f bytes/round  hash %016x%n",
                    what,
                    rounds / seconds / 1e6,
                    rounds / cpuSeconds / 1e6,
                    cpuSeconds * 1e9 / rounds,
                    (allocatedBytes() - allocated) / rounds,
                    simulation.traceHash());
        }
    }

    private static long allocatedBytes() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
