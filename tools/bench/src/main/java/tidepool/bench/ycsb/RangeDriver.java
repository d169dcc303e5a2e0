package tidepool.bench.ycsb;

import java.nio.ByteBuffer;
import tidepool.base.Randomness;
import tidepool.bench.race.ClientDriver;
import tidepool.bench.race.TxnEnd;
import tidepool.workload.measured.ycsb.Ycsb;

/**
 * A driver that draws the scans and inserts of YCSB E. No loaded record of a scanned range may be missing, and each
 * record that is read has to be that of its key.
 */
final class RangeDriver implements ClientDriver {
    private final RangeClerk clerk;
    private final Ycsb ycsb;
    private final int number;
    private final Randomness random;
    private final byte[] value;
    private final RangeClerk.Visitor visitor = this::look;
    private int type;
    private long key;
    private int length;
    private long inserted;
    private long abortsBefore;

    // ---- the scan under way
    private long last;
    private long expected;
    private int found;
    private long wrong;

    RangeDriver(RangeClerk clerk, Ycsb ycsb, int number, Randomness random) {
        this.clerk = clerk;
        this.ycsb = ycsb;
        this.number = number;
        this.random = random;
        this.value = new byte[ycsb.valueBytes()];
    }

    @Override
    public int draw() {
        type = ycsb.mix().draw(random);
        length = type == Ycsb.SCAN ? 1 + random.nextInt(Ycsb.MAX_SCAN) : 0;
        key = type == Ycsb.INSERT
                ? ycsb.inserted(number, inserted)
                : ycsb.loaded(ycsb.keys().draw(random));
        abortsBefore = clerk.aborts();
        return type;
    }

    @Override
    public TxnEnd run() {
        if (type == Ycsb.INSERT) {
            Stamp.write(value, key, 0);
            clerk.insert(key, value);
            inserted++;
            return TxnEnd.COMMITTED;
        }
        last = key - 1;
        expected = Ycsb.record(key);
        found = 0;
        clerk.scan(key, length, visitor);
        boolean isShort = found < length && expected < ycsb.records();
        if (isShort || found > length) wrong++;
        return TxnEnd.COMMITTED;
    }

    private void look(long of, ByteBuffer record) {
        boolean isLoaded = of == ycsb.loaded(Ycsb.record(of));
        boolean isRight = of > last && Ycsb.record(of) == (isLoaded ? expected : expected - 1);
        if (isLoaded) expected++;
        last = of;
        found++;
        if (!isRight || record.remaining() != value.length || !Stamp.isOf(record, of)) wrong++;
    }

    int number() {
        return number;
    }

    /** Returns the number of records that it inserted. */
    long inserted() {
        return inserted;
    }

    /** Returns how many scans and records were not as they must be. */
    long wrong() {
        return wrong;
    }

    long aborts() {
        return clerk.aborts();
    }

    @Override
    public int attempts() {
        return (int) (1 + clerk.aborts() - abortsBefore);
    }
}
