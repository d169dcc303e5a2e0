package tidepool.fabric;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.base.Words;

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
 * Nothing leaves before {@link #post}, nothing may be looked at before {@link #await}, and {@code await} is the only
 * place where what a strand knows may change. Work off the critical path is posted by {@link #postInBackground} and
 * counted apart. A round belongs to one lane and is used again and again; it allocates nothing.
 *
 * <p>Places here (landing buffers, sources of WRITEs) come from {@link Lane#landing} and belong to the round until it
 * completes: a source that changes before that may arrive changed.
 */
public final class Round {
    private static final int BUILDING = 0;
    private static final int POSTED = 1;
    private static final int COMPLETE = 2;

    private static final int READ = VerbKind.READ.ordinal();
    private static final int WRITE = VerbKind.WRITE.ordinal();
    private static final int CAS = VerbKind.CAS.ordinal();
    private static final int FAA = VerbKind.FAA.ordinal();
    private static final int MASKED_CAS = VerbKind.MASKED_CAS.ordinal();
    private static final int MASKED_FAA = VerbKind.MASKED_FAA.ordinal();
    private static final int FLUSH = VerbKind.FLUSH.ordinal();
    private static final int CALL = VerbKind.CALL.ordinal();
    private static final int CHAIN = VerbKind.CHAIN.ordinal();

    /** Bytes of two words. */
    private static final long PAIR = 2 * Words.BYTES;

    private final Lane lane;
    private final boolean groups;
    private final Verb[] verbs;
    private int count;

    // What was built, for the counters. Verbs that are none of these are READs.
    private int writes;
    private int swaps;
    private int others;
    private long bytesIn;
    private long bytesOut;

    private int state = COMPLETE;
    private boolean background;

    /** Set when the last use left anything below to forget. Stores are dear: they queue up behind a landing READ. */
    private boolean special;

    private boolean anyFence;
    private boolean aside;
    private Link fenceNext;
    private long depthWhenDone;
    private long deadlineNanos;
    private boolean failed;
    private MemorySegment knownPlace;
    private long knownBytes = -1;
    private FabricException.Reason failureReason;
    private String failureText;

    /** For the fabric's own use: whatever it needs to find this round again when an answer arrives. */
    private Object attachment;

    Round(Lane lane, int capacity) {
        this.lane = lane;
        this.groups = lane.takesGroups();
        this.verbs = new Verb[capacity];
        for (int i = 0; i < capacity; i++) verbs[i] = new Verb();
    }

    // ---- building

    /** Reads {@code length} bytes into the landing buffer. Larger than a word, it may tear. */
    public Round read(Region region, long offset, long length, MemorySegment landing, long landingOffset) {
        checkPlace(landing, landingOffset, length);
        Verb verb = next(READ, region, offset, length);
        local(verb, landing, landingOffset);
        bytesIn += length;
        return this;
    }

    /** Writes {@code length} bytes from the source, which stays as it is until the round completes. May tear. */
    public Round write(Region region, long offset, long length, MemorySegment source, long sourceOffset) {
        checkPlace(source, sourceOffset, length);
        Verb verb = next(WRITE, region, offset, length);
        local(verb, source, sourceOffset);
        writes++;
        bytesOut += length;
        return this;
    }

    /** Writes one word that travels in the verb itself. Never tears. */
    public Round write(Region region, long offset, long word) {
        Verb verb = next(WRITE, region, offset, Words.BYTES);
        verb.localOffset = Verb.NOWHERE;
        verb.operand = word;
        writes++;
        bytesOut += Words.BYTES;
        return this;
    }

    /** Puts {@code desired} if the word is {@code expected}; the word found lands at {@code foundOffset}. */
    public Round compareAndSwap(
            Region region, long offset, long expected, long desired, MemorySegment found, long foundOffset) {
        if (found != null) checkPlace(found, foundOffset, Words.BYTES);
        Verb verb = next(CAS, region, offset, Words.BYTES);
        found(verb, found, foundOffset);
        verb.operand = expected;
        verb.desired = desired;
        swaps++;
        return this;
    }

    /** Adds to the word; the word found lands at {@code foundOffset}. */
    public Round fetchAndAdd(Region region, long offset, long delta, MemorySegment found, long foundOffset) {
        if (found != null) checkPlace(found, foundOffset, Words.BYTES);
        Verb verb = next(FAA, region, offset, Words.BYTES);
        found(verb, found, foundOffset);
        others++;
        verb.operand = delta;
        return this;
    }

    /**
     * CAS on some bits: if the word equals {@code expected} in the bits of {@code compareMask}, the bits of
     * {@code swapMask} are replaced by those of {@code desired}. The whole word found lands at {@code foundOffset}.
     */
    public Round maskedCompareAndSwap(
            Region region,
            long offset,
            long expected,
            long compareMask,
            long desired,
            long swapMask,
            MemorySegment found,
            long foundOffset) {
        if (found != null) checkPlace(found, foundOffset, Words.BYTES);
        Verb verb = next(MASKED_CAS, region, offset, Words.BYTES);
        found(verb, found, foundOffset);
        others++;
        verb.operand = expected;
        verb.desired = desired;
        verb.compareMask = compareMask;
        verb.swapMask = swapMask;
        return this;
    }

    /**
     * FAA on fields of a word: {@code fieldTops} has the top bit of each field set, and no carry passes over such a bit.
     * The whole word found lands at {@code foundOffset}.
     */
    public Round maskedFetchAndAdd(
            Region region, long offset, long delta, long fieldTops, MemorySegment found, long foundOffset) {
        if (found != null) checkPlace(found, foundOffset, Words.BYTES);
        Verb verb = next(MASKED_FAA, region, offset, Words.BYTES);
        found(verb, found, foundOffset);
        others++;
        verb.operand = delta;
        verb.compareMask = fieldTops;
        return this;
    }

    // ---- verbs that belong together: the same as one by one, and cheaper where the fabric takes groups

    /**
     * Three READs of two words and {@code length} bytes behind them: first what lies behind, then the first word, then the
     * second. All lands as it lies there.
     */
    public Round readBehindThenPair(
            Region region, long offset, long length, MemorySegment landing, long landingOffset) {
        if (!groups || special)
            return read(region, offset + PAIR, length, landing, landingOffset + PAIR)
                    .read(region, offset, Words.BYTES, landing, landingOffset)
                    .read(region, offset + Words.BYTES, Words.BYTES, landing, landingOffset + Words.BYTES);
        checkPlace(landing, landingOffset, PAIR + length);
        Verb verb = group(Group.READ_BEHIND, READ, region, offset, length);
        local(verb, landing, landingOffset);
        bytesIn += PAIR + length;
        return this;
    }

    /** Two READs of a word and of the word behind it, in this order. */
    public Round readPair(Region region, long offset, MemorySegment landing, long landingOffset) {
        if (!groups || special)
            return read(region, offset, Words.BYTES, landing, landingOffset)
                    .read(region, offset + Words.BYTES, Words.BYTES, landing, landingOffset + Words.BYTES);
        checkPlace(landing, landingOffset, PAIR);
        Verb verb = group(Group.READ_PAIR, READ, region, offset, PAIR);
        local(verb, landing, landingOffset);
        bytesIn += PAIR;
        return this;
    }

    /** A READ of what lies behind the word of the CAS that was built last. */
    public Round readBehindSwap(Region region, long offset, long length, MemorySegment landing, long landingOffset) {
        read(region, offset, length, landing, landingOffset);
        if (!groups || special || count < 2) return this;
        Verb swap = verbs[count - 2];
        if (swap.code == CAS && swap.region == region && swap.offset + Words.BYTES == offset)
            swap.code = Group.SWAP_AND_READ;
        return this;
    }

    /** Two WRITEs: of one word that travels in the verb itself, then of {@code length} bytes behind it. */
    public Round markThenWrite(
            Region region, long offset, long mark, long length, MemorySegment source, long sourceOffset) {
        if (!groups || special)
            return write(region, offset, mark).write(region, offset + Words.BYTES, length, source, sourceOffset);
        checkPlace(source, sourceOffset, length);
        Verb verb = group(Group.MARK_AND_WRITE, WRITE, region, offset, length);
        local(verb, source, sourceOffset);
        verb.operand = mark;
        writes += 2;
        bytesOut += Words.BYTES + length;
        return this;
    }

    /** Two WRITEs of words that lie side by side: first the second, then the first. */
    public Round writePairBackwards(Region region, long offset, long second, long first) {
        if (!groups || special)
            return write(region, offset + Words.BYTES, second).write(region, offset, first);
        Verb verb = group(Group.WRITE_PAIR, WRITE, region, offset, PAIR);
        verb.operand = second;
        verb.desired = first;
        writes += 2;
        bytesOut += PAIR;
        return this;
    }

    /** Answers when everything written before it on this link is persistent. Orders like a READ. */
    public Round flush(Link link) {
        Verb verb = next(FLUSH, link);
        verb.length = 0;
        verb.localOffset = Verb.NOWHERE;
        return this;
    }

    /**
     * Two-sided: sends {@code length} bytes to a handler of the memory node; its answer, at most {@code replyLength}
     * bytes, lands at {@code replyOffset}.
     */
    public Round call(
            Link link,
            int handler,
            MemorySegment request,
            long requestOffset,
            long length,
            MemorySegment reply,
            long replyOffset,
            long replyLength) {
        checkPlace(request, requestOffset, length);
        checkPlace(reply, replyOffset, replyLength);
        Verb verb = next(CALL, link);
        verb.length = length;
        local(verb, request, requestOffset);
        verb.operand = handler;
        if (verb.reply != reply) verb.reply = reply;
        verb.replyOffset = replyOffset;
        verb.replyLength = replyLength;
        return this;
    }

    /**
     * Chained work: the memory side carries out the descriptor that lies at {@code offset}, see
     * {@link tidepool.memory.ChainLayout}. Acknowledged when all of it is done, or when its guard stopped it; the status
     * word in the descriptor tells which.
     */
    public Round chain(Region region, long offset) {
        Verb verb = next(CHAIN, region, offset, 0);
        verb.localOffset = Verb.NOWHERE;
        others++;
        return this;
    }

    /**
     * The next verb on this link takes effect after everything posted on it before, also in earlier rounds. Where the
     * fabric keeps that order anyway this costs nothing; otherwise the requester has to wait, and the round counts one
     * trip more.
     */
    public Round fence(Link link) {
        building();
        checkLane(link);
        Checks.argument(fenceNext == null, "a fence must be followed by a verb on its link");
        special = true;
        fenceNext = link;
        return this;
    }

    /** How long to wait for answers; 0 means the lane's default. Valid for the round being built. */
    public Round deadline(long nanos) {
        building();
        special = true;
        deadlineNanos = nanos;
        return this;
    }

    /**
     * Counts the trip of the round being built in a column of its own, {@link Traffic#asideTrips}: it goes to a service
     * among the compute nodes and not to the memory pool.
     */
    public Round aside() {
        building();
        special = true;
        aside = true;
        return this;
    }

    /** Forgets verbs that were built and not posted. */
    public void discard() {
        Checks.invariant(state != POSTED, "what was posted cannot be taken back");
        if (state != BUILDING) return;
        state = COMPLETE;
        special = true;
    }

    // ---- flying

    /** Sends everything built since the last completion. Does not wait. */
    public Round post() {
        ready();
        handOver(false, lane.traffic().roundTrips + (aside ? 0 : 1));
        lane.post(this);
        return this;
    }

    /** Sends work off the critical path. Nobody awaits it; {@link #settle} before the round is built anew. */
    public Round postInBackground() {
        ready();
        handOver(true, lane.traffic().roundTrips + 1);
        lane.post(this);
        return this;
    }

    /**
     * The same, and {@code next}, which was built and not posted, is sent as soon as every verb of this round is
     * acknowledged, whether anybody waits or not: it takes its place in the order of its links only then. If a verb of
     * this round fails, {@code next} is never sent. Both are settled; settling {@code next} waits for both.
     */
    public Round postInBackground(Round next) {
        Checks.argument(next != this && next.lane == lane, "a round is followed by another one of its lane");
        ready();
        next.ready();
        handOver(true, lane.traffic().roundTrips + 1);
        next.handOver(true, depthWhenDone + 1);
        lane.post(this, next);
        return this;
    }

    /**
     * Waits for every answer. Afterwards landing buffers may be read. Throws if a verb was refused, timed out or was cut
     * off; then {@link Verb#effect()} says of each verb what is known.
     */
    public void await() {
        Checks.invariant(state == POSTED && !background, "await follows post");
        lane.await(this);
        complete();
        Traffic traffic = lane.traffic();
        if (depthWhenDone > traffic.roundTrips) traffic.roundTrips = depthWhenDone;
        if (aside) traffic.asideTrips++;
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

    /** Whether every answer of the posted round is here; does not wait. */
    public boolean isComplete() {
        return state == COMPLETE || (state == POSTED && lane.isComplete(this));
    }

    private void ready() {
        Checks.invariant(state == BUILDING && count > 0, "post follows at least one verb");
        Checks.invariant(fenceNext == null, "a fence must be followed by a verb on its link");
    }

    /** Counts what now belongs to the fabric; without fences it is done at the end of a chain of so many trips. */
    private void handOver(boolean inBackground, long unfenced) {
        if (background != inBackground) background = inBackground;
        Traffic traffic = lane.traffic();
        traffic.count(count - writes - swaps - others, writes, swaps, bytesIn, bytesOut, inBackground);
        if (others > 0) for (int i = 0; i < count; i++) traffic.countOther(verbs[i], inBackground);
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

    private void building() {
        if (state != BUILDING) beginAnew();
    }

    private void beginAnew() {
        Checks.invariant(state == COMPLETE, "a round is built anew only after it was awaited or settled");
        if (special) forgetSpecials();
        state = BUILDING;
        count = 0;
        writes = 0;
        swaps = 0;
        others = 0;
        bytesIn = 0;
        bytesOut = 0;
    }

    private void forgetSpecials() {
        for (int i = 0; i < count; i++) verbs[i].reset();
        special = false;
        anyFence = false;
        aside = false;
        fenceNext = null;
        deadlineNanos = 0;
        failed = false;
    }

    private Verb next(int code, Region region, long offset, long length) {
        Verb verb = next(code);
        // References are stored only when they differ: a store costs the garbage collector's barrier.
        if (verb.region != region) enter(verb, region);
        verb.offset = offset;
        verb.length = length;
        if (fenceNext != null) carryFence(verb);
        return verb;
    }

    /** The first verb of a group; of the others kind and region are set, and the rest when somebody {@link #spell}s them. */
    private Verb group(int shape, int code, Region region, long offset, long length) {
        building();
        int last = count + Group.followers(shape);
        if (last >= verbs.length) throw full();
        for (int i = count; i <= last; i++) {
            verbs[i].code = code;
            if (verbs[i].region != region) enterGroup(verbs[i], region);
        }
        Verb verb = verbs[count];
        count = last + 1;
        verb.code = shape;
        verb.offset = offset;
        verb.length = length;
        return verb;
    }

    private void enterGroup(Verb verb, Region region) {
        checkLane(region.link());
        verb.region = region;
    }

    private Verb next(int code, Link link) {
        checkLane(link);
        Verb verb = next(code);
        if (verb.region != null) verb.region = null;
        if (verb.link != link) verb.link = link;
        others++;
        if (fenceNext != null) carryFence(verb);
        return verb;
    }

    private Verb next(int code) {
        building();
        if (count == verbs.length) throw full();
        Verb verb = verbs[count++];
        verb.code = code;
        return verb;
    }

    private IllegalArgumentException full() {
        return new IllegalArgumentException("round is full: capacity=" + verbs.length);
    }

    /** A region that a verb of this round had before belongs to this lane. */
    private void enter(Verb verb, Region region) {
        if (region.link().lane() != lane) {
            count--;
            throw foreign();
        }
        verb.region = region;
    }

    private void carryFence(Verb verb) {
        if (verb.link() != fenceNext) return;
        verb.fenced = true;
        anyFence = true;
        fenceNext = null;
    }

    private void checkLane(Link link) {
        if (link.lane() != lane) throw foreign();
    }

    private static IllegalArgumentException foreign() {
        return new IllegalArgumentException("the link belongs to another lane");
    }

    /**
     * Found here, a bad place is the caller's mistake and nothing was sent. Found by the fabric, half of the round is done
     * already; and a place off the grid of words would not be found at all, but tear words.
     */
    private void checkPlace(MemorySegment place, long offset, long length) {
        if (place != knownPlace) learn(place);
        if ((offset & (Words.BYTES - 1)) != 0 || offset < 0 || length > knownBytes - offset)
            throw misplaced(place, offset, length);
    }

    /** Most verbs of a round are about one place: it is looked at once. A bad one has no room for anything. */
    private void learn(MemorySegment place) {
        boolean good = place != null && place.isNative() && Words.isAligned(place.address());
        knownPlace = place;
        knownBytes = good ? place.byteSize() : -1;
    }

    private static IllegalArgumentException misplaced(MemorySegment place, long offset, long length) {
        String what = place == null ? "none" : place.isNative() ? place.byteSize() + " bytes" : "on the heap";
        return new IllegalArgumentException("a place here is native memory on a multiple of 8 and long enough: place="
                + what + " offset=" + offset + " length=" + length);
    }

    private static void local(Verb verb, MemorySegment local, long localOffset) {
        if (verb.local != local) verb.local = local;
        verb.localOffset = localOffset;
    }

    private static void found(Verb verb, MemorySegment found, long foundOffset) {
        if (found == null) verb.localOffset = Verb.NOWHERE;
        else local(verb, found, foundOffset);
    }

    // ---- for fabrics

    /** For fabrics: how many verbs were posted. */
    public int count() {
        return count;
    }

    /** The i-th verb of the round, in the order of building. */
    public Verb verb(int i) {
        return verbs[i];
    }

    /** For fabrics that take groups: the group that begins with the i-th verb is not to be carried out as one. */
    public void spell(int i) {
        int followers = Group.followers(verbs[i].code);
        if (followers > 0) Group.spell(verbs[i], verbs[i + 1], verbs[i + followers]);
    }

    public Lane lane() {
        return lane;
    }

    /** Whether the round in flight is background work. */
    public boolean isBackground() {
        return background;
    }

    /** For fabrics: the deadline of this round, or 0 for the lane's default. */
    public long deadlineNanos() {
        return deadlineNanos;
    }

    /** For fabrics: at least one verb failed; the verbs' own effects must be set. */
    public void fail(FabricException.Reason reason, String text) {
        special = true;
        failed = true;
        failureReason = reason;
        failureText = text;
    }

    /** For fabrics: whether {@link #fail} was called since this round was handed over. */
    public boolean hasFailed() {
        return failed;
    }

    /** For fabrics: the round before this one has failed, so that none of these verbs was sent, or ever will be. */
    public void neverSent(Round before) {
        for (int i = 0; i < count; i++) verbs[i].failed(Effect.NOT_DONE, null);
        fail(before.failureReason, "not sent, because the round before it failed");
    }

    /** For fabrics: the object kept for this round by {@link #attach}. */
    public Object attachment() {
        return attachment;
    }

    public void attach(Object object) {
        attachment = object;
    }

    /** Whether it was posted and its answers were neither awaited nor settled yet. */
    boolean isUnderWay() {
        return state == POSTED;
    }

    /** The length of the chain of trips at whose end this round is done. */
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
