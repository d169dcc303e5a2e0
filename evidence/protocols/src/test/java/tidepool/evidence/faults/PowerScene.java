package tidepool.evidence.faults;

import java.util.List;
import java.util.function.Supplier;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.RandomTxns;
import tidepool.clusters.RandomTxns.Kind;
import tidepool.clusters.RandomTxns.Op;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.protocol.Protocol;
import tidepool.sim.Adversary;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;

/**
 * One transaction; shortly after one of its verbs the power of all nodes fails. Then a client repairs the pool, perhaps
 * cut off in the same way at one of its own verbs; then another one finishes.
 */
final class PowerScene extends PowerStage {
    /** Shapes of the transaction. */
    enum Shape {
        UPDATE,
        UPDATE_TWO_PARTITIONS,
        UPDATE_AND_READ,
        INSERT,
        INSERT_OVERFLOWING,
        DELETE,
        PUT
    }

    private final Shape shape;
    private final Randomness random;

    private PowerScene(
            Simulation simulation, Shape shape, int replicas, Adversary adversary, Supplier<Protocol> protocol) {
        super(simulation, replicas, adversary, protocol, SimFabric::failPower);
        this.shape = shape;
        this.random = simulation.randomness("scene");
    }

    /** Runs the scene. Returns null if the victim, or the client that repairs, ended before its verb. */
    static ClusterReport play(
            Shape shape,
            int replicas,
            long seed,
            Adversary adversary,
            Death victim,
            Death repairer,
            Supplier<Protocol> protocol) {
        Simulation simulation = new Simulation(seed);
        try (simulation) {
            PowerScene scene = new PowerScene(simulation, shape, replicas, adversary, protocol);
            return scene.play(victim, repairer) ? scene.report : null;
        } catch (RuntimeException e) {
            throw new ClusterFailure(
                    "shape=" + shape + " replicas=" + replicas + " seed=" + seed + " victim=" + victim + " repairer="
                            + repairer + CrashPlaces.of(simulation, "victim", "repairer") + ": " + e.getMessage(),
                    e);
        }
    }

    private boolean play(Death victim, Death repairer) {
        load(shape == Shape.INSERT_OVERFLOWING);
        if (!untilPowerFails("v", "victim", victim, moment(), this::prepareVictim)) return false;
        if (repairer != null && !untilPowerFails("r", "repairer", repairer, moment(), this::repair)) return false;
        end();
        return true;
    }

    private long moment() {
        return random.nextLong(3_000);
    }

    /** Opens the pool and fills both log slots, so that every verb of the victim's strand is one of its transaction. */
    private void prepareVictim() {
        Tidepool pool = open(fabric);
        RandomTxns workload = workload(pool, "victim");
        workload.run(List.of(new Op(Kind.READ, a[0], false), new Op(Kind.READ, b[0], false)), false);
        for (int i = 0; i < 2; i++)
            workload.run(List.of(new Op(Kind.UPDATE, a[1], false), new Op(Kind.UPDATE, b[1], false)), false);
        simulation.start(machine("v"), "victim", () -> {
            workload.run(ops(), false);
            Waiting.pause(10_000); // background rounds end
            over = true;
        });
    }

    private List<Op> ops() {
        return switch (shape) {
            case UPDATE -> List.of(new Op(Kind.UPDATE, a[0], false));
            case UPDATE_TWO_PARTITIONS -> List.of(new Op(Kind.UPDATE, a[0], false), new Op(Kind.UPDATE, b[0], false));
            case UPDATE_AND_READ -> List.of(new Op(Kind.UPDATE, a[0], false), new Op(Kind.READ, b[0], false));
            case INSERT -> List.of(new Op(Kind.INSERT, a[2], false));
            case INSERT_OVERFLOWING -> List.of(new Op(Kind.INSERT, a[table.slots()], false));
            case DELETE -> List.of(new Op(Kind.DELETE, a[0], false));
            case PUT -> List.of(new Op(Kind.PUT, a[1], false), new Op(Kind.PUT, b[2], false));
        };
    }

    private void repair() {
        open(fabric).close();
        over = true;
    }
}
