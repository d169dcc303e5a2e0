package tidepool.fabric;

import java.util.Objects;

/**
 * The traffic of a lane: round trips, verbs and bytes, on the critical path and in the background separately, and the
 * share of each {@link Round#label() label}. Only {@link Round} counts. The counts are exact and do not depend on the
 * machine.
 *
 * <p>Round trips are the longest chain of awaited rounds: rounds that overlap count once, and a fence that makes the
 * requester wait counts as one more. Background rounds are counted but add no trip.
 */
public final class Traffic {
    /** The number of labels. Labels are numbers below it. */
    public static final int LABELS = 32;

    private static final int READ = VerbKind.READ.ordinal();
    private static final int WRITE = VerbKind.WRITE.ordinal();
    private static final int CAS = VerbKind.CAS.ordinal();

    // The counters of every round come first, so that they lie together; those of the usual verbs are among them.
    long roundTrips;
    long rounds;
    /** Verbs of all kinds, also in the background. Read after each transaction by code that counts per transaction. */
    private long allVerbs;

    private long reads;
    long bytesRead;
    long bytesWritten;
    private long writes;
    private long swaps;

    long asideTrips;
    long backgroundRounds;
    long fenceTrips;
    private long backgroundReads;
    private long backgroundWrites;
    private long backgroundSwaps;
    long backgroundBytesRead;
    long backgroundBytesWritten;
    long failedRounds;

    // The share of each label: a cache line of awaited and background counts, so that a round changes one line.
    private static final int AWAITED = 0;
    private static final int BACKGROUND = 4;
    private static final int SHARE = 8;

    // The counts of each of these halves. The last one is that of trips, which only awaited rounds have.
    private static final int VERBS = 0;
    private static final int IN = 1;
    private static final int OUT = 2;
    private static final int TRIPS = AWAITED + 3;
    private static final int ASIDE = BACKGROUND + 3;
    private final long[] shares = new long[SHARE * LABELS];

    // The other kinds, by their ordinals.
    private final long[] others = new long[VerbKind.count()];
    private final long[] backgroundOthers = new long[VerbKind.count()];

    /** Creates counters that are all zero. */
    public Traffic() {}

    /** Returns the trips on the critical path: the longest chain of awaited rounds so far. */
    public long roundTrips() {
        return roundTrips;
    }

    /** Returns the trips to services among the compute nodes, which {@link #roundTrips()} does not include. */
    public long asideTrips() {
        return asideTrips;
    }

    /** Returns the number of awaited rounds posted. */
    public long rounds() {
        return rounds;
    }

    /** Returns the number of rounds posted in the background. */
    public long backgroundRounds() {
        return backgroundRounds;
    }

    /**
     * Returns the trips, among {@link #roundTrips()} and in the background, that were taken only because an order was
     * not free.
     */
    public long fenceTrips() {
        return fenceTrips;
    }

    /** Returns the verbs of this kind in awaited rounds. */
    public long verbs(VerbKind kind) {
        return switch (kind) {
            case READ -> reads;
            case WRITE -> writes;
            case CAS -> swaps;
            default -> others[kind.ordinal()];
        };
    }

    /** Returns the verbs of this kind in background rounds. */
    public long backgroundVerbs(VerbKind kind) {
        return switch (kind) {
            case READ -> backgroundReads;
            case WRITE -> backgroundWrites;
            case CAS -> backgroundSwaps;
            default -> backgroundOthers[kind.ordinal()];
        };
    }

    /** Returns the number of all verbs, critical path and background. */
    public long allVerbs() {
        return allVerbs;
    }

    /** Returns the bytes that READ, atomics and CALL bring back in awaited rounds. */
    public long bytesRead() {
        return bytesRead;
    }

    /** Returns the bytes that WRITE, atomics and CALL send in awaited rounds. */
    public long bytesWritten() {
        return bytesWritten;
    }

    public long backgroundBytesRead() {
        return backgroundBytesRead;
    }

    public long backgroundBytesWritten() {
        return backgroundBytesWritten;
    }

    /**
     * The part of the traffic that rounds of one label made. The sums over all labels are the totals.
     *
     * @param roundTrips by how much these rounds made the longest chain of awaited rounds longer
     * @param verbs of all kinds, in awaited rounds
     */
    public record Share(
            long roundTrips,
            long asideTrips,
            long verbs,
            long bytesRead,
            long bytesWritten,
            long backgroundVerbs,
            long backgroundBytesRead,
            long backgroundBytesWritten) {
        /** Returns whether rounds of this label were posted. */
        public boolean isAny() {
            return verbs + backgroundVerbs != 0;
        }
    }

    /** Returns the share of the rounds with a label. */
    public Share share(int label) {
        int at = SHARE * Objects.checkIndex(label, LABELS);
        int background = at + BACKGROUND;
        return new Share(
                shares[at + TRIPS],
                shares[at + ASIDE],
                shares[at + VERBS],
                shares[at + IN],
                shares[at + OUT],
                shares[background + VERBS],
                shares[background + IN],
                shares[background + OUT]);
    }

