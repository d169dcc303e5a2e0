package tidepool.evidence.litmus;

import tidepool.base.Randomness;
import tidepool.base.Strand;
import tidepool.base.Waiting;

/**
 * The control point before every verb that a part posts, from the barrier of a round to its end. It carries out the
 * plan: makes the part wait for its turn, pause, or die. Protocols do not know of it, so one plan applies to all of
 * them.
 */
final class Gate {
    /** Longer than a verb takes in a network without the adversary. */
    private static final long SETTLE_NANOS = 20_000;

    /** After this number of verbs in one turn, the part is taken to wait for another part that is not running. */
    private static final long STUCK_VERBS = 160;

    private static final int DAWDLES = 3;
    private static final int DAWDLE_VERBS = 24;
    private static final int DAWDLE_NANOS = 8_000;

    private final Board board;
    private final int part;
    private final Runnable death;
    private final long[] dawdleAt = new long[DAWDLES];
    private final int[] dawdleNanos = new int[DAWDLES];
    private Plan plan;
    private int round;
    private boolean up;
    private boolean off;
    private long verbs;
    private long lastStep;
    private long stepBegan;

    Gate(Board board, int part, Runnable death) {
        this.board = board;
        this.part = part;
        this.death = death;
    }

    /** Called at the barrier: from here on verbs count. */
    void raise(int newRound, Plan newPlan) {
        round = newRound;
        plan = newPlan;
        verbs = 0;
        lastStep = -1;
        stepBegan = 0;
        Randomness random = new Randomness(plan.jitter()).fork("part " + part);
        for (int i = 0; i < DAWDLES; i++) {
            dawdleAt[i] = plan.jitter() == 0 ? -1 : random.nextInt(DAWDLE_VERBS);
            dawdleNanos[i] = 1 + random.nextInt(DAWDLE_NANOS);
        }
        up = true;
    }

    /** Called when the part has played its round. */
    void lower() {
        up = false;
    }

    long verbs() {
        return verbs;
    }

    /**
     * Runs an action whose verbs do not count, because the clock is no part of the scene. It still waits for its turn.
     */
    void aside(Runnable what) {
        awaitTurn();
        off = true;
        try {
            what.run();
        } finally {
            off = false;
        }
    }

    // ---- before each verb

    /** Whether the part has to stop before the next verb. */
    boolean stops() {
        if (!up || off) return false;
        return !mayRun() || dawdles() > 0;
    }

    /** Pauses, and waits for the turn of the part. */
    void stop() {
        int nanos = dawdles();
        if (nanos > 0) Waiting.pause(nanos);
        awaitTurn();
    }

    /** Waits until the part may run. */
    void awaitTurn() {
        for (int turns = 0; up; turns++) {
            long step = board.get(round, Board.TURN);
            if (step >= plan.turns().size()) return;
            Plan.Turn turn = plan.turns().get((int) step);
            if (turn.part() == part) {
                if (mayRun(step, turn)) return;
                passOn(step);
            } else if (board.isOver(round, turn.part())) {
                board.pass(round, step);
            } else {
                board.pause(turns);
            }
        }
    }

    /** Whether the next verb is one that the plan delays. */
    boolean flies() {
        return up && !off && plan.flies(part, verbs);
    }

    /** Called when the verb is posted. */
    void passed() {
        if (up && !off) verbs++;
    }

    /** Whether the part dies after the verb that was just posted. */
    boolean dies() {
        return up && !off && verbs - 1 == plan.deathOf(part);
    }

    /** Waits until the verbs of the part have landed, then ends everything that it runs. */
    void die() {
        settle();
        death.run();
    }

    private boolean mayRun() {
        long step = board.get(round, Board.TURN);
        if (step >= plan.turns().size()) return true;
        Plan.Turn turn = plan.turns().get((int) step);
        return turn.part() == part && mayRun(step, turn);
    }

    /** Whether the part may continue in its own step: the step is neither over nor stuck. */
    private boolean mayRun(long step, Plan.Turn turn) {
        if (step != lastStep) {
            lastStep = step;
            stepBegan = verbs;
        }
        return verbs < turn.until() && verbs - stepBegan < STUCK_VERBS;
    }

    private void passOn(long step) {
        settle();
        board.pass(round, step);
    }

    private void settle() {
        if (Strand.current() != null) Waiting.pause(SETTLE_NANOS);
    }

    private int dawdles() {
        int nanos = 0;
        for (int i = 0; i < DAWDLES; i++) if (dawdleAt[i] == verbs) nanos += dawdleNanos[i];
        return nanos;
    }
}
