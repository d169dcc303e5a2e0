package tidepool;

import tidepool.base.Strand;

/** The thread or strand that owns an object: the one that made it. */
final class OwnerThread {
    private final Thread thread = Thread.currentThread();
    private final Strand strand = Strand.current();

    /** Returns whether the caller is the owner. Strands share threads, so strands are compared, not threads. */
    boolean isHere() {
        return strand == null ? thread == Thread.currentThread() : strand == Strand.current();
    }

    @Override
    public String toString() {
        return strand == null ? thread.getName() : strand.name();
    }
}
