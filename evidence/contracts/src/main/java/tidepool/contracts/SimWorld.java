package tidepool.contracts;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.UnaryOperator;
import tidepool.fabric.Fabric;
import tidepool.fabric.Link;
import tidepool.memory.Handlers;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.sim.SimulationException;

/**
 * A test environment in virtual time: each body is a strand on a machine of its own, and a seed decides the order of
 * events.
 */
public class SimWorld extends FabricWorld {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Simulation simulation;
    private final SimFabric sim;
    private final Fabric fabric;

    /** Opens a pool in a new simulation. */
    public SimWorld(long seed, int nodes, Adversary adversary, Handlers handlers) {
        this(seed, nodes, adversary, handlers, UnaryOperator.identity());
    }

    /** Opens a pool in a new simulation, with a wrapper around the simulated fabric. */
    public SimWorld(long seed, int nodes, Adversary adversary, Handlers handlers, UnaryOperator<Fabric> wrapper) {
        this.simulation = new Simulation(seed);
        this.sim = new SimFabric(simulation, nodes, CostProfile.CX5, adversary, handlers);
        this.fabric = wrapper.apply(sim);
    }

    @Override
    public Fabric fabric() {
        return fabric;
    }

    @Override
    public void run(Runnable... bodies) {
        for (int i = 0; i < bodies.length; i++)
            simulation.start(simulation.machine("client-" + i, 1), "body-" + i, bodies[i]);
        try {
            simulation.run();
        } catch (SimulationException e) {
            Throwable cause = e.getCause();
            if (cause == null) throw e;
            cause.addSuppressed(e); // its message contains the seed
            throw Sneaky.again(cause);
        }
    }

    @Override
    public boolean verbsTakeTime() {
        return true;
    }

    @Override
    public boolean tearsForCertain() {
        return sim.adversary().tear() > 0;
    }

    @Override
    public boolean overlapsForCertain() {
        return sim.adversary().reorder() > 0;
    }

    @Override
    public int litmusRounds() {
        return 3_000;
    }

    @Override
    public long allocatedBytes() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    @Override
    public boolean can(Fault fault) {
        return switch (fault) {
            case BREAK_LINK, KILL_NODE, DELAY -> true;
            case CUT_POWER -> sim.adversary().persistence();
        };
    }

    @Override
    public void breakLink(Link link) {
        sim.breakLink(link);
    }

    @Override
    public void killNode(int node) {
        sim.crashNode(node);
    }

    @Override
    public void delayNext(Link link, long nanos) {
        sim.delayNext(link, nanos);
    }

    @Override
    public void cutPower(int node) {
        sim.failPower(node);
        sim.restartNode(node);
    }

    @Override
    public void close() {
        fabric.close();
        simulation.close();
    }
}
