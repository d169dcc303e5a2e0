package tidepool.bench.straw;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import tidepool.base.Checks;

/**
 * The locks of one transaction. Those that are asked for together are taken in their order, and waited for; one that comes
 * before a lock which is held already is only tried: who waits therefore holds only locks that come before the one it
 * waits for, and nobody waits in a circle.
 *
 * <p>Who was refused begins the next attempt with all the locks of the one before, in order. Otherwise two that ask for
 * much in several steps would send each other away again and again.
 */
final class StrawLocks {
    /** Tries before a thread sleeps: to be woken costs more than most transactions take. */
    private static final int TRIES = 20_000;

    /** Tries for a lock that must not be waited for. */
    private static final int TRIES_OUT_OF_ORDER = 50;

    private final StrawStore store;
    private final int[] held;
    private final int[] asked;
    private int heldCount;
    private int askedCount;
    private int highest = -1;

    /** @param most that a transaction holds */
    StrawLocks(StrawStore store, int most) {
        this.store = store;
        this.held = new int[2 * most];
        this.asked = new int[2 * most];
    }

    /** Asks for the lock of a stripe, unless it is held already. */
    void ask(int stripe) {
        if (!store.lock(stripe).isHeldByCurrentThread()) asked[askedCount++] = stripe;
    }

    /** Takes what was asked for. Waits. False if one could not be waited for; what was taken is then still held. */
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

    /** Frees all; the next transaction asks for nothing but its own. */
    void free() {
        for (int i = 0; i < heldCount; i++) store.lock(held[i]).unlock();
        heldCount = 0;
        askedCount = 0;
        highest = -1;
    }

    /** Frees all; the next transaction begins with these locks and those that were refused. */
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
