package tidepool.bench.smallbank;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What was done in one round, by one thread or by all. Travels between processes as a line of text.
 *
 * @param nanos how long it took
 * @param commits transactions that happened
 * @param rollbacks transactions that ended because there was not enough money
 * @param aborts attempts that had to be made again
 * @param roundTrips as the fabric counts them
 * @param bytesAllocated by the threads that worked
 * @param cents that came into the bank
 * @param changes of accounts
 * @param latency of transactions that happened or were rolled back, in nanoseconds
 */
record RoundResult(
        long nanos,
        long commits,
        long rollbacks,
        long aborts,
        long roundTrips,
        long bytesAllocated,
        long cents,
        long changes,
        Histogram latency) {
    /** Longer ones count as this long. */
    static final long MOST_NANOS = 60_000_000_000L;

    private static final int DIGITS = 3;

    static Histogram newHistogram() {
        return new Histogram(MOST_NANOS, DIGITS);
    }

    /** Of two threads that worked at the same time. */
    RoundResult with(RoundResult other) {
        Histogram both = latency.copy();
        both.add(other.latency);
        return new RoundResult(
                Math.max(nanos, other.nanos),
                commits + other.commits,
                rollbacks + other.rollbacks,
                aborts + other.aborts,
                roundTrips + other.roundTrips,
                bytesAllocated + other.bytesAllocated,
                cents + other.cents,
                changes + other.changes,
                both);
    }

    double perSecond(long count) {
        return count * 1e9 / nanos;
    }

    double commitsPerSecond() {
        return perSecond(commits);
    }

    /** Committed or rolled back. */
    long transactions() {
        return commits + rollbacks;
    }

    String line() {
        ByteBuffer bytes = ByteBuffer.allocate(latency.getNeededByteBufferCapacity());
        int length = latency.encodeIntoCompressedByteBuffer(bytes);
        ByteBuffer used = ByteBuffer.wrap(bytes.array(), 0, length);
        return nanos + " " + commits + " " + rollbacks + " " + aborts + " " + roundTrips + " " + bytesAllocated + " "
                + cents + " " + changes + " "
                + new String(Base64.getEncoder().encode(used).array(), StandardCharsets.US_ASCII);
    }

    static RoundResult parse(String line) {
        String[] words = line.split(" ", -1);
        long[] n = new long[words.length - 1];
        for (int i = 0; i < n.length; i++) n[i] = Long.parseLong(words[i]);
        try {
            Histogram latency = Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(words[n.length])), 0);
            return new RoundResult(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], latency);
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("no result of a round: " + line, e);
        }
    }
}
