package tidepool.evidence.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.RandomTxns.Kind;
import tidepool.clusters.RandomTxns.Op;
import tidepool.contracts.broken.FilterFabric;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.fabric.VerbKind;
import tidepool.protocol.Protocol;
import tidepool.sim.Adversary;
import tidepool.sim.Machine;
import tidepool.sim.Simulation;

/**
 * Several machines, step by step, on a network without faults: one machine dies at one of its verbs, and exactly those
 * lines survive the loss of power that matter. Random seeds do not reach these states, in any number.
 */
final class PowerPlot extends PowerStage {
    /** The plots. */
    enum Plot {
        /**
         * Between a writer's read of a record and its lock another client writes the record and ends. The value that
         * the writer has read is not the one that it overwrites. The power fails when its mark has landed and its value
         * has not.
         */
        OVERTAKEN,

        /**
         * As {@link #OVERTAKEN}, but the power fails later: a client recovers the writer, whose log may have an
         * outdated image.
         */
        OVERTAKEN_AND_RECOVERED,

        /**
         * A writer of two records dies. Another client recovers it, reads both, and writes elsewhere, so often that
         * nothing is left of the dead one's logs. Then the power fails, and no line survives that was not flushed.
         */
        RECOVERED,

        /**
         * One client writes two records, a second one overwrites one of them and forgets its log, a third one tears
         * that record. The third one's mark survives. The first one's log still exists, and does not know the later
         * writers.
         */
        BURIED,

        /**
         * Interleaving 12, the first half: all data that was written survives, and no log that was written before it.
         */
        LOGS_ARE_LOST,

        /**
         * Interleaving 12, the second half: primaries, which are not flushed, fall back; recovery must not trust them.
         */
        PRIMARIES_ARE_LOST,

        /**
         * Nodes keep journals. A writer of two records dies, another client recovers it and reads both. Then the power
         * fails. The first node has kept everything. The second has kept only what was flushed, and so a log that the
         * first has no longer.
         */
        KEPT_APART
    }

    /** Long enough for everything that was posted to land. */
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

    /** Runs a plot. Returns null if the victim ended before its verb. */
    static ClusterReport play(Plot plot, Death victim, Supplier<Protocol> protocol) {
        Simulation simulation = new Simulation(1);
        try (simulation) {
            PowerPlot stage = new PowerPlot(simulation, plot, protocol);
            return stage.play(victim) ? stage.report : null;
        } catch (RuntimeException e) {
            throw new ClusterFailure(
                    "plot=" + plot + " victim=" + victim + CrashPlaces.of(simulation, "victim") + ": " + e.getMessage(),
                    e);
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
                    // One key: a FLUSH for the backup of another would flush the primary on the same node.
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

    /** Recovers the dead client, reads what it wrote, and goes on. */
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

    // ---- parts of plots

    /**
     * Writes the keys, and reads them, on a machine that dies at one of its verbs. Returns false if it did not die.
     *
     * @param how the power fails then; null if it does not
     */
    private boolean dies(Death death, Cut how, long... keys) {
        boolean stops = plot == Plot.OVERTAKEN || plot == Plot.OVERTAKEN_AND_RECOVERED;
        Machine machine = machine("v");
        simulation.crashMachineOf("victim", death.verb(), death.when());
        simulation.start(machine, "opener", () -> {
            Tidepool pool = open(stops ? new Stopping(fabric) : fabric);
            // So that every verb of the victim's strand is one of its transactions. A client that is to be overtaken
            // has not read its key before.
            if (stops) read(pool, "opener", b[1]);
            else read(pool, "opener", keys);
            simulation.start(machine, "victim", () -> {
                begun = true;
                write(pool, "victim", keys);
                read(pool, "victim", keys); // if it dies here it has reported
                Waiting.pause(MOMENT_NANOS); // background rounds end
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
        List<Op> ops = new ArrayList<>();
        for (long key : keys) ops.add(new Op(kind, key, false));
        workload(pool, who).run(ops, false);
    }

    /** Holds back the first round with a lock in it until the rival has ended. */
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
