package tidepool.check.simulation;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Coroutine;
import tidepool.fabric.Session;
import tidepool.fabric.Traffic;
import tidepool.fabric.sim.Reach;
import tidepool.fabric.sim.Reached;
import tidepool.fabric.sim.SimFabric;
import tidepool.fabric.sim.Simulation;
import tidepool.fabric.sim.SimulationException;

/**
 * One run: strands, nodes and faults from one seed, until every strand has taken its turns and everything has landed;
 * then memory is compared with the model.
 */
public class VerbsSimulation {
    private static final Reach[] FAULTS = {
        Reach.FLIGHT,
        Reach.COMPLETION_LOST,
        Reach.COMPLETION_DUPLICATED,
        Reach.CONNECTION_BROKEN,
        Reach.VERB_DROPPED,
        Reach.MACHINE_PAUSED,
        Reach.STRAND_CRASHED,
        Reach.MACHINE_CRASHED,
        Reach.NODE_CRASHED
    };

    private final VerbsOptions options;
    private final ClientRules rules;

    public VerbsSimulation(VerbsOptions options) {
        this(options, new ClientRules());
    }

    /** With clients that keep other rules; tests plant bugs by that. */
    public VerbsSimulation(VerbsOptions options, ClientRules rules) {
        this.options = options;
        this.rules = rules;
    }

    /** Runs one seed. Never throws what the run found: it is in the result. */
    public RunResult run(long seed) {
        return run(seed, Coroutine.Kind.preferred(), 0);
    }

    /** The same, with a chosen kind of strand, and so many lines of the end of the trace. */
    public RunResult run(long seed, Coroutine.Kind kind, int traceLines) {
        try (Simulation simulation = new Simulation(seed, kind)) {
            SimFabric fabric = new SimFabric(
                    simulation,
                    options.nodes(),
                    options.profile(),
                    options.faults().adversary());
            World world = new World(options, rules, simulation, fabric);
            prepare(fabric);
            List<String> violations = new ArrayList<>();
            try {
                new Warden(world).startAll();
                simulation.run();
                simulation.settle();
                world.checkEnd();
            } catch (SimulationException e) {
                violations.add(e.getCause() instanceof Violation ? e.getCause().getMessage() : e.getMessage());
            } catch (Violation e) {
                violations.add(e.getMessage());
            }
            return result(world, violations, traceLines);
        }
    }

    /** Called when the pool is there and before anybody uses it; tests plant bugs of the fabric by that. */
    protected void prepare(SimFabric fabric) {}

    private static RunResult result(World world, List<String> violations, int traceLines) {
        Simulation simulation = world.simulation;
        Traffic traffic = new Traffic();
        for (Session session : world.sessions) traffic.add(session.traffic());
        Reached reached = simulation.reached();
        long faults = 0;
        for (Reach fault : FAULTS) faults += reached.count(fault);
        return new RunResult(
                simulation.seed(),
                world.turns,
                traffic.rounds() + traffic.backgroundRounds(),
                traffic.allVerbs(),
                world.sessions.size(),
                simulation.nowNanos(),
                faults,
                reached,
                simulation.traceHash(),
                List.copyOf(violations),
                simulation.trace().last(traceLines));
    }
}
