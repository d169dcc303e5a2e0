package tidepool.protocol.record;

import tidepool.protocol.Step;
import tidepool.store.TxnId;
import tidepool.txn.AbortReason;

/**
 * The state of an attempt: whether it goes on, how far its commit has come, and if it was aborted, in which step, why,
 * and because of which session.
 */
final class AttemptState {
    private enum Life {
        ACTIVE,
        ABORTED,
        ENDED
    }

    /** How far a commit has come; says what a failure of the fabric means. */
    private enum Marker {
        NONE,
        OUTCOME_OPEN,
        COMMIT_POINT
    }

    private Life life = Life.ENDED;
    private Marker marker = Marker.NONE;
    private Step step = Step.OTHER;
    private AbortReason reason;
    private int blockingSession;

    /** The attempt was given up because of what it asked for, and its reads were consistent until then. */
    private boolean consistentWhenGivenUp;

    /** All reads are valid, and everything that is written is locked. */
    private boolean validated;

    void begin() {
        life = Life.ACTIVE;
        marker = Marker.NONE;
        step = Step.OTHER;
        reason = null;
        blockingSession = 0;
        consistentWhenGivenUp = false;
        validated = false;
    }

    boolean isActive() {
        return life == Life.ACTIVE;
    }

    boolean hasEnded() {
        return life == Life.ENDED;
    }

    /** Called when the outcome is known, or can no longer be found out by this attempt. */
    void end() {
        life = Life.ENDED;
    }

    // ---- commit

    void outcomeOpen() {
        validated = true;
        marker = Marker.OUTCOME_OPEN;
    }

    void commitPoint() {
        marker = Marker.COMMIT_POINT;
        life = Life.ENDED;
    }

    /** Whether a failure of the fabric now means that the transaction has not happened. */
    boolean isUndecided() {
        return marker == Marker.NONE;
    }

    /** Whether a failure of the fabric now leaves the outcome unknown. */
    boolean isOutcomeOpen() {
        return marker == Marker.OUTCOME_OPEN;
    }

    boolean isValidated() {
        return validated;
    }

    // ---- abort

    void abort(AbortReason why) {
        reason = why; // and the step stays the one that has failed
        life = Life.ABORTED;
    }

    AbortReason reason() {
        return reason;
    }

    /** Called when the attempt was ended because of what it asks for. */
    void givenUp(boolean consistent) {
        consistentWhenGivenUp = consistent;
    }

    boolean wasConsistentWhenGivenUp() {
        return consistentWhenGivenUp;
    }

    void blockedBy(long lockOrVersion) {
        blockingSession = TxnId.session(lockOrVersion);
    }

    void blockedBySession(int session) {
        blockingSession = session;
    }

    int blockingSession() {
        return blockingSession;
    }

    // ---- steps

    void at(Step next) {
        step = next;
    }

    /** Returns the name of the last step; empty before the first one. */
    String lastStep() {
        return step == Step.OTHER ? "" : step.toString();
    }
}
