package tidepool.evidence.litmus;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import tidepool.evidence.faults.QuietPool;
import tidepool.protocol.Protocol;
import tidepool.sim.Adversary;

/** The way in which a scene caught a planted bug: the first seed, or round, that failed, and why. */
record Caught(String number, String what) {
    static final Caught NOT_TRIED = new Caught("", "");
    static final Caught NOT = new Caught("-", "");

    boolean isCaught() {
        return !what.isEmpty();
    }

    /** Tries the scene by plan, on machines that stop at their verbs. */
    static Caught byPlan(Scene scene, Supplier<Protocol> protocol) {
        return in(new SimulatedWorld(protocol, Adversary.NONE, QuietPool::check, 1), scene, scene::schedule);
    }

    static Caught in(World world, Scene scene, Function<long[], List<Plan>> plans) {
        Performance performance = new Performance(world, scene);
        try {
            performance.play(plans.apply(performance.verbs()));
            return NOT;
        } catch (Forbidden e) {
            return new Caught(Integer.toString(1 + performance.rounds()), e.getMessage());
        }
    }
}
