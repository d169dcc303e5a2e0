package tidepool.fabric.sim;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Randomness;

/**
 * The bursts of a bursty run: one strand makes 1 to 16 steps in a row, and the cores of all other strands stand still
 * meanwhile. A step is a turn, from one wait to the next. Verbs that are under way go on.
 *
 * <p>An even run makes every strand about as fast as every other one. A burst is what a scheduler of an operating system
 * does: a strand stops anywhere, and another one finishes whole transactions before it goes on.
 *
 * <p>A burst ends early if its strand ends or waits for something else than a round, because other strands may have to
 * act first; and after {@link #MOST_NANOS}, because an answer may never come.
 */
final class Bursts {
    static final int MOST_STEPS = 16;

    /** Longer than 16 rounds usually take, shorter than any deadline of a verb. */
    static final long MOST_NANOS = 200_000;

    /** One of so many turns outside of a burst begins one; so verbs of different strands still overlap. */
    private static final int TURNS_PER_BURST = 4;

    private final Simulation simulation;

    /** Apart from all other randomness: an even run draws nothing, and is what it was without bursts. */
    private final Randomness random;

    private final List<Core> heldBack = new ArrayList<>();
    private boolean on;
    private SimStrand bursting;
    private int stepsMade;
    private int stepsLeft;
    private long untilNanos;

    Bursts(Simulation simulation, Randomness random) {
        this.simulation = simulation;
        this.random = random;
    }

    /** Draws whether this run is bursty. */
    void draw(int perMillion) {
        on = random.nextInt(Adversary.MILLION) < perMillion;
    }

    /** The strand whose burst lasts; null between bursts. */
    SimStrand bursting() {
        return bursting;
    }

    /** A strand is about to run. */
    void begin(SimStrand strand) {
        if (!on || bursting != null || random.nextInt(TURNS_PER_BURST) != 0) return;
        bursting = strand;
        stepsMade = 0;
        stepsLeft = 1 + random.nextInt(MOST_STEPS);
        untilNanos = simulation.eventNanos() + MOST_NANOS;
    }

    /** A strand has run. */
    void stepped(SimStrand strand) {
        if (strand != bursting) return;
        boolean goesOn = strand.awaiting != null || strand.core.isReady(strand);
        if (++stepsMade == 2) simulation.reached(Reach.BURST);
        if (stepsMade == MOST_STEPS) simulation.reached(Reach.LONGEST_BURST);
        if (--stepsLeft == 0 || !goesOn) end();
    }

    void ended(SimStrand strand) {
        if (strand == bursting) end();
    }

    /** Whether a burst lasts that ends before the next event. */
    boolean endsBefore(long nextNanos) {
        return bursting != null && nextNanos > untilNanos;
    }

    /** A core whose turn it would be stands still until the burst is over. */
    void holdBack(Core core) {
        if (!heldBack.contains(core)) heldBack.add(core);
    }

    /** The burst is over: the cores that stood still go on in the order in which they were stopped. */
    void end() {
        bursting = null;
        for (int i = 0; i < heldBack.size(); i++) heldBack.get(i).goOn();
        heldBack.clear();
    }
}
