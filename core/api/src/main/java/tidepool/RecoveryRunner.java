package tidepool;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import tidepool.fabric.FabricException;
import tidepool.fabric.Session;
import tidepool.protocol.Recovery;

/**
 * The recovery of other sessions, one at a time, in the thread that has noticed that one is dead. A thread that finds a
 * recovery under way continues its own work, because it could only wait.
 */
final class RecoveryRunner {
    private static final System.Logger LOG = System.getLogger("tidepool");

    private final SessionManager sessions;
    private final IntConsumer noticed;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final IntFunction<Recovery.Report> always;
    private final IntFunction<Recovery.Report> ifListed = this::recoverListedAlone;
    private final IntFunction<Recovery.Report> rehearsal = this::rehearseAlone;

    /** @param noticed called when a session is dead, before it is recovered */
    RecoveryRunner(SessionManager sessions, IntConsumer noticed) {
        this.sessions = sessions;
        this.noticed = noticed;
        this.always = sessions::recoverAlone;
    }

    /**
     * Recovers a session that is over, and waits for that. Returns null if another recoverer is at work, here or
     * elsewhere.
     */
    Recovery.Report recover(int number) {
        return unlessBusy(number, always);
    }

    /**
     * Recovers a session that is over if it is still listed, and waits for that. Returns null if it is not, or if
     * another recoverer is at work.
     */
    Recovery.Report recoverListed(int number) {
        return unlessBusy(number, ifListed);
    }

    /**
     * Runs a recovery for a session that never did anything, so that classes are loaded and linked before the first
     * real recovery: that was most of its time. A failure here does not fail the opening of a pool.
     */
    void rehearse() {
        try (Session trial = sessions.fabric().attach()) {
            unlessBusy(trial.number(), rehearsal);
        } catch (FabricException e) {
            LOG.log(System.Logger.Level.DEBUG, "no rehearsal of recovery: {0}", e.getMessage());
        }
    }

    private Recovery.Report unlessBusy(int number, IntFunction<Recovery.Report> work) {
        if (!busy.compareAndSet(false, true)) return null;
        try {
            if (work != rehearsal) noticed.accept(number);
            return sessions.alone(() -> work.apply(number));
        } finally {
            busy.set(false);
        }
    }

    private Recovery.Report recoverListedAlone(int number) {
        for (int listed : sessions.fabric().control(0).sessions())
            if (listed == number) return sessions.recoverAlone(number);
        return null;
    }

    private Recovery.Report rehearseAlone(int trial) {
        recoverListedAlone(0);
        return sessions.rehearseAlone(trial);
    }
}
