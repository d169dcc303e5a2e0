package tidepool.sim;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Randomness;

/**
 * The bursts of a bursty run: one strand makes 1 to 16 steps in a row, and the cores of all other strands stand still
 * meanwhile. A step is a turn, from one wait to the next. Verbs that are under way continue.
 *
 * <p>In an even run all strands are about equally fast. A burst does what the scheduler of an operating system does: a
 * strand stops anywhere, and another one finishes whole transactions before it continues.
 *
 * <p>A burst ends early if its strand ends or waits for something else than a round, because other strands may have to
 * act first. It also ends after {@link #MAX_NANOS}, because an answer may never come.
 */
final class Bursts {
    static final int MAX_STEPS = 16;

    /** Longer than 16 rounds usually take, shorter than any deadline of a verb. */
    static final long MAX_NANOS = 200_000;

    /**
     * One in {@code TURNS_PER_BURST} turns outside of a burst begins one, so verbs of different strands still overlap.
     */
    private static final int TURNS_PER_BURST = 4;

    private final Simulation simulation;

    /** Separate from all other randomness. An even run draws nothing from it, and equals a run without bursts. */
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

    /** Returns the strand of the current burst; null between bursts. */
    SimStrand bursting() {
        return bursting;
    }

    /** Called when a strand is about to run. */
    void begin(SimStrand strand) {
        if (!on || bursting != null || random.nextInt(TURNS_PER_BURST) != 0) return;
        bursting = strand;
        stepsMade = 0;
        stepsLeft = 1 + random.nextInt(MAX_STEPS);
        untilNanos = simulation.eventNanos() + MAX_NANOS;
    }

    /** Called when a strand has run. */
    void stepped(SimStrand strand) {
        if (strand != bursting) return;
        boolean goesOn = strand.awaiting != null || strand.core.isReady(strand);
        if (++stepsMade == 2) simulation.coverage(CoveragePoint.BURST);
        if (stepsMade == MAX_STEPS) simulation.coverage(CoveragePoint.LONGEST_BURST);
        if (--stepsLeft == 0 || !goesOn) end();
    }

    void ended(SimStrand strand) {
        if (strand == bursting) end();
    }

    /** Returns whether the current burst, if any, ends before the next event. */
    boolean endsBefore(long nextNanos) {
        return bursting != null && nextNanos > untilNanos;
    }

    /** Called by a core that has its turn during a burst; it stands still until the burst is over. */
    void holdBack(Core core) {
        if (!heldBack.contains(core)) heldBack.add(core);
    }

    /** Ends the burst. The cores that stood still continue in the order in which they were stopped. */
    void end() {
        bursting = null;
        for (int i = 0; i < heldBack.size(); i++) heldBack.get(i).goOn();
        heldBack.clear();
    }
}
