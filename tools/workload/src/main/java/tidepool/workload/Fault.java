package tidepool.workload;

import java.util.Locale;

/** Faults of a process on the network other than being killed. */
public enum Fault {
    /** The process is stopped (SIGSTOP) until the others have recovered its session, and then continues (SIGCONT). */
    STALL,
    /** A frame with a write is on the way when its process is killed or stopped, and arrives after the takeover. */
    FLYING_WRITE,
    /** All connections of the process are reset. */
    CUT,
    /** One direction of its connections ends, as if the sender had closed it. The other direction continues. */
    HALF_CLOSED,
    /** Frames from the process, to it, or both, are lost without any error. */
    BLACK_HOLE,
    /** The process cannot reach one of the nodes. */
    ONE_NODE,
    /** Frames from the process or to it are delayed; none is lost. */
    SLOW_LINK;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