    /** Returns the rounds, awaited or not, of which at least one verb failed. */
    public long failedRounds() {
        return failedRounds;
    }

    /** Returns a copy of the counters, to subtract them later. */
    public Traffic snapshot() {
        Traffic copy = new Traffic();
        copy.add(this);
        return copy;
    }

    /** Returns the counts since {@code earlier}. */
    public Traffic since(Traffic earlier) {
        Traffic difference = snapshot();
        difference.combine(earlier, -1);
        return difference;
    }

    /** Adds the counters of another lane. Trips add up too, so divide by transactions, not by lanes. */
    public void add(Traffic other) {
        combine(other, 1);
    }

    /** Counts verbs of the usual kinds; bytes are those of READs and WRITEs. */
    void count(int label, int moreReads, int moreWrites, int moreSwaps, long in, long out, boolean background) {
        if (background) {
            backgroundReads += moreReads;
            backgroundWrites += moreWrites;
            backgroundSwaps += moreSwaps;
        } else {
            reads += moreReads;
            writes += moreWrites;
            swaps += moreSwaps;
        }
        int verbs = moreReads + moreWrites + moreSwaps;
        allVerbs += verbs;
        long words = (long) moreSwaps * Long.BYTES;
        add(in + words, out + words, background);
        addShare(label, verbs, in + words, out + words, background);
    }

    /** Counts a verb of another kind; ignores the usual kinds. */
    void countOther(int label, Verb verb, boolean background) {
        int code = verb.code();
        if (code == READ || code == WRITE || code == CAS) return;
        if (background) backgroundOthers[code]++;
        else others[code]++;
        allVerbs++;
        long in = 0;
        long out = 0;
        switch (verb.kind()) {
            case FAA, MASKED_CAS, MASKED_FAA -> in = out = Long.BYTES;
            case CALL -> {
                in = verb.replyLength;
                out = verb.length;
            }
            default -> {}
        }
        add(in, out, background);
        addShare(label, 1, in, out, background);
    }

    /** Counts an awaited round by the length of the chain of trips at whose end it was done. */
    void awaited(int label, long depth) {
        if (depth <= roundTrips) return;
        shares[SHARE * label + TRIPS] += depth - roundTrips;
        roundTrips = depth;
    }

    /** Counts a trip to a service among the compute nodes. */
    void countAside(int label) {
        asideTrips++;
        shares[SHARE * label + ASIDE]++;
    }

    private void addShare(int label, int verbs, long in, long out, boolean background) {
        int at = SHARE * label + (background ? BACKGROUND : AWAITED);
        shares[at + VERBS] += verbs;
        if (in != 0) shares[at + IN] += in;
        if (out != 0) shares[at + OUT] += out;
    }

    private void add(long in, long out, boolean background) {
        if (background) {
            backgroundBytesRead += in;
            backgroundBytesWritten += out;
        } else {
            bytesRead += in;
            bytesWritten += out;
        }
    }

    private void combine(Traffic other, int sign) {
        for (int i = 0; i < others.length; i++) {
            others[i] += sign * other.others[i];
            backgroundOthers[i] += sign * other.backgroundOthers[i];
        }
        for (int i = 0; i < shares.length; i++) shares[i] += sign * other.shares[i];
        reads += sign * other.reads;
        writes += sign * other.writes;
        swaps += sign * other.swaps;
        backgroundReads += sign * other.backgroundReads;
        backgroundWrites += sign * other.backgroundWrites;
        backgroundSwaps += sign * other.backgroundSwaps;
        allVerbs += sign * other.allVerbs;
        roundTrips += sign * other.roundTrips;
        asideTrips += sign * other.asideTrips;
        rounds += sign * other.rounds;
        backgroundRounds += sign * other.backgroundRounds;
        fenceTrips += sign * other.fenceTrips;
        bytesRead += sign * other.bytesRead;
        bytesWritten += sign * other.bytesWritten;
        backgroundBytesRead += sign * other.backgroundBytesRead;
        backgroundBytesWritten += sign * other.backgroundBytesWritten;
        failedRounds += sign * other.failedRounds;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("roundTrips=" + roundTrips + " rounds=" + rounds + " backgroundRounds="
                + backgroundRounds + " fenceTrips=" + fenceTrips + " bytesRead=" + bytesRead + " bytesWritten="
                + bytesWritten);
        for (int i = 0; i < others.length; i++) {
            VerbKind kind = VerbKind.of(i);
            if (verbs(kind) + backgroundVerbs(kind) != 0)
                text.append(' ' + kind.name() + '=' + verbs(kind) + '+' + backgroundVerbs(kind));
        }
        return text.toString();
    }
}
