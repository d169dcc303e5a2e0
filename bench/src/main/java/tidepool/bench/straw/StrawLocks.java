package tidepool.bench.straw;

import java.util.Arrays;
import tidepool.base.Checks;

/**
 * The locks of one transaction. Those that are asked for together are taken in their order, and waited for; one that comes
 * before a lock which is held already is only tried: who waits therefore holds only locks that come before the one it
 * waits for, and nobody waits in a circle.
 */
final class StrawLocks {
    private final StrawStore store;
    private final int[] held;
    private final int[] asked;
    private int heldCount;
    private int askedCount;
    private int highest = -1;

    StrawLocks(StrawStore store, int most) {
        this.store = store;
        this.held = new int[most];
        this.asked = new int[most];
    }

    /** Asks for the lock of a stripe, unless it is held already. */
    void ask(int stripe) {
        if (!store.lock(stripe).isHeldByCurrentThread()) asked[askedCount++] = stripe;
    }

    /** Takes what was asked for. Waits. False if one could not be waited for; what was taken is then still held. */
    boolean take() {
        int count = askedCount;
        askedCount = 0;
        if (count > 1) Arrays.sort(asked, 0, count);
        int before = -1;
        for (int i = 0; i < count; i++) {
            int stripe = asked[i];
            if (stripe == before) continue;
            before = stripe;
            if (stripe > highest) {
                store.lock(stripe).lock();
                highest = stripe;
            } else if (!store.lock(stripe).tryLock()) {
                return false;
            }
            held[heldCount++] = stripe;
        }
        return true;
    }

    /** Frees all. */
    void free() {
        for (int i = 0; i < heldCount; i++) store.lock(held[i]).unlock();
        heldCount = 0;
        highest = -1;
    }

    void begin() {
        Checks.invariant(heldCount == 0, "a transaction begins without locks");
        askedCount = 0;
    }
}
