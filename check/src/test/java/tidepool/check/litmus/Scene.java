package tidepool.check.litmus;

import java.util.List;

/**
 * A small program of several parts, the outcomes that it must never have, and the condition under which a round of it was
 * worth playing. It knows no protocol and no fabric.
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

    /** Puts the keys of the round in place; nobody else is there. */
    public abstract void prepare(Part steward);

    /** Plays one part. Comes to the curtain once. */
    public abstract void play(Part part);

    /** Notes what is left when all parts have ended. */
    public void end(Part steward) {}

    /** Throws {@link Forbidden} if this must not be; otherwise whether the parts really met. */
    public abstract boolean judge(Played round);

    /** The plans that try this scene at every angle, given how many verbs each part posts when it comes first. */
    public List<Plan> schedule(long[] verbs) {
        return parts == 2 ? Plans.pairs(verbs) : Plans.random(verbs, 200);
    }

    /** The same, fewer, for a world in which verbs do not fly and a part that dies is a process to be started again. */
    public List<Plan> scheduleForProcesses(long[] verbs) {
        return Plans.some(schedule(verbs), 150);
    }

    /** Whether processes play it. */
    public boolean isForProcesses() {
        return true;
    }

    /** Whether its parts meet often enough by chance to be asked for it. */
    public boolean meetsByChance() {
        return !isMortal();
    }

    /** Whether its plans kill parts: then it is played only by plan, and each round in a pool of its own. */
    public boolean isMortal() {
        return false;
    }

    /** The most rounds that are played in one go. */
    public int mostRounds() {
        return Board.ROUNDS;
    }

    /** For {@link #prepare}: these keys of the round have this value. */
    protected static void put(Part steward, long value, int... keys) {
        steward.transact(tx -> {
            for (int i : keys) steward.rows().put(tx, Row.of(steward.key(i), value));
        });
    }

    /** For {@link #end}: notes the values of x and y, the first two keys of the round. */
    protected static void noteXAndY(Part steward) {
        steward.transact(tx -> {
            steward.note("x", steward.get(tx, steward.key(0)));
            steward.note("y", steward.get(tx, steward.key(1)));
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
