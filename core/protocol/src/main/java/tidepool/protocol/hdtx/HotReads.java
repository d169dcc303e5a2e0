package tidepool.protocol.hdtx;

import java.util.Arrays;
import tidepool.store.Pointer;

/**
 * The objects that the last attempts of a coordinator have failed to read, because other transactions held or changed
 * them. The next attempt locks them, and so waits in their queues. Where a queue is never empty, the object is never
 * free when it is read, so a reader that does not queue never succeeds. At most {@code MAX_OBJECTS} objects are
 * remembered, until a transaction commits. To forget one costs an attempt.
 */
final class HotReads {
    private static final int MAX_OBJECTS = 8;

    private final long[] pointers = new long[MAX_OBJECTS];
    private int next;
    private boolean any;

    HotReads() {
        forget();
    }

    void add(long pointer) {
        if (contains(pointer)) return;
        pointers[next] = pointer;
        next = (next + 1) % MAX_OBJECTS;
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
