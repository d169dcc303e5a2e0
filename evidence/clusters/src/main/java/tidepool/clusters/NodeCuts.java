package tidepool.clusters;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tidepool.base.Randomness;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;

/**
 * Links between machines and memory nodes that are cut for a time, in every shape: one link, one direction of it, one
 * that fails repeatedly, all links of a machine or of a node, and many that are cut one by one and healed in another
 * order. All are healed in the end.
 */
final class NodeCuts {
    private static final int SHAPES = 6;
    private static final long WITHIN_NANOS = 1_500_000;
    private static final int FLAPS = 4;

    private final Simulation simulation;
    private final SimFabric fabric;
    private final ClusterReport report;
    private final Randomness random;
    private final Supplier<List<Machine>> machines;

    /** @param machines the machines that exist when a cut begins */
    NodeCuts(Simulation simulation, SimFabric fabric, ClusterReport report, Supplier<List<Machine>> machines) {
        this.simulation = simulation;
        this.fabric = fabric;
        this.report = report;
        this.random = simulation.randomness("cuts");
        this.machines = machines;
    }

    void plan() {
        simulation.at(simulation.nowNanos() + random.nextLong(WITHIN_NANOS), this::begin);
    }

    private record Pair(Machine machine, int node) {}

    private void begin() {
        List<Machine> there = machines.get();
        if (there.isEmpty()) return;
        Machine machine = there.get(random.nextInt(there.size()));
        int node = random.nextInt(fabric.nodes());
        switch (random.nextInt(SHAPES)) {
            case 0 -> cut("cut", new Pair(machine, node), 0, lasting());
            case 1 -> oneWay(new Pair(machine, node));
            case 2 -> {
                for (int i = 0; i < FLAPS; i++)
                    cut("cut that came and went", new Pair(machine, node), i * 50_000L, 30_000);
            }
            case 3 -> {
                for (int n = 0; n < fabric.nodes(); n++) cut("cut of a machine", new Pair(machine, n), 0, 150_000);
            }
            case 4 -> {
                for (Machine one : there) cut("cut of a memory node", new Pair(one, node), 0, 150_000);
            }
            default -> swizzle(there);
        }
    }

    /** Returns a duration shorter than a round waits, or longer. */
    private long lasting() {
        return random.chance(1, 3) ? 60_000_000 : 1 + random.nextLong(300_000);
    }

    private void oneWay(Pair pair) {
        report.add("cut one way", 1);
        if (random.nextBoolean()) fabric.cutAnswers(pair.machine, pair.node);
        else fabric.cutRequests(pair.machine, pair.node);
        heal(pair, lasting());
    }

    private void cut(String what, Pair pair, long inNanos, long forNanos) {
        simulation.at(simulation.nowNanos() + 1 + inNanos, () -> {
            report.add(what, 1);
            fabric.cut(pair.machine, pair.node);
            heal(pair, forNanos);
        });
    }

    private void heal(Pair pair, long inNanos) {
        simulation.at(simulation.nowNanos() + 1 + inNanos, () -> fabric.heal(pair.machine, pair.node));
    }

    /** Cuts some links one after the other, and heals them one after the other. */
    private void swizzle(List<Machine> there) {
        List<Pair> some = new ArrayList<>();
        for (Machine machine : there)
            for (int node = 0; node < fabric.nodes(); node++)
                if (random.nextBoolean()) some.add(new Pair(machine, node));
        long all = some.size() * 20_000L;
        for (int i = 0; i < some.size(); i++)
            cut("cut among others", some.get(i), i * 20_000L, all + random.nextLong(1 + all));
    }
}
