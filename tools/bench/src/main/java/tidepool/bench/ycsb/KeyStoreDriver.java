package tidepool.bench.ycsb;

import tidepool.base.Randomness;
import tidepool.bench.race.ClientDriver;
import tidepool.bench.race.TxnEnd;
import tidepool.workload.measured.ycsb.Ycsb;

/** A driver that draws YCSB's reads and updates and sends them to a clerk. Each record read has to be whole. */
class KeyStoreDriver implements ClientDriver {
    static final int READ = 0;

    private static final int NUMBER_SHIFT = 48;

    protected final byte[] value;
    protected int type;
    protected int key;
    private final Clerk clerk;
    private final Ycsb ycsb;
    private final Randomness random;
    private final long[] last;
    private long stamp;
    private long abortsBefore;

    KeyStoreDriver(Clerk clerk, Ycsb ycsb, int number, Randomness random) {
        this.clerk = clerk;
        this.ycsb = ycsb;
        this.random = random;
        this.last = new long[Math.toIntExact(ycsb.records())];
        this.value = new byte[ycsb.valueBytes()];
        this.stamp = (long) (number + 1) << NUMBER_SHIFT; // stamps of two drivers differ
    }

    @Override
    public int draw() {
        type = ycsb.mix().draw(random);
        key = (int) ycsb.keys().draw(random);
        abortsBefore = clerk.aborts();
        return type;
    }

    @Override
    public TxnEnd run() {
        if (type == READ) {
            if (!clerk.read(key, value)) throw missing(key);
            Stamp.read(value, key);
        } else {
            fill();
            clerk.update(key, value);
        }
        return TxnEnd.COMMITTED;
    }

    /** Writes the next record of the drawn key into the buffer. */
    protected final void fill() {
        Stamp.write(value, key, ++stamp);
        last[key] = stamp;
    }

    protected static IllegalStateException missing(int key) {
        return new IllegalStateException("the record of key " + key + " is missing");
    }

    /** Returns the last stamp that it wrote to a key; 0 if there is none. */
    long last(int of) {
        return last[of];
    }

    long aborts() {
        return clerk.aborts();
    }

    @Override
    public int attempts() {
        return (int) (1 + clerk.aborts() - abortsBefore);
    }
}
