package tidepool.check.simulation;

import tidepool.base.Randomness;
import tidepool.base.Strand;
import tidepool.base.Waiting;
import tidepool.fabric.sim.Machine;

/**
 * Sees to it that the work goes on: revokes the sessions of strands that died, everywhere, and only then starts others in
 * their place. It posts no verbs, so nothing makes it die. Where faults are suspicious it also takes the living for dead:
 * it pauses machines and revokes sessions whose strands are still at work.
 */
final class Warden {
    private static final long ROUND_NANOS = 30_000;
    private static final int MACHINES = 3;
    private static final int CORES = 4;

    private final World world;
    private final Randomness random;
    private final Machine[] machines = new Machine[MACHINES];
    private int machinesMade;

    Warden(World world) {
        this.world = world;
        this.random = world.simulation.randomness("warden");
        for (int i = 0; i < MACHINES; i++) machines[i] = newMachine();
    }

    void startAll() {
        for (Slot slot : world.slots) start(slot);
        world.simulation.start(world.simulation.machine("warden", 1), "warden", this::watch);
    }

    private void watch() {
        while (true) {
            boolean busy = false;
            for (Slot slot : world.slots) {
                if (slot.hasDied()) replace(slot);
                busy |= !slot.finished;
            }
            if (!busy) return;
            if (world.options.faults().suspicious()) suspect();
            Waiting.pause(ROUND_NANOS);
        }
    }

    private void replace(Slot slot) {
        if (slot.session != null) {
            world.revoke(slot.session.number());
            world.forget(slot.session.number());
            slot.revoked();
        }
        slot.lives++;
        start(slot);
    }

    private void start(Slot slot) {
        int place = slot.index % MACHINES;
        if (machines[place].isDead()) machines[place] = newMachine();
        slot.strand = world.simulation.start(
                machines[place], "strand-" + slot.index + "." + slot.lives, new Worker(slot)::run);
    }

    private Machine newMachine() {
        return world.simulation.machine("machine-" + machinesMade++, CORES);
    }

    private void suspect() {
        if (random.nextInt(40) != 0) return;
        if (random.nextBoolean()) {
            machines[random.nextInt(MACHINES)].pause(10_000 + random.nextLong(1_000_000));
            return;
        }
        Slot victim = world.slots[random.nextInt(world.slots.length)];
        Strand strand = victim.strand;
        if (victim.session != null && !victim.finished && !strand.isDone()) world.revoke(victim.session.number());
    }
}
