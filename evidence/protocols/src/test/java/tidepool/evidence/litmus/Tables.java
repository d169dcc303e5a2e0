package tidepool.evidence.litmus;

import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Checks;
import tidepool.protocol.Protocols;
import tidepool.schema.Schema;
import tidepool.spi.PoolAccess;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;

/**
 * The tables of a pool in which {@code rounds} rounds are to be played. Every round has keys of its own, so that it
 * does not find the rows of another round.
 */
final class Tables {
    /**
     * After this number of rounds, keys are used again: in scenes with large values, and in scenes that need a fresh
     * bucket.
     */
    static final int LARGE_ROUNDS = 256;

    static final int TIGHT_ROUNDS = 128;

    private static final int KEYS_OF_A_ROUND = 4;
    private static final int PARTITIONS = 2;
    private static final int BUCKETS_OF_A_ROUND = 8;

    /** Rows that keep their versions need at most this many times the memory. */
    private static final int WITH_VERSIONS = 6;

    private static final int MAX_SLOTS = 8;

    private final Tidepool pool;
    private final int rounds;

    /** At least the slots of a bucket. If it is more than that, there are more buckets. */
    private final int slots;

    private Table<Row> rows;
    private Table<Row> tight;
    private Table<Large> large;

    Tables(Tidepool pool, String protocol, int rounds) {
        this.pool = pool;
        this.rounds = rounds;
        this.slots = isPlain(protocol) ? 4 : MAX_SLOTS;
    }

    private static boolean isPlain(String protocol) {
        return Protocols.named(protocol).rows(Schema.parse("any(a:long)")).isPlain();
    }

    /** On three nodes the first partition lies on nodes 0 and 1, the second on 1 and 2. So a node holds one or both. */
    static PoolOptions pool(String protocol, int rounds) {
        long bytes = 128 * 1024
                + rounds * 1_280L
                + Math.min(rounds, LARGE_ROUNDS) * 4_352L
                + Math.min(rounds, TIGHT_ROUNDS) * 12_288L;
        boolean plain =
                Protocols.named(protocol).rows(Schema.parse("any(a:long)")).isPlain();
        return new PoolOptions(protocol, 2, PARTITIONS, plain ? bytes : WITH_VERSIONS * bytes, 16, 32 * 1024);
    }

    Table<Row> rows() {
        if (rows == null) rows = pool.table("rows", Row.class, Math.max(2, rounds * KEYS_OF_A_ROUND));
        return rows;
    }

    Table<Large> large() {
        if (large == null) large = pool.table("large", Large.class, Math.min(rounds, LARGE_ROUNDS));
        return large;
    }

    /** Returns a table with several buckets for each round, so that there are enough overflow buckets. */
    Table<Row> tight() {
        int buckets = BUCKETS_OF_A_ROUND * Math.min(rounds, TIGHT_ROUNDS);
        if (tight == null) tight = pool.table("tight", Row.class, (long) buckets * slots * PARTITIONS * 2 / 3);
        return tight;
    }

    /** Returns the i-th key of a round; even ones lie in the first partition, odd ones in the second. */
    static long key(TableLayout table, long round, int i) {
        long key = (round * 16 + i) * 64 + 1;
        while (table.partition(key) != i % PARTITIONS) key++;
        return key;
    }

    /** Returns the i-th of the round's keys in the bucket of the given key. */
    static long inBucketOf(TableLayout table, long round, long key, int i) {
        return inBucket(table, table.home(key), (1L << 40) + (round << 22), i);
    }

    /** Returns the i-th key of the b-th bucket, in the first partition, that only this round uses. */
    long tightKey(long round, int b, int i) {
        TableLayout table = PoolAccess.layout(tight().handle());
        long bucket = round % Math.min(rounds, TIGHT_ROUNDS) * BUCKETS_OF_A_ROUND + b;
        Checks.invariant(bucket < table.buckets(), "every round has its buckets", bucket);
        return inBucket(table, Pointer.of(0, table.base() + 64 + bucket * table.bucketBytes()), 1, i);
    }

    private static long inBucket(TableLayout table, long home, long from, int i) {
        int left = i;
        for (long key = from; ; key++) if (table.home(key) == home && left-- == 0) return key;
    }
}
