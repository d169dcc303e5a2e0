package tidepool.verbs;

import tidepool.base.Randomness;
import tidepool.base.Strand;
import tidepool.base.Waiting;
import tidepool.sim.Machine;

/**
 * Keeps the work going: revokes the sessions of strands that died, everywhere, and only then starts new strands in
 * their place. It posts no verbs, so no fault can kill it. With suspicious faults it also treats live sessions as dead:
 * it pauses machines and revokes sessions whose strands are still at work.
 */
final class Warden {
    private static final long ROUND_NANOS = 30_000;
    private static final int MACHINES = 3;
    private static final int CORES = 4;

    private final RunContext context;
    private final Randomness random;
    private final Machine[] machines = new Machine[MACHINES];
    private int machinesMade;

    Warden(RunContext context) {
        this.context = context;
        this.random = context.simulation.randomness("warden");
        for (int i = 0; i < MACHINES; i++) machines[i] = newMachine();
    }

    void startAll() {
        for (StrandSlot slot : context.slots) start(slot);
        context.simulation.start(context.simulation.machine("warden", 1), "warden", this::watch);
    }

    private void watch() {
        while (true) {
            boolean busy = false;
            for (StrandSlot slot : context.slots) {
                if (slot.hasDied()) replace(slot);
                busy |= !slot.finished;
            }
            if (!busy) return;
            if (context.options.faults().suspicious()) suspect();
            Waiting.pause(ROUND_NANOS);
        }
    }

    private void replace(StrandSlot slot) {
        if (slot.session != null) {
            context.revoke(slot.session.number());
            context.forget(slot.session.number());
            slot.revoked();
        }
        slot.lives++;
        start(slot);
    }

    private void start(StrandSlot slot) {
        int place = slot.index % MACHINES;
        if (machines[place].isDead()) machines[place] = newMachine();
        slot.strand = context.simulation.start(
                machines[place], "strand-" + slot.index + "." + slot.lives, new VerbStrand(slot)::run);
    }

    private Machine newMachine() {
        return context.simulation.machine("machine-" + machinesMade++, CORES);
    }

    private void suspect() {
        if (random.nextInt(40) != 0) return;
        if (random.nextBoolean()) {
            machines[random.nextInt(MACHINES)].pause(10_000 + random.nextLong(1_000_000));
            return;
        }
        StrandSlot victim = context.slots[random.nextInt(context.slots.length)];
        Strand strand = victim.strand;
        if (victim.session != null && !victim.finished && !strand.isDone()) context.revoke(victim.session.number());
    }
}
