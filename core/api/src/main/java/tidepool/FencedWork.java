package tidepool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import tidepool.base.Clock;
import tidepool.base.Waiting;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.protocol.Recovery;
import tidepool.store.StoreException;

/**
 * Work on the whole pool by a session of its own, which shuts out and recovers all other sessions, that of this process
 * too. {@code docs/decisions/0034-schema-changes.md} says why that is safe.
 */
final class FencedWork {
    private static final System.Logger LOG = System.getLogger("tidepool");
    private static final long PAUSE_NANOS = 200_000;

    /** How long other processes have to leave, where a living session cannot be revoked. */
    private static final long GRACE_NANOS = 2_000_000_000;

    /** Tries that are made even if the time of the pool is up: one may take longer than that time. */
    private static final int MIN_TRIES = 3;

    private final SessionManager sessions;

    FencedWork(SessionManager sessions) {
        this.sessions = sessions;
    }

    /**
     * Does work, and waits for it. If the fabric fails, tries again with another session.
     *
     * @param why why the session of this process is replaced afterwards
     * @param work returns whether it has shut out the other sessions
     */
    void run(String what, String why, Predicate<SessionManager.Visit> work) {
        long deadline = sessions.defaultDeadline();
        for (int tries = 1; ; tries++) {
            int used = sessions.number();
            SessionManager.Visit visit = sessions.visit();
            try {
                boolean alone = work.test(visit);
                visit.session().close();
                if (alone) renew(used, why);
                seeChanges();
                return;
            } catch (FabricException e) {
                sessions.abandon(visit.session());
                if (tries >= MIN_TRIES && Clock.current().nowNanos() > deadline) throw e;
                LOG.log(System.Logger.Level.DEBUG, "{0} is tried again: {1}", what, e.getMessage());
                Waiting.pause(PAUSE_NANOS);
            } catch (RuntimeException e) {
                visit.session().close();
                throw e;
            }
        }
    }

    /** The session of this process was revoked. It is replaced here and now, so that no transaction has to find out. */
    private void renew(int used, String why) {
        try {
            sessions.renew(used, why);
        } catch (FabricException e) {
            LOG.log(System.Logger.Level.DEBUG, "the next transaction replaces the session: {0}", e.getMessage());
        }
    }

    /**
     * An earlier try may have revoked the session of this process too, and another process may have done the work. What
     * this process knows of tables is from before then, until a verb of its session fails.
     */
    private void seeChanges() {
        try {
            sessions.retryAfterFabricFailure(() -> sessions.catalog().isChangeAnnounced());
        } catch (FabricException e) {
            LOG.log(System.Logger.Level.DEBUG, "the next transaction replaces the session: {0}", e.getMessage());
        }
    }

    /** Revokes and recovers all other sessions. */
    void shutOut(SessionManager.Visit visit, Recovery recovery, String what) {
        Fabric fabric = visit.session().fabric();
        int own = visit.session().number();
        List<Integer> others = new ArrayList<>();
        for (int number : fabric.control(0).sessions()) if (number != own) others.add(number);
        if (!fabric.revokesLiving()) awaitLeaving(fabric, others, what);
        for (int number : others)
            for (int node = 0; node < fabric.nodes(); node++)
                fabric.control(node).revoke(number);
        for (int number : others) while (recovery.recover(number) == null) Waiting.pause(PAUSE_NANOS);
    }

    /** Waits until the processes of all sessions have given them up. */
    private static void awaitLeaving(Fabric fabric, List<Integer> others, String what) {
        long deadline = Clock.current().nowNanos() + GRACE_NANOS;
        while (true) {
            int[] left = others.stream()
                    .mapToInt(Integer::intValue)
                    .filter(number -> !fabric.isDead(number))
                    .toArray();
            if (left.length == 0) return;
            if (Clock.current().nowNanos() > deadline)
                throw new StoreException(
                        StoreException.Reason.BUSY,
                        what + " was given up, and nothing was changed: processes of the pool live and do not answer"
                                + " (are they stopped?): sessions=" + Arrays.toString(left));
            Waiting.pause(PAUSE_NANOS);
        }
    }
}
