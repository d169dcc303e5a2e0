package tidepool.check.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.check.broken.FilterFabric;
import tidepool.check.cluster.CrashScene.Death;
import tidepool.check.cluster.Workload.Kind;
import tidepool.check.cluster.Workload.Step;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.fabric.VerbKind;
import tidepool.fabric.sim.Adversary;
import tidepool.fabric.sim.Machine;
import tidepool.fabric.sim.Simulation;
import tidepool.protocol.Protocol;

/**
 * Several machines, step by step, on a calm network: one dies at one of its verbs, and exactly those lines survive the
 * loss of power that matter. What chance does not bring together in any number of seeds.
 */
final class PowerPlot extends PowerStage {
    /** What happens. */
    enum Plot {
        /**
         * Between a writer's look at a record and its lock somebody else writes it, and is done. What the writer has seen
         * is not what it overwrites; the power fails when its mark is there and its value is not.
         */
        OVERTAKEN,

        /** The same, but the power fails later: somebody recovers the writer, whose log may say what is long past. */
        OVERTAKEN_AND_RECOVERED,

        /**
         * A writer of two records dies; somebody recovers it, reads both, and writes elsewhere, so often that nothing is left
         * of the dead one's logs. Then the power fails, and nothing is there that nobody flushed.
         */
        RECOVERED,

        /**
         * One writes two records, a second one overwrites one of them and forgets its log, a third one tears that. Its
         * mark survives; the first one's log is still there, and knows nobody who came later.
         */
        BURIED,

        /** Interleaving 12, the first half: all that was written is there, and nothing of what was written down before. */
        LOGS_ARE_LOST,

        /** Interleaving 12, the second half: primaries, which nobody flushes, are as they were; nobody may believe them. */
        PRIMARIES_ARE_LOST,

        /**
         * Nodes keep journals. A writer of two records dies, somebody recovers it and reads both. Then the power fails: the first
         * node has kept everything, the second nothing that nobody flushed, and so a log that the first one has no longer.
         */
        KEPT_APART
    }

    /** Everything that was posted has landed by then. */
    private static final long MOMENT_NANOS = 20_000;

    private final Plot plot;
    private boolean begun;
    private boolean held;
    private boolean overtaken;

    private PowerPlot(Simulation simulation, Plot plot, Supplier<Protocol> protocol) {
        super(simulation, 2, adversary(plot), protocol, Cuts.NOTHING_SURVIVES);
        this.plot = plot;
    }

    private static Adversary adversary(Plot plot) {
        return plot == Plot.KEPT_APART ? Adversary.NONE.withJournals(0) : Adversary.NONE.withPersistence(0);
    }

    /** Plays it; null if the victim ended before it got to its verb. */
    static ClusterReport play(Plot plot, Death victim, Supplier<Protocol> protocol) {
        try (Simulation simulation = new Simulation(1)) {
            PowerPlot stage = new PowerPlot(simulation, plot, protocol);
            return stage.play(victim) ? stage.report : null;
        } catch (RuntimeException e) {
            throw new ClusterFailure("plot=" + plot + " victim=" + victim + ": " + e.getMessage(), e);
        }
    }

    private boolean play(Death victim) {
        load(false);
        boolean died =
                switch (plot) {
                    case OVERTAKEN -> overtaken(victim, (on, node) -> Cuts.onlyMark(on, node, table, a[0]));
                    case OVERTAKEN_AND_RECOVERED -> overtaken(victim, null) && inherited(a[0]);
                    case RECOVERED -> dies(victim, null, a[0], b[0]) && inherited(a[0], b[0]);
                    case BURIED -> buried(victim);
                    case KEPT_APART -> keptApart(victim);
                    case LOGS_ARE_LOST -> dies(victim, Cuts.LOGS_ARE_LOST, a[0], b[0]);
                    // One key: a FLUSH for the backup of another would flush the primary beside it.
                    case PRIMARIES_ARE_LOST -> dies(victim, Cuts.PRIMARIES_ARE_LOST, a[0]);
                };
        if (died) end();
        return died;
    }

    // ---- the plots

