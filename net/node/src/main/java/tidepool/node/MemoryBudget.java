package tidepool.node;

import java.util.concurrent.atomic.AtomicLong;
import tidepool.fabric.FabricException;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.MemoryNodeException.Reason;

/** The limit of the memory of all pools of a node together. */
final class MemoryBudget {
    private final long limit;
    private final AtomicLong used = new AtomicLong();
    private boolean restoring; // changed by the thread that starts the node, before there are others

    MemoryBudget(long limit) {
        this.limit = limit;
    }

    /** Takes {@code bytes} from the budget. Throws if they exceed it. */
    void take(long bytes) {
        long before = used.getAndAdd(bytes);
        if (restoring || bytes <= limit - before) return;
        used.addAndGet(-bytes);
        throw new MemoryNodeException(
                Reason.FULL,
                "the node's memory is used up: needed=" + bytes + " free=" + (limit - before) + " limit=" + limit);
    }

    /**
     * Lifts the limit while a node takes up again what it had. A journal also has regions that were freed later, which
     * need not all fit at one time.
     */
    void restoring() {
        restoring = true;
    }

    /** Refuses a node that had more than its limit is now. */
    void restored() {
        restoring = false;
        if (used.get() > limit)
            throw FabricException.unavailable("the pools of this node take " + used.get() + " bytes, and its limit is "
                    + limit + ": start it with a larger --memory");
    }

    void give(long bytes) {
        used.addAndGet(-bytes);
    }

    long used() {
        return used.get();
    }

    long limit() {
        return limit;
    }
}
