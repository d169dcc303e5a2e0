package tidepool.node;

import java.util.concurrent.atomic.AtomicLong;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.MemoryNodeException.Reason;

/** The limit of the memory of all pools of a node together. */
final class MemoryBudget {
    private final long limit;
    private final AtomicLong used = new AtomicLong();

    MemoryBudget(long limit) {
        this.limit = limit;
    }

    /** Takes {@code bytes} from the budget. Throws if they exceed it. */
    void take(long bytes) {
        long before = used.getAndAdd(bytes);
        if (bytes <= limit - before) return;
        used.addAndGet(-bytes);
        throw new MemoryNodeException(
                Reason.FULL,
                "the node's memory is used up: needed=" + bytes + " free=" + (limit - before) + " limit=" + limit);
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