    private boolean overtaken(Death victim, Cut how) {
        strand("rival", () -> {
            while (!held && !machine("v").isDead()) Waiting.pause(100);
            if (!held) return;
            Tidepool pool = open(fabric);
            write(pool, "rival", a[0]);
            pool.close();
            overtaken = true;
        });
        return dies(victim, how, a[0]);
    }

    /** Somebody recovers the dead one, reads what it wrote, and goes on. */
    private boolean inherited(long... keys) {
        strand("heir", () -> {
            Tidepool pool = open(fabric);
            pool.recoverAll();
            read(pool, "heir", keys);
            for (int i = 0; i < 3; i++) write(pool, "heir", a[1]);
        });
        simulation.run();
        cutPower();
        return true;
    }

    private boolean keptApart(Death victim) {
        if (!dies(victim, null, a[0], b[0])) return false;
        strand("heir", () -> {
            Tidepool pool = open(fabric);
            pool.recoverAll();
            read(pool, "heir", a[0], b[0]);
        });
        simulation.run();
        cutPower((on, node) -> on.failPower(node, (region, line) -> node == 0));
        return true;
    }

    private boolean buried(Death victim) {
        strand("first", () -> write(open(fabric), "first", a[0], b[0]));
        simulation.run();
        strand("second", () -> {
            Tidepool pool = open(fabric);
            write(pool, "second", a[0]);
            for (int i = 0; i < 2; i++) write(pool, "second", a[1]);
        });
        simulation.run();
        return dies(victim, (on, node) -> Cuts.onlyMark(on, node, table, a[0]), a[0]);
    }

    // ---- the parts

    /**
     * Writes the keys, and reads them, on a machine that dies at one of its verbs; false if it did not.
     *
     * @param how the power fails then; null if it does not
     */
    private boolean dies(Death death, Cut how, long... keys) {
        boolean stops = plot == Plot.OVERTAKEN || plot == Plot.OVERTAKEN_AND_RECOVERED;
        Machine machine = machine("v");
        simulation.crashMachineOf("victim", death.verb(), death.when());
        simulation.start(machine, "opener", () -> {
            Tidepool pool = open(stops ? new Stopping(fabric) : fabric);
            // So that every verb of the victim's strand is one of its transactions; who is overtaken comes upon its
            // key.
            if (stops) read(pool, "opener", b[1]);
            else read(pool, "opener", keys);
            simulation.start(machine, "victim", () -> {
                begun = true;
                write(pool, "victim", keys);
                read(pool, "victim", keys); // who dies here has reported
                Waiting.pause(MOMENT_NANOS); // what is in the background ends
                over = true;
            });
        });
        strand("watcher", () -> {
            while (!machine.isDead() && !over) Waiting.pause(100);
            Waiting.pause(MOMENT_NANOS);
        });
        simulation.run();
        if (!machine.isDead() || over) return false;
        if (how != null) cutPower(how);
        return true;
    }

    private void read(Tidepool pool, String who, long... keys) {
        run(pool, who, Kind.READ, keys);
    }

    private void write(Tidepool pool, String who, long... keys) {
        run(pool, who, Kind.UPDATE, keys);
    }

    private void run(Tidepool pool, String who, Kind kind, long... keys) {
        List<Step> steps = new ArrayList<>();
        for (long key : keys) steps.add(new Step(kind, key, false));
        workload(pool, who).run(steps, false);
    }

    /** Holds up the first round with a lock in it until the rival is done. */
    private final class Stopping extends FilterFabric {
        Stopping(Fabric inner) {
            super(inner);
        }

        @Override
        protected FilterLane newLane(FilterSession session, Lane lane) {
            return new FilterLane(session, lane) {
                @Override
                protected void post(Round round) {
                    if (begun && !held && locks(round)) {
                        held = true;
                        while (!overtaken) Waiting.pause(100);
                    }
                    super.post(round);
                }
            };
        }

        private static boolean locks(Round round) {
            for (int i = 0; i < round.count(); i++) if (round.verb(i).kind() == VerbKind.CAS) return true;
            return false;
        }
    }
}
