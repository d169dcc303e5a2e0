package tidepool.check.litmus;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import tidepool.base.Strand;
import tidepool.base.Waiting;
import tidepool.base.Words;

/**
 * Words that the parts share beside the pool: who is ready, whose turn it is, who has ended. Each round has its own, all
 * zero when it begins. Machines of a simulation share an array, processes a mapped file.
 */
final class Board {
    /** The most rounds that are played in one go. */
    static final int ROUNDS = 1024;

    /** How many parts have come to this round. */
    static final int READY = 0;
    /** How many parts have come to its curtain. */
    static final int CURTAIN = 1;
    /** The step of the plan that is being carried out. */
    static final int TURN = 2;
    /** In the first round: somebody failed, and nobody waits any more. */
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

    /** The turn goes to the next step, unless somebody has passed it on already. */
    void pass(int round, long step) {
        Words.compareAndSwap(words, at(round, TURN), step, step + 1);
    }

    /** The part has ended its round, or has died in it. */
    void over(int round, int part) {
        set(round, OVER + part, 1);
    }

    boolean isOver(int round, int part) {
        return get(round, OVER + part) != 0;
    }

    /** A part has failed; the others leave when they would wait. */
    void fail() {
        set(0, FAILED, 1);
    }

    /**
     * One turn of a loop that waits for another part.
     *
     * @param turns how many there were before
     */
    void pause(int turns) {
        if (get(0, FAILED) != 0) throw new Left();
        if (Strand.current() != null) Waiting.pause(PAUSE_NANOS);
        else if (turns < SPINS) Thread.onSpinWait();
        else LockSupport.parkNanos(SLEEP_NANOS);
    }

    /** Zeros, for the next rounds; nobody is playing. */
    void clear() {
        words.fill((byte) 0);
    }

    private static long at(int round, int word) {
        return ((long) round * WORDS + word) * Words.BYTES;
    }

    /** Another part has failed, so there is no use in going on. */
    static final class Left extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Left() {
            super("another part failed");
        }
    }
}
