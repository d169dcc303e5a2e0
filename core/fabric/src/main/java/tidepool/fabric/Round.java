package tidepool.fabric;

import java.util.Objects;
import tidepool.base.Checks;

/**
 * One network round trip: verbs for one or more memory nodes, posted together, awaited together.
 *
 * <pre>
 *   round.compareAndSwap(records, at, FREE, txn, landing, 0)
 *        .read(records, at, 64, landing, 8)
 *        .post()
 *        .await();
 * </pre>
 *
 * No verb is sent before {@link #post}. No result may be read before {@link #await}, and a strand learns new facts only
 * in {@code await}. Work off the critical path is posted by {@link #postInBackground} and counted separately. A round
 * belongs to one lane and is reusable; it allocates nothing.
 *
 * <p>Local places (landing buffers, sources of WRITEs) come from {@link Lane#landing} and belong to the round until it
 * completes. If a source changes before that, the change may be sent.
 */
public final class Round extends RoundVerbs {
    private final FaultSites faults; // null except in tests
    private boolean background;
    private int label;
    /** The label under which it was posted. It counts as that, even if the label is set again before it is awaited. */
    private int postedLabel;

    private long depthWhenDone;
    private FabricException.Reason failureReason;
    private String failureText;

    /** For fabrics: the object by which they find this round again when an answer arrives. */
    private Object attachment;

    Round(Lane lane, int capacity, boolean grows) {
        super(lane, capacity, grows);
        this.faults = lane.session().fabric().faultSites();
    }

    /**
     * Sets a number of the caller below {@link Traffic#LABELS} that names the purpose of the round. Traffic is counted
     * by it. It stays until it is set again and is not sent.
     */
    public Round label(int number) {
        label = Objects.checkIndex(number, Traffic.LABELS);
        return this;
    }

    /** Returns the number set by {@link #label(int)}; 0 if none was set. */
    public int label() {
        return label;
    }

    /** Drops verbs that were built and not posted. */
    public void discard() {
        Checks.invariant(state != POSTED, "what was posted cannot be taken back");
        if (state != BUILDING) return;
        state = COMPLETE;
        special = true;
    }

    // ---- posting and awaiting

    /**
     * Sends all verbs built since the last completion. Does not wait. If it throws, nothing was sent or counted and the
     * verbs are still there; {@link #discard} drops them.
     */
    public Round post() {
        ready();
        if (faults != null) dieIfAskedTo(null);
        handOver(false, lane.traffic().roundTrips + (aside ? 0 : 1));
        lane.post(this);
        return this;
    }

    /** Sends work off the critical path. It is not awaited; call {@link #settle} before the round is built anew. */
    public Round postInBackground() {
        ready();
        if (faults != null) dieIfAskedTo(null);
        handOver(true, lane.traffic().roundTrips + 1);
        lane.post(this);
        return this;
    }

    /**
     * Sends work off the critical path in two rounds. {@code next} was built and not posted. It is sent as soon as
     * every verb of this round is acknowledged, whether or not a strand waits. Only then does it take its place in the
     * order of its links. If a verb of this round fails, {@code next} is never sent. Both must be settled; settling
     * {@code next} waits for both.
     */
    public Round postInBackground(Round next) {
        Checks.argument(next != this && next.lane == lane, "a round is followed by another one of its lane");
        ready();
        next.ready();
        if (faults != null) {
            dieIfAskedTo(null);
            next.dieIfAskedTo(this);
        }
        handOver(true, lane.traffic().roundTrips + 1);
        next.handOver(true, depthWhenDone + 1);
        lane.post(this, next);
        return this;
    }

    /**
     * Waits for every answer. Afterwards landing buffers may be read. Throws if a verb was refused, timed out or was
     * cut off; then {@link Verb#effect()} gives the known effect of each verb.
     */
    public void await() {
        Checks.invariant(state == POSTED && !background, "await follows post");
        lane.await(this);
        complete();
        Traffic traffic = lane.traffic();
        traffic.awaited(postedLabel, depthWhenDone);
        if (aside) traffic.countAside(postedLabel);
        if (failed) throw failure();
    }

    /** Waits for a background round without counting a trip; returns at once if it is complete. Throws like await. */
    public void settle() {
        if (state != POSTED) return;
        Checks.invariant(background, "settle is for background rounds");
        lane.await(this);
        complete();
        if (failed) throw failure();
    }

    /** Returns whether every answer of the posted round has arrived; does not wait. */
    public boolean isComplete() {
        return state == COMPLETE || (state == POSTED && lane.isComplete(this));
    }

    private void ready() {
        Checks.invariant(state == BUILDING && count > 0, "post follows at least one verb");
        Checks.invariant(fenceNext == null, "a fence must be followed by a verb on its link");
        if (others > 0) lane.check(this);
    }

