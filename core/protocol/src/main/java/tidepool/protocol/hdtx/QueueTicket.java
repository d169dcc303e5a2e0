package tidepool.protocol.hdtx;

import tidepool.fabric.Region;
import tidepool.store.Pointer;

/** A place in the queue of an object, left when an attempt ended, for the next attempt to continue with. */
final class QueueTicket {
    private long pointer = Pointer.NOWHERE;
    private Region region;
    private long queueAt;
    private boolean priority;
    private int number;

    QueueTicket() {}

    void keep(long pointer, Region region, long queueAt, boolean priority, int number) {
        this.pointer = pointer;
        this.region = region;
        this.queueAt = queueAt;
        this.priority = priority;
        this.number = number;
    }

    boolean isThere() {
        return pointer != Pointer.NOWHERE;
    }

    boolean isOf(long pointer, boolean priority) {
        return this.pointer == pointer && this.priority == priority;
    }

    void forget() {
        pointer = Pointer.NOWHERE;
    }

    Region region() {
        return region;
    }

    long queueAt() {
        return queueAt;
    }

    boolean isPriority() {
        return priority;
    }

    int number() {
        return number;
    }
}
