package tidepool;

import java.util.ArrayList;
import java.util.List;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.RowKey;

/**
 * A number to which transactions add without conflicts with each other. It is kept in stripes, a row for each
 * coordinator of the pool, and a transaction adds to the row of its own coordinator. Shared by all threads.
 *
 * <pre>{@code
 * StripedCounter visits = pool.counter("visits");
 * pool.transact(tx -> visits.add(tx, 1));
 * long all = visits.sum();
 * }</pre>
 *
 * <p>An addition is a part of its transaction, and happens or does not happen with it. {@link #sum} reads all stripes,
 * so it conflicts with additions as any read does with writes; where a protocol has snapshots, it does not.
 */
public final class StripedCounter {
    /** The table of all counters of a pool. */
    static final String TABLE = "_counters";

    static final long ROWS = 4_000;

    /** A pool with more coordinators has some that share a stripe. */
    static final int MAX_STRIPES = 256;

    /** One stripe of a counter. */
    record Stripe(@Key @Length(40) String name, @Key short stripe, long value) {}

    private final Tidepool pool;
    private final Table<Stripe> rows;
    private final String name;
    private final int stripes;

    StripedCounter(Tidepool pool, Table<Stripe> rows, String name, int stripes) {
        if (name == null || name.isEmpty()) throw new IllegalArgumentException("a counter has a name");
        rows.key(name, 0); // refuses a name that is too long
        this.pool = pool;
        this.rows = rows;
        this.name = name;
        this.stripes = stripes;
    }

    /** Returns its name. */
    public String name() {
        return name;
    }

    /** Adds a number, which may be negative. Costs what {@link Table#upsert} costs. */
    public void add(Transaction transaction, long delta) {
        short stripe = (short) (transaction.coordinator() % stripes);
        rows.upsert(
                transaction,
                new Stripe(name, stripe, delta),
                old -> new Stripe(name, stripe, Math.addExact(old.value(), delta)));
    }

    /** Returns the sum of all additions that the transaction sees, its own included. */
    public long sum(Transaction transaction) {
        List<RowKey> keys = new ArrayList<>(stripes);
        for (int i = 0; i < stripes; i++) keys.add(rows.key(name, i));
        long sum = 0;
        for (Stripe each : rows.getAll(transaction, keys)) if (each != null) sum = Math.addExact(sum, each.value());
        return sum;
    }

    /** Returns the sum of all additions, in a transaction that only reads. */
    public long sum() {
        return pool.read(this::sum);
    }

    @Override
    public String toString() {
        return "counter " + name;
    }
}
