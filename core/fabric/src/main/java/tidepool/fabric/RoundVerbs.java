package tidepool.fabric;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import tidepool.base.Checks;
import tidepool.base.Words;

/** The verbs of a {@link Round}, and the methods that build them. Reusable; allocates nothing. */
public abstract sealed class RoundVerbs permits Round {
    static final int BUILDING = 0;
    static final int POSTED = 1;
    static final int COMPLETE = 2;

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

    final Lane lane;
    private final boolean groups;
    Verb[] verbs;
    private final int capacity;
    private final boolean grows;
    int count;

    // Counts of built verbs. Verbs that are none of these are READs.
    int writes;
    int swaps;
    int others;
    long bytesIn;
    long bytesOut;

    int state = COMPLETE;

    /**
     * Set if the last use left any value below to reset. Stores are expensive: they queue up after those of a landing
     * READ.
     */
    boolean special;

    boolean anyFence;
    boolean aside;
    Link fenceNext;
    long deadlineNanos;
    boolean failed;

    private MemorySegment knownPlace;
    private long knownBytes = -1;

    RoundVerbs(Lane lane, int capacity, boolean grows) {
        this.lane = lane;
        this.groups = lane.takesGroups();
        this.capacity = capacity;
        this.grows = grows;
        this.verbs = new Verb[capacity];
        for (int i = 0; i < capacity; i++) verbs[i] = new Verb();
    }

    /** Reads {@code length} bytes into the landing buffer. Longer than a word, it may tear. */
    public Round read(Region region, long offset, long length, MemorySegment landing, long landingOffset) {
        checkPlace(landing, landingOffset, length);
        Verb verb = next(READ, region, offset, length);
        local(verb, landing, landingOffset);
        bytesIn += length;
        return (Round) this;
    }

    /** Writes {@code length} bytes from the source, which must not change until the round completes. May tear. */
    public Round write(Region region, long offset, long length, MemorySegment source, long sourceOffset) {
        checkPlace(source, sourceOffset, length);
        Verb verb = next(WRITE, region, offset, length);
        local(verb, source, sourceOffset);
        writes++;
        bytesOut += length;
        return (Round) this;
    }

    /** Writes one word, which is sent in the verb itself. Never tears. */
    public Round write(Region region, long offset, long word) {
        Verb verb = next(WRITE, region, offset, Words.BYTES);
        verb.localOffset = Verb.NOWHERE;
        verb.operand = word;
        writes++;
        bytesOut += Words.BYTES;
        return (Round) this;
    }

    /** Writes {@code desired} if the word is {@code expected}; the word found lands at {@code foundOffset}. */
    public Round compareAndSwap(
            Region region, long offset, long expected, long desired, MemorySegment found, long foundOffset) {
        if (found != null) checkPlace(found, foundOffset, Words.BYTES);
        Verb verb = next(CAS, region, offset, Words.BYTES);
        found(verb, found, foundOffset);
        verb.operand = expected;
        verb.desired = desired;
        swaps++;
        return (Round) this;
    }

    /** Adds to the word; the word found lands at {@code foundOffset}. */
    public Round fetchAndAdd(Region region, long offset, long delta, MemorySegment found, long foundOffset) {
        if (found != null) checkPlace(found, foundOffset, Words.BYTES);
        Verb verb = next(FAA, region, offset, Words.BYTES);
        found(verb, found, foundOffset);
        others++;
        verb.operand = delta;
        return (Round) this;
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
        return (Round) this;
    }

    /**
     * FAA on fields of a word: {@code fieldTops} has the top bit of each field set, and no carry passes such a bit. The
     * whole word found lands at {@code foundOffset}.
     */
    public Round maskedFetchAndAdd(
            Region region, long offset, long delta, long fieldTops, MemorySegment found, long foundOffset) {
        if (found != null) checkPlace(found, foundOffset, Words.BYTES);
        Verb verb = next(MASKED_FAA, region, offset, Words.BYTES);
        found(verb, found, foundOffset);
        others++;
        verb.operand = delta;
        verb.compareMask = fieldTops;
        return (Round) this;
    }

    // ---- groups of verbs: equal to the single verbs, and cheaper on fabrics that take groups

