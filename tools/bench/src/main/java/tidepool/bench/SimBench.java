package tidepool.bench;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.function.Consumer;
import tidepool.base.Clock;
import tidepool.base.Id128;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;

/**
 * Measures the speed of the simulator: rounds of one 64-byte READ per second of wall time. 64 strands run on 4 machines
 * of 4 cores, with 3 memory nodes, profile cx5, and the trace hashed as always. Samples without and with the adversary
 * alternate.
 */
final class SimBench {
    private static final int STRANDS = 64;
    private static final int NODES = 3;
    private static final long REGION_BYTES = 1 << 20;
    private static final double MAX_NANOS = 1_000;
    private static final double MAX_NANOS_WITH_ADVERSARY = 2_000;
    private static final int WARM_UPS = 3;

    private final int samples;
    private final int roundsPerSample;
    private final Consumer<FabricResult> results;

    SimBench(int samples, int roundsPerSample, Consumer<FabricResult> results) {
        this.samples = samples;
        this.roundsPerSample = roundsPerSample;
        this.results = results;
    }

    void run() {
        try (World plain = new World(Adversary.NONE);
                World adverse = new World(Adversary.ORDER)) {
            Samples plainNanos = new Samples(samples);
            Samples adverseNanos = new Samples(samples);
            for (int i = 0; i < WARM_UPS; i++) {
                plain.nanosPerRound(roundsPerSample);
                adverse.nanosPerRound(roundsPerSample);
            }
            for (int i = 0; i < samples; i++) {
                plainNanos.add(plain.nanosPerRound(roundsPerSample));
                adverseNanos.add(adverse.nanosPerRound(roundsPerSample));
            }
            report("rounds/cx5", plainNanos, MAX_NANOS, AllocationCounter.perRound(plain, roundsPerSample));
            report(
                    "rounds/cx5+adversary",
                    adverseNanos,
                    MAX_NANOS_WITH_ADVERSARY,
                    AllocationCounter.perRound(adverse, roundsPerSample));
        }
    }

    private void report(String operation, Samples nanos, double max, double allocated) {
        double median = nanos.median();
        results.accept(new FabricResult(
                "sim",
                operation,
                median,
                max,
                median / max,
                allocated,
                nanos.spread(),
                String.format(Locale.ROOT, "≥ %.1f M rounds/s", 1_000 / max),
                median <= max));
    }

    /** Strands that post rounds without end. The world stops whenever enough rounds were answered. */
    private static final class World implements Loop, AutoCloseable {
        /** A stretch of virtual time in which some thousand rounds are answered. */
        private static final long STRETCH_NANOS = 200_000;

        private final Simulation simulation = new Simulation(42);
        private final Id128[] capabilities = new Id128[NODES];
        private final SimFabric fabric;
        private long rounds;

        World(Adversary adversary) {
            fabric = new SimFabric(simulation, NODES, CostProfile.CX5, adversary);
            for (int i = 0; i < NODES; i++) capabilities[i] = fabric.control(i).createRegion(REGION_BYTES);
            for (int s = 0; s < STRANDS; s++) {
                int strand = s;
                simulation.start(simulation.machine("compute-" + s % 4, 4), "strand-" + s, () -> read(strand));
            }
        }

        private void read(int strand) {
            int node = strand % NODES;
            Lane lane = fabric.attach().lane();
            Region region = lane.connect(node).open(capabilities[node]);
            Round round = lane.round(1);
            MemorySegment landing = lane.landing(Shape.RECORD_BYTES);
            for (long x = strand + 1L; ; rounds++) {
                x = Shape.next(x);
                long at = x & (REGION_BYTES - 1) & -Shape.RECORD_BYTES;
                round.read(region, at, Shape.RECORD_BYTES, landing, 0).post().await();
            }
        }

        /** Runs at least this number of rounds. Returns the nanoseconds of wall time per round. */
        double nanosPerRound(int atLeast) {
            long before = rounds;
            long start = Clock.system().nowNanos();
            Sink.keep(run(atLeast));
            return (double) (Clock.system().nowNanos() - start) / (rounds - before);
        }

        @Override
        public long run(int atLeast) {
            long enough = rounds + atLeast;
            while (rounds < enough) simulation.runUntil(simulation.nowNanos() + STRETCH_NANOS);
            return simulation.traceHash();
        }

        @Override
        public void close() {
            simulation.close();
        }
    }
}