    /**
     * If the process dies in this round, sends the verbs that come before its death.
     *
     * @param before the round that is acknowledged before this one is sent; null if there is none
     */
    private void dieIfAskedTo(Round before) {
        int verbs = faults.verbsBeforeDeath(this);
        if (verbs == FaultSites.GO_ON) return;
        if (before != null) before.sendAndAwait();
        if (verbs > 0) {
            // A group is executed as a unit. It is split so that the process can die between its verbs.
            for (int i = 0; i < verbs; i++) spell(i);
            count = verbs;
            if (faults.awaitsVerbs()) sendAndAwait();
            else send();
        }
        faults.die();
    }

    private void send() {
        handOver(false, lane.traffic().roundTrips + 1);
        lane.post(this);
    }

    private void sendAndAwait() {
        send();
        lane.await(this);
    }

    /**
     * Counts the round, which now belongs to the fabric. Without fences it is done at the end of a chain of
     * {@code unfenced} trips.
     */
    private void handOver(boolean inBackground, long unfenced) {
        if (background != inBackground) background = inBackground;
        Traffic traffic = lane.traffic();
        if (postedLabel != label) postedLabel = label;
        traffic.count(label, count - writes - swaps - others, writes, swaps, bytesIn, bytesOut, inBackground);
        if (others > 0) for (int i = 0; i < count; i++) traffic.countOther(label, verbs[i], inBackground);
        long depth = unfenced;
        if (anyFence) {
            depth = lane.depthWithFences(this, unfenced);
            traffic.fenceTrips += depth - unfenced;
        }
        if (inBackground) traffic.backgroundRounds++;
        else traffic.rounds++;
        depthWhenDone = depth;
        state = POSTED;
    }

    private void complete() {
        state = COMPLETE;
        if (failed) lane.traffic().failedRounds++;
    }

    // ---- for fabrics

    /** For fabrics: returns the number of verbs posted. */
    public int count() {
        return count;
    }

    /** Returns the i-th verb of the round, in the order of building. */
    public Verb verb(int i) {
        return verbs[i];
    }

    /** For fabrics that take groups: splits the group that begins with the i-th verb into single verbs. */
    public void spell(int i) {
        int followers = VerbGroup.followers(verbs[i].code);
        if (followers > 0) VerbGroup.spell(verbs[i], verbs[i + 1], verbs[i + followers]);
    }

    public Lane lane() {
        return lane;
    }

    /** Returns whether the posted round is background work. */
    public boolean isBackground() {
        return background;
    }

    /** For fabrics: returns the deadline of this round, or 0 for the lane's default. */
    public long deadlineNanos() {
        return deadlineNanos;
    }

    /** For fabrics: records that at least one verb failed; the effects of the verbs must be set. */
    public void fail(FabricException.Reason reason, String text) {
        special = true;
        failed = true;
        failureReason = reason;
        failureText = text;
    }

    /** For fabrics: returns whether {@link #fail} was called since this round was handed over. */
    public boolean hasFailed() {
        return failed;
    }

    /** For fabrics: called when the preceding round failed, so that none of these verbs was sent, or ever will be. */
    public void neverSent(Round before) {
        for (int i = 0; i < count; i++) verbs[i].failed(Effect.NOT_DONE, null);
        fail(before.failureReason, "not sent, because the round before it failed");
    }

    /** For fabrics: returns the object kept for this round by {@link #attach}. */
    public Object attachment() {
        return attachment;
    }

    public void attach(Object object) {
        attachment = object;
    }

    /** Returns whether it was posted and its answers were neither awaited nor settled yet. */
    boolean isUnderWay() {
        return state == POSTED;
    }

    /** Returns the length of the chain of trips at whose end this round is done. */
    long depthWhenDone() {
        return depthWhenDone;
    }

    private FabricException failure() {
        boolean allDone = true;
        boolean noneDone = true;
        Verb refused = null;
        Verb first = null;
        for (int i = 0; i < count; i++) {
            Verb verb = verbs[i];
            allDone &= verb.effect == Effect.DONE;
            noneDone &= verb.effect == Effect.NOT_DONE;
            if (refused == null && verb.refusal != null) refused = verb;
            if (first == null && verb.effect != Effect.DONE) first = verb;
        }
        Effect effect = allDone ? Effect.DONE : noneDone ? Effect.NOT_DONE : Effect.UNKNOWN;
        Verb named = refused != null ? refused : first != null ? first : verbs[0];
        String text = failureText + ": " + named + (refused == null ? "" : " refusal=" + refused.refusal) + " effect="
                + effect + " session=" + lane.session().number();
        return new FabricException(failureReason, effect, refused == null ? null : refused.refusal, text);
    }
}