    /**
     * Three READs of two words and the {@code length} bytes that follow them: first the bytes, then the first word,
     * then the second. All land in the order in which they lie in the region.
     */
    public Round readBodyThenPair(Region region, long offset, long length, MemorySegment landing, long landingOffset) {
        if (!groups || special)
            return read(region, offset + PAIR, length, landing, landingOffset + PAIR)
                    .read(region, offset, Words.BYTES, landing, landingOffset)
                    .read(region, offset + Words.BYTES, Words.BYTES, landing, landingOffset + Words.BYTES);
        checkPlace(landing, landingOffset, PAIR + length);
        Verb verb = group(VerbGroup.BODY_THEN_PAIR, READ, region, offset, length);
        local(verb, landing, landingOffset);
        bytesIn += PAIR + length;
        return (Round) this;
    }

    /** Two READs of a word and of the next word, in this order. */
    public Round readPair(Region region, long offset, MemorySegment landing, long landingOffset) {
        if (!groups || special)
            return read(region, offset, Words.BYTES, landing, landingOffset)
                    .read(region, offset + Words.BYTES, Words.BYTES, landing, landingOffset + Words.BYTES);
        checkPlace(landing, landingOffset, PAIR);
        Verb verb = group(VerbGroup.READ_PAIR, READ, region, offset, PAIR);
        local(verb, landing, landingOffset);
        bytesIn += PAIR;
        return (Round) this;
    }

    /** A READ of the bytes that follow the word of the last built CAS. */
    public Round readAfterSwap(Region region, long offset, long length, MemorySegment landing, long landingOffset) {
        read(region, offset, length, landing, landingOffset);
        if (!groups || special || count < 2) return (Round) this;
        Verb swap = verbs[count - 2];
        if (swap.code == CAS && swap.region == region && swap.offset + Words.BYTES == offset)
            swap.code = VerbGroup.SWAP_AND_READ;
        return (Round) this;
    }

    /** Two WRITEs: of one word that is sent in the verb itself, then of the {@code length} bytes that follow it. */
    public Round markThenWrite(
            Region region, long offset, long mark, long length, MemorySegment source, long sourceOffset) {
        if (!groups || special)
            return write(region, offset, mark).write(region, offset + Words.BYTES, length, source, sourceOffset);
        checkPlace(source, sourceOffset, length);
        Verb verb = group(VerbGroup.MARK_AND_WRITE, WRITE, region, offset, length);
        local(verb, source, sourceOffset);
        verb.operand = mark;
        writes += 2;
        bytesOut += Words.BYTES + length;
        return (Round) this;
    }

    /** Two WRITEs of adjacent words: first the second, then the first. */
    public Round writePairBackwards(Region region, long offset, long second, long first) {
        if (!groups || special)
            return write(region, offset + Words.BYTES, second).write(region, offset, first);
        Verb verb = group(VerbGroup.WRITE_PAIR, WRITE, region, offset, PAIR);
        verb.operand = second;
        verb.desired = first;
        writes += 2;
        bytesOut += PAIR;
        return (Round) this;
    }

    /** Answers when everything written before on this link is persistent. Orders like a READ. */
    public Round flush(Link link) {
        Verb verb = next(FLUSH, link);
        verb.length = 0;
        verb.localOffset = Verb.NOWHERE;
        return (Round) this;
    }

    /**
     * Two-sided: sends {@code length} bytes to a handler of the memory node. Its answer, at most {@code replyLength}
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
        Checks.argument(
                (length | replyLength) >= 0,
                "a CALL has no negative length: length=" + length + " replyLength=" + replyLength);
        checkPlace(request, requestOffset, length);
        checkPlace(reply, replyOffset, replyLength);
        Verb verb = next(CALL, link);
        verb.length = length;
        local(verb, request, requestOffset);
        verb.operand = handler;
        if (verb.reply != reply) verb.reply = reply;
        verb.replyOffset = replyOffset;
        verb.replyLength = replyLength;
        return (Round) this;
    }

    /**
     * Chained work: the memory side executes the descriptor at {@code offset}, see
     * {@link tidepool.memory.ChainedWorkLayout}. Acknowledged when all of it is done or its guard stopped it; the
     * status word in the descriptor tells which.
     */
    public Round chain(Region region, long offset) {
        Verb verb = next(CHAIN, region, offset, 0);
        verb.localOffset = Verb.NOWHERE;
        others++;
        return (Round) this;
    }

    /**
     * Orders the next verb on this link after all verbs posted on it before, also in earlier rounds. If the fabric
     * keeps that order anyway, this costs nothing. Otherwise the requester has to wait, and the round counts one trip
     * more.
     */
    public Round fence(Link link) {
        building();
        checkLane(link);
        Checks.argument(fenceNext == null, "a fence must be followed by a verb on its link");
        special = true;
        fenceNext = link;
        return (Round) this;
    }

