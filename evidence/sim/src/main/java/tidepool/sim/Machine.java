package tidepool.sim;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Checks;

/** A compute machine: cores at which strands queue, and one NIC that they share. It can be paused, and it can die. */
public final class Machine {
    private static final long ALIVE = Long.MAX_VALUE;

    private final Simulation simulation;
    private final int number;
    private final String name;
    private final Core[] cores;
    private int nextCore;

    /** The strands that ever started here, in that order. */
    final List<SimStrand> strands = new ArrayList<>();

    final SerialServer engine = new SerialServer();
    final SerialServer outgoing = new SerialServer();
    final SerialServer incoming = new SerialServer();

    private long diedAtNanos = ALIVE;
    private long pausedSinceNanos = ALIVE;

    Machine(Simulation simulation, int number, String name, int cores) {
        Checks.argument(cores > 0, "a machine has at least one core");
        this.simulation = simulation;
        this.number = number;
        this.name = name;
        this.cores = new Core[cores];
        for (int i = 0; i < cores; i++) this.cores[i] = new Core(simulation, this);
    }

    public String name() {
        return name;
    }

    /** Returns the number of the machine, from 0 in the order of creation. */
    int number() {
        return number;
    }

    public int cores() {
        return cores.length;
    }

    public boolean isDead() {
        return diedAtNanos != ALIVE;
    }

    /**
     * Kills the machine now: none of its strands continues, and verbs that its NIC still holds back are never sent.
     * Verbs that were sent are under way, and land until its session is revoked.
     */
    public void crash() {
        if (isDead()) return;
        diedAtNanos = simulation.nowNanos();
        simulation.machineDied(this);
    }

    /** Stops its strands for a duration. Then they continue unchanged: a stopped process, a long garbage collection. */
    public void pause(long nanos) {
        if (isDead()) return;
        simulation.coverage(CoveragePoint.MACHINE_PAUSED);
        pausedSinceNanos = simulation.nowNanos();
        long until = pausedSinceNanos + nanos;
        for (Core core : cores) core.busyUntil(until);
        simulation.at(until, () -> pausedSinceNanos = ALIVE);
    }

    /** Returns whether an observer of its lease takes it for dead: rightly, or because it was paused too long. */
    boolean seemsDead(long leaseNanos) {
        long silentSince = Math.min(diedAtNanos, pausedSinceNanos);
        return silentSince != ALIVE && simulation.nowNanos() - silentSince >= leaseNanos;
    }

    /** Returns the core of the next new strand; strands are given to the cores in turn. */
    Core nextCore() {
        Core core = cores[nextCore];
        nextCore = (nextCore + 1) % cores.length;
        return core;
    }

    @Override
    public String toString() {
        return name;
    }
}
