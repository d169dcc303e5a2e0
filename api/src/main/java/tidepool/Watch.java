package tidepool;

import java.util.concurrent.atomic.AtomicLong;
import tidepool.base.Clock;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;

/**
 * Looks around for processes that died, so that they are recovered before anybody wants what they held. There is no
 * thread for it: whoever begins a transaction looks, once a millisecond for the whole process, which takes a few
 * microseconds. A process that does nothing looks at nothing, and its next transaction looks first. A thread of its own
 * would have to wait for a processor behind those that are running; they need not.
 *
 * <p>Memory nodes on the network tell by themselves who is dead. The kernel of one machine does not: a process that waits
 * in {@code fcntl} for the lock of another one, which waits for it, is told that this is a deadlock.
 */
final class Watch {
    private static final System.Logger LOG = System.getLogger("tidepool");
    private static final long PERIOD_NANOS = 1_000_000;
    private static final long UNCLEAR_NANOS = 1_000_000_000;

    /** So many looks at the same list of sessions: one who came just now has hardly left anything. */
    private static final int LOOKS_PER_LIST = 8;

    /** In a pool of very many processes each look is at some of them, in turn. */
    private static final int MOST_ASKED = 16;

    private final Sessions sessions;
    private final Recoveries recoveries;

    /** When it is time to look again. Who takes it away looks, and uses the fields below. */
    private final AtomicLong next = new AtomicLong();

    private int[] listed = {};
    private int looks;
    private int turn;

    Watch(Sessions sessions, Recoveries recoveries) {
        this.sessions = sessions;
        this.recoveries = recoveries;
    }

    /** Looks around if it is time to; recovers one who is found dead. Waits then. */
    void lookAround() {
        long due = next.get();
        if (Clock.current().nowNanos() < due || !next.compareAndSet(due, Long.MAX_VALUE)) return;
        long pause = PERIOD_NANOS;
        try {
            int dead = findDead();
            if (dead != 0) recover(dead);
        } catch (FabricException e) {
            // The transaction that is about to begin may not need what failed here, and says so if it does.
            LOG.log(System.Logger.Level.DEBUG, "it is not clear who is alive: {0}", e.getMessage());
            pause = UNCLEAR_NANOS;
        } finally {
            next.set(Clock.current().nowNanos() + pause);
        }
    }

    /** A dead session; 0 if none is. */
    private int findDead() {
        Fabric fabric = sessions.fabric();
        int[] announced = fabric.announcedDead();
        if (announced != null) return anyOf(announced);
        if (looks++ % LOOKS_PER_LIST == 0) listed = fabric.control(0).sessions();
        for (int i = 0; i < Math.min(listed.length, MOST_ASKED); i++) {
            turn = (turn + 1) % listed.length;
            if (listed[turn] != sessions.number() && fabric.isDead(listed[turn])) return listed[turn];
        }
        return 0;
    }

    /** One of them in turn, and never the session of this process: it is heard as soon as it does something. */
    private int anyOf(int[] announced) {
        for (int i = 0; i < announced.length; i++) {
            turn = (turn + 1) % announced.length;
            if (announced[turn] != sessions.number()) return announced[turn];
        }
        return 0;
    }

    private void recover(int dead) {
        looks = 0;
        int used = sessions.number();
        try {
            recoveries.recoverListed(dead);
        } catch (FabricException e) {
            sessions.afterFailure(used, e, sessions.defaultDeadline());
        }
    }
}
