package tidepool.bench.straw;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import tidepool.base.Checks;

/**
 * The locks of one transaction. Locks that are requested together are taken in their order, and waited for. A lock that
 * comes before a lock which is held already is only tried. So a waiting transaction holds only locks that come before
 * the one for which it waits, and there is no deadlock.
 *
 * <p>A refused transaction begins the next attempt with all the locks of the previous one, in order. Otherwise two
 * transactions that request many locks in several steps would refuse each other again and again.
 */
final class StrawLocks {
    /** Tries before a thread sleeps: a wake-up costs more time than most transactions take. */
    private static final int TRIES = 20_000;

    /** Tries for a lock that must not be waited for. */
    private static final int TRIES_OUT_OF_ORDER = 50;

    private final StrawStore store;
    private final int[] held;
    private final int[] asked;
    private int heldCount;
    private int askedCount;
    private int highest = -1;

    /** @param max the highest number of locks of a transaction */
    StrawLocks(StrawStore store, int max) {
        this.store = store;
        this.held = new int[2 * max];
        this.asked = new int[2 * max];
    }

    /** Requests the lock of a stripe, unless it is held already. */
    void ask(int stripe) {
        if (!store.lock(stripe).isHeldByCurrentThread()) asked[askedCount++] = stripe;
    }

    /**
     * Takes the requested locks and waits for them. Returns false if one must not be waited for; those that were taken
     * are then still held.
     */
    boolean take() {
        if (askedCount > 1) Arrays.sort(asked, 0, askedCount);
        int before = -1;
        for (int i = 0; i < askedCount; i++) {
            int stripe = asked[i];
            if (stripe == before) continue;
            before = stripe;
            if (stripe > highest) {
                wait(store.lock(stripe));
                highest = stripe;
            } else if (!tries(store.lock(stripe), TRIES_OUT_OF_ORDER)) {
                return false;
            }
            held[heldCount++] = stripe;
        }
        askedCount = 0;
        return true;
    }

    private static void wait(ReentrantLock lock) {
        if (!tries(lock, TRIES)) lock.lock();
    }

    private static boolean tries(ReentrantLock lock, int times) {
        for (int i = 0; i < times; i++) {
            if (lock.tryLock()) return true;
            Thread.onSpinWait();
        }
        return false;
    }

    /** Releases all locks. The next transaction requests only its own. */
    void free() {
        for (int i = 0; i < heldCount; i++) store.lock(held[i]).unlock();
        heldCount = 0;
        askedCount = 0;
        highest = -1;
    }

    /** Releases all locks. The next transaction begins with these locks and those that were refused. */
    void freeToAskAgain() {
        int again = askedCount;
        for (int i = 0; i < heldCount && again < asked.length / 2; i++) asked[again++] = held[i];
        free();
        askedCount = again;
    }

    void begin() {
        Checks.invariant(heldCount == 0, "a transaction begins without locks");
    }
}
