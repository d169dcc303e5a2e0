package tidepool.sim;

import java.util.Arrays;

/**
 * A virtual core: one strand runs at a time, the other ready strands queue. A turn takes the CPU time that the strand
 * was charged, so waits overlap and CPU does not.
 */
final class Core extends Event {
    final Machine machine;
    private final Simulation simulation;
    private SimStrand[] ready = new SimStrand[16];
    private int head;
    private int count;
    private long freeAtNanos;
    private boolean turnScheduled;

    /** A strand that continues to compute: it keeps the core. */
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

    /** Runs a turn: the next strand runs until it waits. */
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
        SimStrand bursting = simulation.bursts().bursting();
        if (bursting != null && !isReady(bursting)) {
            simulation.bursts().holdBack(this);
            return;
        }
        SimStrand next = take(bursting);
        turnScheduled = true; // strands that become ready meanwhile wait for the end of this turn
        long usedNanos = simulation.runTurn(next);
        busyUntil(simulation.eventNanos() + usedNanos);
        turnScheduled = false;
        if (isWanted()) scheduleTurn();
    }

    /** Called when the burst of another strand is over. */
    void goOn() {
        if (!turnScheduled && isWanted()) scheduleTurn();
    }

    /** Returns whether the strand could run here now. */
    boolean isReady(SimStrand strand) {
        return continuing == strand || placeOf(strand) < count;
    }

    private int placeOf(SimStrand strand) {
        int place = 0;
        while (place < count && ready[(head + place) & (ready.length - 1)] != strand) place++;
        return place;
    }

    private boolean isWanted() {
        return count > 0 || continuing != null;
    }

    private void scheduleTurn() {
        turnScheduled = true;
        if (freeAtNanos <= simulation.eventNanos()) simulation.runSoon(this);
        else simulation.schedule(this, freeAtNanos, 0);
    }

    /** Removes and returns the next strand; the strand of the current burst, if there is one. */
    private SimStrand take(SimStrand bursting) {
        if (continuing != null) {
            SimStrand strand = continuing;
            continuing = null;
            return strand;
        }
        if (bursting != null) bringForward(placeOf(bursting));
        else if (count > 1 && simulation.shufflesStrands()) bringForward(simulation.choose(count));
        SimStrand strand = ready[head];
        ready[head] = null;
        head = (head + 1) & (ready.length - 1);
        count--;
        return strand;
    }

    private void bringForward(int chosen) {
        int at = (head + chosen) & (ready.length - 1);
        SimStrand swapped = ready[at];
        ready[at] = ready[head];
        ready[head] = swapped;
    }

    private void grow() {
        SimStrand[] larger = Arrays.copyOf(ready, 2 * count);
        for (int i = 0; i < count; i++) larger[i] = ready[(head + i) & (count - 1)];
        ready = larger;
        head = 0;
    }
}
