package tidepool;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import tidepool.fabric.FabricException;
import tidepool.fabric.Session;
import tidepool.protocol.Recovery;

/**
 * Recovers sessions of others, in whichever thread has noticed that one is dead, one at a time. Who finds another thread
 * at it goes on with its own work: it would only wait for it.
 */
final class Recoveries {
    private static final System.Logger LOG = System.getLogger("tidepool");

    private final Sessions sessions;
    private final IntConsumer noticed;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final IntFunction<Recovery.Report> always;
    private final IntFunction<Recovery.Report> ifListed = this::recoverListedAlone;
    private final IntFunction<Recovery.Report> rehearsal = this::rehearseAlone;

    /** @param noticed is told that a session is dead, before it is recovered */
    Recoveries(Sessions sessions, IntConsumer noticed) {
        this.sessions = sessions;
        this.noticed = noticed;
        this.always = sessions::recoverAlone;
    }

    /** Recovers a session that is over. Waits. Null if somebody else is at it, here or elsewhere. */
    Recovery.Report recover(int number) {
        return unlessBusy(number, always);
    }

    /** The same, if there is still something to recover; null otherwise. */
    Recovery.Report recoverListed(int number) {
        return unlessBusy(number, ifListed);
    }

    /**
     * Goes the same way with a session that never did anything, so that the first recovery finds everything loaded and
     * linked: that was most of its time. Opening a pool does not fail over this.
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
