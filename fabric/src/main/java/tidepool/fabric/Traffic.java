package tidepool.fabric;

/**
 * What a lane has sent: round trips, verbs and bytes, on the critical path and in the background apart. {@link Round}
 * counts, nobody else does; the counts are exact and do not depend on the machine.
 *
 * <p>Round trips are the longest chain of awaited rounds: rounds that overlap count once, and a fence that makes the
 * requester wait counts as one more. Background rounds are counted but add no trip.
 */
public final class Traffic {
    private static final int READ = VerbKind.READ.ordinal();
    private static final int WRITE = VerbKind.WRITE.ordinal();
    private static final int CAS = VerbKind.CAS.ordinal();

    private final long[] verbs = new long[VerbKind.count()];
    private final long[] backgroundVerbs = new long[VerbKind.count()];
    /** The sum of both: who counts by transaction asks for it after each. */
    private long allVerbs;

    long roundTrips;
    long asideTrips;
    long rounds;
    long backgroundRounds;
    long fenceTrips;
    long bytesRead;
    long bytesWritten;
    long backgroundBytesRead;
    long backgroundBytesWritten;
    long failedRounds;

    /** All zero. */
    public Traffic() {}

    /** Trips on the critical path: the longest chain of awaited rounds so far. */
    public long roundTrips() {
        return roundTrips;
    }

    /** Trips to services among the compute nodes, which are not among {@link #roundTrips()}. */
    public long asideTrips() {
        return asideTrips;
    }

    /** Awaited rounds posted. */
    public long rounds() {
        return rounds;
    }

    /** Rounds posted in the background. */
    public long backgroundRounds() {
        return backgroundRounds;
    }

    /** Trips, among {@link #roundTrips()} and in the background, that were paid only because an order was not free. */
    public long fenceTrips() {
        return fenceTrips;
    }

    /** Verbs of this kind in awaited rounds. */
    public long verbs(VerbKind kind) {
        return verbs[kind.ordinal()];
    }

    /** Verbs of this kind in background rounds. */
    public long backgroundVerbs(VerbKind kind) {
        return backgroundVerbs[kind.ordinal()];
    }

    /** All verbs, critical path and background. */
    public long allVerbs() {
        return allVerbs;
    }

    /** Bytes that READ, atomics and CALL bring back in awaited rounds. */
    public long bytesRead() {
        return bytesRead;
    }

    /** Bytes that WRITE, atomics and CALL carry out in awaited rounds. */
    public long bytesWritten() {
        return bytesWritten;
    }

    public long backgroundBytesRead() {
        return backgroundBytesRead;
    }

    public long backgroundBytesWritten() {
        return backgroundBytesWritten;
    }

    /** Rounds, awaited or not, of which at least one verb failed. */
    public long failedRounds() {
        return failedRounds;
    }

    /** Copies the counters, to subtract them later. */
    public Traffic snapshot() {
        Traffic copy = new Traffic();
        copy.add(this);
        return copy;
    }

    /** What was counted since {@code earlier}. */
    public Traffic since(Traffic earlier) {
        Traffic difference = snapshot();
        difference.combine(earlier, -1);
        return difference;
    }

    /** Adds the counters of another lane. Trips add up too, so divide by transactions, not by lanes. */
    public void add(Traffic other) {
        combine(other, 1);
    }

    /** Verbs of the usual kinds; bytes are those of READs and WRITEs. */
    void count(int reads, int writes, int swaps, long in, long out, boolean background) {
        long[] counts = background ? backgroundVerbs : verbs;
        counts[READ] += reads;
        counts[WRITE] += writes;
        counts[CAS] += swaps;
        allVerbs += reads + writes + swaps;
        long words = (long) swaps * Long.BYTES;
        add(in + words, out + words, background);
    }

    /** A verb of another kind; does nothing about the usual ones. */
    void countOther(Verb verb, boolean background) {
        int code = verb.code();
        if (code == READ || code == WRITE || code == CAS) return;
        long[] counts = background ? backgroundVerbs : verbs;
        counts[code]++;
        allVerbs++;
        switch (verb.kind()) {
            case FAA, MASKED_CAS, MASKED_FAA -> add(Long.BYTES, Long.BYTES, background);
            case CALL -> add(verb.replyLength, verb.length, background);
            default -> {}
        }
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
        for (int i = 0; i < verbs.length; i++) {
            verbs[i] += sign * other.verbs[i];
            backgroundVerbs[i] += sign * other.backgroundVerbs[i];
        }
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
        for (int i = 0; i < verbs.length; i++)
            if (verbs[i] + backgroundVerbs[i] != 0)
                text.append(' ')
                        .append(VerbKind.of(i))
                        .append('=')
                        .append(verbs[i])
                        .append('+')
                        .append(backgroundVerbs[i]);
        return text.toString();
    }
}
