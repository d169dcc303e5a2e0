package tidepool.evidence.litmus;

import java.util.List;

/**
 * A small program of several parts, with the outcomes that it must never have and the condition under which a round
 * counts. It knows no protocol and no fabric.
 */
public abstract class Scene {
    private final String name;
    private final int parts;

    protected Scene(String name, int parts) {
        this.name = name;
        this.parts = parts;
    }

    public final String name() {
        return name;
    }

    public final int parts() {
        return parts;
    }

    /** Writes the initial keys of the round; no part runs yet. */
    public abstract void prepare(Part examiner);

    /** Plays one part, which passes {@link Part#barrier} once. */
    public abstract void play(Part part);

    /** Notes the final state after all parts have ended. */
    public void end(Part examiner) {}

    /** Throws {@link Forbidden} if the outcome must not occur. Otherwise returns whether the parts really met. */
    public abstract boolean judge(Played round);

    /** Returns the plans that cover this scene, given how many verbs each part posts when it comes first. */
    public List<Plan> schedule(long[] verbs) {
        return parts == 2 ? Plans.pairs(verbs) : Plans.random(verbs, 200);
    }

    /**
     * Returns fewer plans, for a world in which verbs are not delayed and a dead part is a process to be started again.
     */
    public List<Plan> scheduleForProcesses(long[] verbs) {
        return Plans.some(schedule(verbs), 150);
    }

    /** Whether processes play it. */
    public boolean isForProcesses() {
        return true;
    }

    /** Whether its parts must meet in a minimum of rounds by chance. */
    public boolean meetsByChance() {
        return !isMortal();
    }

    /** Whether its plans kill parts. It is then played only by plan, and each round in a pool of its own. */
    public boolean isMortal() {
        return false;
    }

    /** Returns the maximum number of rounds that are played in one call. */
    public int maxRounds() {
        return Board.ROUNDS;
    }

    /** For {@link #prepare}: puts this value at these keys of the round. */
    protected static void put(Part examiner, long value, int... keys) {
        examiner.transact(tx -> {
            for (int i : keys) examiner.rows().put(tx, Row.of(examiner.key(i), value));
        });
    }

    /** For {@link #end}: notes the values of x and y, the first two keys of the round. */
    protected static void noteXAndY(Part examiner) {
        examiner.transact(tx -> {
            examiner.note("x", examiner.get(tx, examiner.key(0)));
            examiner.note("y", examiner.get(tx, examiner.key(1)));
        });
    }

    protected static void forbid(boolean seen, String what) {
        if (seen) throw new Forbidden(what);
    }

    @Override
    public final String toString() {
        return name;
    }
}
