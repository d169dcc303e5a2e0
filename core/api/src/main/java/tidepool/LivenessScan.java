package tidepool;

import java.util.concurrent.atomic.AtomicLong;
import tidepool.base.Clock;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;

/**
 * The search for dead sessions, so that they are recovered before a transaction needs what they hold. It has no thread
 * of its own. A thread that begins a transaction scans, at most once per millisecond in the whole process, which takes
 * a few microseconds. An idle process does not scan, and its next transaction scans first. A separate thread would have
 * to wait for a core that application threads occupy; they have one already.
 *
 * <p>Memory nodes on the network announce dead sessions. The kernel of one machine does not: if two processes wait in
 * {@code fcntl} for each other's locks, it reports a deadlock.
 */
final class LivenessScan {
    private static final System.Logger LOG = System.getLogger("tidepool");
    private static final long PERIOD_NANOS = 1_000_000;
    private static final long UNCLEAR_NANOS = 1_000_000_000;

    /** Scans that use one list of sessions. A session that has just attached has hardly left anything. */
    private static final int LOOKS_PER_LIST = 8;

    /**
     * The maximum number of sessions per scan. In a pool of very many processes each scan asks some of them, in turn.
     */
    private static final int MAX_ASKED = 16;

    private final SessionManager sessions;
    private final RecoveryRunner runner;

    /** The time of the next scan. The thread that swaps it out scans, and owns the fields below. */
    private final AtomicLong next = new AtomicLong();

    private int[] listed = {};
    private int looks;
    private int turn;

    LivenessScan(SessionManager sessions, RecoveryRunner runner) {
        this.sessions = sessions;
        this.runner = runner;
    }

    /** Scans if it is time to. If a session is dead, recovers it and waits for that. */
    void scanForDeadSessions() {
        long due = next.get();
        if (Clock.current().nowNanos() < due || !next.compareAndSet(due, Long.MAX_VALUE)) return;
        long pause = PERIOD_NANOS;
        try {
            int dead = findDead();
            if (dead != 0) recover(dead);
        } catch (FabricException e) {
            // The next transaction may not need what failed here. If it does, it fails itself.
            LOG.log(System.Logger.Level.DEBUG, "it is not clear who is alive: {0}", e.getMessage());
            pause = UNCLEAR_NANOS;
        } finally {
            next.set(Clock.current().nowNanos() + pause);
        }
    }

    /** Returns a dead session; 0 if there is none. */
    private int findDead() {
        Fabric fabric = sessions.fabric();
        int[] announced = fabric.announcedDead();
        if (announced != null) return anyOf(announced);
        if (looks++ % LOOKS_PER_LIST == 0) listed = fabric.control(0).sessions();
        for (int i = 0; i < Math.min(listed.length, MAX_ASKED); i++) {
            turn = (turn + 1) % listed.length;
            if (listed[turn] != sessions.number() && fabric.isDead(listed[turn])) return listed[turn];
        }
        return 0;
    }

    /**
     * Returns one of the announced sessions, in turn, and never the session of this process: that one counts as alive
     * as soon as it sends something.
     */
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
            runner.recoverListed(dead);
        } catch (FabricException e) {
            sessions.afterFailure(used, e, sessions.defaultDeadline());
        }
    }
}
