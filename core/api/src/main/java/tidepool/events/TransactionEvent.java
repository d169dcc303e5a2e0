package tidepool.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import tidepool.store.TxnId;
import tidepool.txn.AbortReason;

/**
 * One transaction with all its attempts. Only slow ones are recorded, unless a recording asks for others. An object may
 * be used repeatedly. While no recording is active, {@link #isOn} is the only cost.
 */
@Name("tidepool.Transaction")
@Label("Transaction")
@Category("Tidepool")
@Description("A transaction from its first attempt to its end")
@Threshold("1 ms")
public final class TransactionEvent extends Event {
    /** How a transaction ended. */
    public enum End {
        /** It happened. */
        COMMITTED,
        /** The application gave it up. */
        ROLLED_BACK,
        /** It conflicted with others until the time was up. */
        CONFLICT,
        /** The fabric failed while it committed. */
        UNKNOWN,
        /** It ended with another exception. */
        FAILED
    }

    private static final TransactionEvent PROBE = new TransactionEvent();

    @Label("Id")
    @Description("Session and counter of the last attempt")
    String id;

    @Label("Outcome")
    String outcome;

    @Label("Abort Reason")
    @Description("Why the last attempt that did not commit was aborted")
    String abortReason;

    @Label("Aborted At")
    @Description("The protocol's step at which the last attempt ended; empty if it committed or had not begun one")
    String abortedAt;

    @Label("Attempts")
    int attempts;

    @Label("Round Trips")
    @Description("Of all attempts, as the fabric counts them")
    long roundTrips;

    @Label("Read Only")
    boolean readOnly;

    @Label("Dead Session")
    @Description("A dead session that stood in the way; 0 if none did")
    int deadSession;

    /** Returns whether a recording of transactions is active. */
    public static boolean isOn() {
        return PROBE.isEnabled();
    }

    /** Called when the transaction has ended. Commits the event, if the transaction took long enough. */
    public void done(
            End end, long txn, AbortReason reason, String step, int tries, long trips, boolean reads, int dead) {
        end();
        if (!shouldCommit()) return;
        id = txn == 0 ? null : TxnId.text(txn);
        outcome = end.name();
        abortReason = reason == null ? null : reason.name();
        abortedAt = step;
        attempts = tries;
        roundTrips = trips;
        readOnly = reads;
        deadSession = dead;
        commit();
    }
}
