package tidepool.protocol.hdtx;

import java.util.Arrays;
import tidepool.store.Pointer;

/**
 * What the last attempts of a coordinator have failed to read, because others held or changed it: the next attempt locks it, and so
 * stands in its line. Where a line is never empty, an object is never free at the moment of a look, and whoever does not stand there
 * reads nothing. Only a few are remembered, until something commits; to forget one costs an attempt.
 */
final class HotReads {
    private static final int MOST = 8;

    private final long[] pointers = new long[MOST];
    private int next;
    private boolean any;

    HotReads() {
        forget();
    }

    void add(long pointer) {
        if (contains(pointer)) return;
        pointers[next] = pointer;
        next = (next + 1) % MOST;
        any = true;
    }

    boolean contains(long pointer) {
        if (!any) return false;
        for (long known : pointers) if (known == pointer) return true;
        return false;
    }

    void forget() {
        any = false;
        Arrays.fill(pointers, Pointer.NOWHERE);
    }
}
