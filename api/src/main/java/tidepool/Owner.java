package tidepool;

import tidepool.base.Strand;

/** The thread or strand that something belongs to: the one that made it. */
final class Owner {
    private final Thread thread = Thread.currentThread();
    private final Strand strand = Strand.current();

    /** Strands share threads, so a strand is asked for itself. */
    boolean isHere() {
        return strand == null ? thread == Thread.currentThread() : strand == Strand.current();
    }

    @Override
    public String toString() {
        return strand == null ? thread.getName() : strand.name();
    }
}
