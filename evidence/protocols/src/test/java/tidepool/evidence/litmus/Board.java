package tidepool.evidence.litmus;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import tidepool.base.Strand;
import tidepool.base.Waiting;
import tidepool.base.Words;

/**
 * Words that the parts share outside the pool: which parts are ready, whose turn it is, which have ended. Each round
 * has its own words, all zero when it begins. Machines of a simulation share an array, processes a mapped file.
 */
final class Board {
    /** The maximum number of rounds that are played in one call. */
    static final int ROUNDS = 1024;

    /** How many parts have reached this round. */
    static final int READY = 0;
    /** The number of parts that have reached the barrier of this round. */
    static final int CURTAIN = 1;
    /** The step of the plan that is being carried out. */
    static final int TURN = 2;
    /** In the first round: a part has failed, and no part waits any more. */
    private static final int FAILED = 3;

    private static final int OVER = 8;
    private static final int WORDS = 16;

    static final long BYTES = (long) ROUNDS * WORDS * Words.BYTES;

    private static final long PAUSE_NANOS = 500;

    /** A process spins for some microseconds, and then sleeps: there may be more parts than processors. */
    private static final int SPINS = 1_000;

    private static final long SLEEP_NANOS = 20_000;

    private final MemorySegment words;

    Board(MemorySegment words) {
        this.words = words;
    }

    long get(int round, int word) {
        return Words.volatileGet(words, at(round, word));
    }

    void set(int round, int word, long value) {
        Words.volatileSet(words, at(round, word), value);
    }

    void add(int round, int word) {
        Words.fetchAndAdd(words, at(round, word), 1);
    }

    /** Advances the turn to the next step, unless another part has advanced it already. */
    void pass(int round, long step) {
        Words.compareAndSwap(words, at(round, TURN), step, step + 1);
    }

    /** Called when the part has ended its round, or has died in it. */
    void over(int round, int part) {
        set(round, OVER + part, 1);
    }

    boolean isOver(int round, int part) {
        return get(round, OVER + part) != 0;
    }

    /** Called when a part has failed; the others leave where they would wait. */
    void fail() {
        set(0, FAILED, 1);
    }

    /**
     * Performs one iteration of a loop that waits for another part.
     *
     * @param turns how many iterations there were before
     */
    void pause(int turns) {
        if (get(0, FAILED) != 0) throw new Left();
        if (Strand.current() != null) Waiting.pause(PAUSE_NANOS);
        else if (turns < SPINS) Thread.onSpinWait();
        else LockSupport.parkNanos(SLEEP_NANOS);
    }

    /** Sets all words to zero for the next rounds; no part is playing. */
    void clear() {
        words.fill((byte) 0);
    }

    private static long at(int round, int word) {
        return ((long) round * WORDS + word) * Words.BYTES;
    }

    /** Thrown when another part has failed, so that the round cannot continue. */
    static final class Left extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Left() {
            super("another part failed");
        }
    }
}
