package tidepool.bench.race;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** The tally of one type of transaction. Adding to it allocates nothing. */
final class TypeTally {
    /** The longest time that is recorded. A longer one is recorded as this one. */
    static final long MAX_NANOS = 60_000_000_000L;

    private static final int DIGITS = 3;
    private static final int COUNTS = TxnEnd.values().length + 4;

    private final long[] ends = new long[TxnEnd.values().length];
    private long attempts;
    private long roundTrips;
    private long verbs;
    private long bytes;
    private final Histogram latency;

    TypeTally() {
        this(new Histogram(MAX_NANOS, DIGITS));
    }

    private TypeTally(Histogram latency) {
        this.latency = latency;
    }

    /** Called when a transaction of the driver has ended. */
    void add(TxnEnd end, ClientDriver driver, long nanos) {
        ends[end.ordinal()]++;
        attempts += driver.attempts();
        roundTrips += driver.roundTrips();
        verbs += driver.verbs();
        bytes += driver.bytes();
        latency.recordValue(Math.min(Math.max(0, nanos), MAX_NANOS));
    }

    /** Called for a transaction that was due this long ago and did not begin: it would have taken at least as long. */
    void addWaiting(long nanos) {
        latency.recordValue(Math.min(Math.max(0, nanos), MAX_NANOS));
    }

    void add(TypeTally other) {
        for (int i = 0; i < ends.length; i++) ends[i] += other.ends[i];
        attempts += other.attempts;
        roundTrips += other.roundTrips;
        verbs += other.verbs;
        bytes += other.bytes;
        latency.add(other.latency);
    }

    long count(TxnEnd end) {
        return ends[end.ordinal()];
    }

    /** Returns the number of transactions that have ended in any way. */
    long transactions() {
        long sum = 0;
        for (long count : ends) sum += count;
        return sum;
    }

    /** Returns one of the counts below per ended transaction. */
    double perTransaction(long count) {
        return transactions() == 0 ? 0 : (double) count / transactions();
    }

    long attempts() {
        return attempts;
    }

    long roundTrips() {
        return roundTrips;
    }

    long verbs() {
        return verbs;
    }

    long bytes() {
        return bytes;
    }

    /** Returns the times of all ended and all waiting transactions, in nanoseconds. Not a copy. */
    Histogram latency() {
        return latency;
    }

    /** Returns one word, which is passed between processes. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (long count : ends) text.append(count).append(',');
        text.append(attempts).append(',').append(roundTrips).append(',').append(verbs);
        text.append(',').append(bytes).append(',');
        ByteBuffer room = ByteBuffer.allocate(latency.getNeededByteBufferCapacity());
        int length = latency.encodeIntoCompressedByteBuffer(room);
        byte[] packed = Base64.getEncoder()
                .encode(ByteBuffer.wrap(room.array(), 0, length))
                .array();
        return text.append(new String(packed, StandardCharsets.US_ASCII)).toString();
    }

    static TypeTally parse(String text) {
        String[] parts = text.split(",", -1);
        if (parts.length != COUNTS + 1) throw new IllegalArgumentException("no tally of a type: " + text);
        try {
            ByteBuffer packed = ByteBuffer.wrap(Base64.getDecoder().decode(parts[COUNTS]));
            TypeTally tally = new TypeTally(Histogram.decodeFromCompressedByteBuffer(packed, MAX_NANOS));
            int i = 0;
            for (; i < tally.ends.length; i++) tally.ends[i] = Long.parseLong(parts[i]);
            tally.attempts = Long.parseLong(parts[i++]);
            tally.roundTrips = Long.parseLong(parts[i++]);
            tally.verbs = Long.parseLong(parts[i++]);
            tally.bytes = Long.parseLong(parts[i]);
            return tally;
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("no tally of a type: " + text, e);
        }
    }
}
