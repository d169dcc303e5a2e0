package tidepool.workload;

import java.util.Locale;

/** What can happen to a process on the network, beside being killed. */
public enum Fault {
    /** It stands still (SIGSTOP) until the others have taken over what it held, and then goes on (SIGCONT). */
    STALL,
    /** A frame of it that writes is on the way when it is killed or stands still, and arrives after the takeover. */
    FLYING_WRITE,
    /** All its connections are reset. */
    CUT,
    /** One direction of its connections ends, as if the sender had closed it; the other goes on. */
    HALF_CLOSED,
    /** What it sends, or what it is sent, or both, is lost, and nobody is told. */
    BLACK_HOLE,
    /** One of the nodes cannot be reached by it. */
    ONE_NODE,
    /** Everything that it sends, or is sent, takes its time; nothing is lost. */
    SLOW_LINK;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
