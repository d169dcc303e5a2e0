package tidepool.fabric.sim;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Checks;

/** A compute machine: cores that strands queue at, and one NIC that they share. It can be paused, and it can die. */
public final class Machine {
    private static final long ALIVE = Long.MAX_VALUE;

    private final Simulation simulation;
    private final int number;
    private final String name;
    private final Core[] cores;
    private int nextCore;

    /** The strands that ever started here, in that order. */
    final List<SimStrand> strands = new ArrayList<>();

    final Pipe engine = new Pipe();
    final Pipe outgoing = new Pipe();
    final Pipe incoming = new Pipe();

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

    /** Counted from 0 in the order of making. */
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
     * The machine dies now: none of its strands runs on, nothing that its NIC still holds back is sent. What was sent is
     * under way, and lands until its session is revoked.
     */
    public void crash() {
        if (isDead()) return;
        diedAtNanos = simulation.nowNanos();
        simulation.machineDied(this);
    }

    /** Its strands stand still for so long, and then go on as if nothing had been: a stopped process, a long collection. */
    public void pause(long nanos) {
        if (isDead()) return;
        simulation.reached(Reach.MACHINE_PAUSED);
        pausedSinceNanos = simulation.nowNanos();
        long until = pausedSinceNanos + nanos;
        for (Core core : cores) core.busyUntil(until);
        simulation.at(until, () -> pausedSinceNanos = ALIVE);
    }

    /** Whether somebody who watches its lease takes it for dead: rightly, or because it was paused too long. */
    boolean seemsDead(long leaseNanos) {
        long silentSince = Math.min(diedAtNanos, pausedSinceNanos);
        return silentSince != ALIVE && simulation.nowNanos() - silentSince >= leaseNanos;
    }

    /** New strands go to the cores in turn. */
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