    /** Sets how long to wait for answers; 0 means the lane's default. Valid for the round being built. */
    public Round deadline(long nanos) {
        building();
        special = true;
        deadlineNanos = nanos;
        return (Round) this;
    }

    /**
     * Counts the trip of the round being built in a column of its own, {@link Traffic#asideTrips}: it goes to a service
     * among the compute nodes and not to the memory pool.
     */
    public Round aside() {
        building();
        special = true;
        aside = true;
        return (Round) this;
    }

    // ---- construction

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
        int kept = Math.min(count, verbs.length); // fewer if it was trimmed
        for (int i = 0; i < kept; i++) verbs[i].reset();
        special = false;
        anyFence = false;
        aside = false;
        fenceNext = null;
        deadlineNanos = 0;
        failed = false;
    }

    private Verb next(int code, Region region, long offset, long length) {
        Objects.requireNonNull(region, "region");
        Verb verb = next(code);
        // References are stored only if they differ: a store costs the barrier of the garbage collector.
        if (verb.region != region) enter(verb, region);
        verb.offset = offset;
        verb.length = length;
        if (fenceNext != null) carryFence(verb);
        return verb;
    }

    /**
     * Returns the first verb of a group. Of the other verbs only kind and region are set; {@link Round#spell} sets the
     * rest.
     */
    private Verb group(int shape, int code, Region region, long offset, long length) {
        Objects.requireNonNull(region, "region");
        building();
        int last = count + VerbGroup.followers(shape);
        if (last >= verbs.length) grow();
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
        if (count == verbs.length) grow();
        Verb verb = verbs[count++];
        verb.code = code;
        return verb;
    }

    /** Makes room for more verbs. Refuses in a round of fixed capacity. */
    private void grow() {
        if (!grows) throw new IllegalArgumentException("round is full: capacity=" + verbs.length);
        int filled = verbs.length;
        verbs = Arrays.copyOf(verbs, 2 * filled + VerbGroup.WIDEST);
        for (int i = filled; i < verbs.length; i++) verbs[i] = new Verb();
    }

    /** Gives back the memory of the verbs by which a completed round has grown. */
    public final void trim() {
        Checks.invariant(state == COMPLETE, "a round that is trimmed is complete");
        if (verbs.length > capacity) verbs = Arrays.copyOf(verbs, capacity);
    }

    /**
     * Stores a new region in a verb after checking its lane. A region that a verb of this round had before was checked
     * then.
     */
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
     * Checks a local place. A bad place found here is a mistake of the caller, and nothing was sent. If only the fabric
     * found it, half of the round would already be done. An unaligned place would not be found at all, but tear words.
     */
    private void checkPlace(MemorySegment place, long offset, long length) {
        if (place != knownPlace) learn(place);
        if ((offset & (Words.BYTES - 1)) != 0 || offset < 0 || length > knownBytes - offset)
            throw misplaced(place, offset, length);
    }

    /**
     * Checks a place once, since most verbs of a round use one place. A bad place gets a negative length, so that
     * nothing fits.
     */
    private void learn(MemorySegment place) {
        knownPlace = place;
        knownBytes = isGood(place) ? place.byteSize() : -1;
    }

    private static boolean isGood(MemorySegment place) {
        return place != null
                && place.isNative()
                && !place.isReadOnly()
                && place.scope().isAlive()
                && Words.isAligned(place.address());
    }

    private static IllegalArgumentException misplaced(MemorySegment place, long offset, long length) {
        return new IllegalArgumentException("a place here is native memory on a multiple of 8 and long enough: place="
                + described(place) + " offset=" + offset + " length=" + length);
    }

    private static String described(MemorySegment place) {
        if (place == null) return "none";
        if (!place.isNative()) return "on the heap";
        if (place.isReadOnly()) return "read-only";
        if (!place.scope().isAlive()) return "closed";
        return place.byteSize() + " bytes";
    }

    private static void local(Verb verb, MemorySegment local, long localOffset) {
        if (verb.local != local) verb.local = local;
        verb.localOffset = localOffset;
    }

    private static void found(Verb verb, MemorySegment found, long foundOffset) {
        if (found == null) verb.localOffset = Verb.NOWHERE;
        else local(verb, found, foundOffset);
    }
}
