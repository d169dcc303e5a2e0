package tidepool.verbs;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Coroutine;
import tidepool.fabric.Session;
import tidepool.fabric.Traffic;
import tidepool.sim.Coverage;
import tidepool.sim.CoveragePoint;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.sim.SimulationException;

/**
 * One run: strands, nodes and faults from one seed, until every strand has taken its turns and everything has landed;
 * then memory is compared with the model.
 */
public class VerbsSimulation {
    private static final CoveragePoint[] FAULTS = {
        CoveragePoint.FLIGHT,
        CoveragePoint.COMPLETION_LOST,
        CoveragePoint.COMPLETION_DUPLICATED,
        CoveragePoint.CONNECTION_BROKEN,
        CoveragePoint.VERB_DROPPED,
        CoveragePoint.MACHINE_PAUSED,
        CoveragePoint.STRAND_CRASHED,
        CoveragePoint.MACHINE_CRASHED,
        CoveragePoint.NODE_CRASHED
    };

    private final VerbsOptions options;
    private final ClientRules rules;

    public VerbsSimulation(VerbsOptions options) {
        this(options, new ClientRules());
    }

    /** A simulation with clients that follow other rules; tests plant bugs with it. */
    public VerbsSimulation(VerbsOptions options, ClientRules rules) {
        this.options = options;
        this.rules = rules;
    }

    /** Runs one seed. Never throws the violations of the run: they are in the result. */
    public RunResult run(long seed) {
        return run(seed, Coroutine.Kind.preferred(), 0);
    }

    /**
     * Runs one seed with a chosen kind of strand, and returns up to {@code traceLines} lines of the end of the trace.
     */
    public RunResult run(long seed, Coroutine.Kind kind, int traceLines) {
        try (Simulation simulation = new Simulation(seed, kind)) {
            SimFabric fabric = new SimFabric(
                    simulation,
                    options.nodes(),
                    options.profile(),
                    options.faults().adversary());
            RunContext context = new RunContext(options, rules, simulation, fabric);
            prepare(fabric);
            List<String> violations = new ArrayList<>();
            try {
                new Warden(context).startAll();
                simulation.run();
                simulation.settle();
                context.checkEnd();
            } catch (SimulationException e) {
                violations.add(e.getCause() instanceof Violation ? e.getCause().getMessage() : e.getMessage());
            } catch (Violation e) {
                violations.add(e.getMessage());
            }
            return result(context, violations, traceLines);
        }
    }

    /** Called when the pool exists and before a strand uses it; tests plant bugs of the fabric with it. */
    protected void prepare(SimFabric fabric) {}

    private static RunResult result(RunContext context, List<String> violations, int traceLines) {
        Simulation simulation = context.simulation;
        Traffic traffic = new Traffic();
        for (Session session : context.sessions) traffic.add(session.traffic());
        Coverage coverage = simulation.coverage();
        long faults = 0;
        for (CoveragePoint fault : FAULTS) faults += coverage.count(fault);
        return new RunResult(
                simulation.seed(),
                context.turns,
                traffic.rounds() + traffic.backgroundRounds(),
                traffic.allVerbs(),
                context.sessions.size(),
                simulation.nowNanos(),
                faults,
                coverage,
                simulation.traceHash(),
                List.copyOf(violations),
                simulation.trace().last(traceLines));
    }
}
