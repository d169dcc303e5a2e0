package tidepool.fabric.sim;

import java.util.Arrays;

/**
 * A virtual core: one strand runs at a time, the others that are ready queue. Running takes the CPU that the strand was
 * charged, so waits overlap and CPU does not.
 */
final class Core extends Event {
    final Machine machine;
    private final Simulation simulation;
    private SimStrand[] ready = new SimStrand[16];
    private int head;
    private int count;
    private long freeAtNanos;
    private boolean turnScheduled;

    /** A strand that goes on computing: it keeps the core. */
    private SimStrand continuing;

    Core(Simulation simulation, Machine machine) {
        super(simulation);
        this.simulation = simulation;
        this.machine = machine;
    }

    void enqueue(SimStrand strand) {
        if (count == ready.length) grow();
        ready[(head + count++) & (ready.length - 1)] = strand;
        if (!turnScheduled) scheduleTurn();
    }

    void continueWith(SimStrand strand) {
        continuing = strand;
    }

    void busyUntil(long nanos) {
        freeAtNanos = Math.max(freeAtNanos, nanos);
    }

    /** A turn: the next strand runs until it waits. */
    @Override
    void happen(int tag) {
        turn();
    }

    void turn() {
        turnScheduled = false;
        if (freeAtNanos > simulation.eventNanos()) { // paused meanwhile
            scheduleTurn();
            return;
        }
        if (!isWanted()) return;
        SimStrand next = take();
        turnScheduled = true; // whoever becomes ready meanwhile waits for the end of this turn
        long usedNanos = simulation.runTurn(next);
        busyUntil(simulation.eventNanos() + usedNanos);
        turnScheduled = false;
        if (isWanted()) scheduleTurn();
    }

    private boolean isWanted() {
        return count > 0 || continuing != null;
    }

    private void scheduleTurn() {
        turnScheduled = true;
        if (freeAtNanos <= simulation.eventNanos()) simulation.runSoon(this);
        else simulation.schedule(this, freeAtNanos, 0);
    }

    private SimStrand take() {
        if (continuing != null) {
            SimStrand strand = continuing;
            continuing = null;
            return strand;
        }
        if (count > 1 && simulation.shufflesStrands()) {
            int chosen = simulation.choose(count);
            int at = (head + chosen) & (ready.length - 1);
            SimStrand swapped = ready[at];
            ready[at] = ready[head];
            ready[head] = swapped;
        }
        SimStrand strand = ready[head];
        ready[head] = null;
        head = (head + 1) & (ready.length - 1);
        count--;
        return strand;
    }

    private void grow() {
        SimStrand[] larger = Arrays.copyOf(ready, 2 * count);
        for (int i = 0; i < count; i++) larger[i] = ready[(head + i) & (count - 1)];
        ready = larger;
        head = 0;
    }
}
