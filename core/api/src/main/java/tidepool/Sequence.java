package tidepool;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import tidepool.schema.Key;
import tidepool.schema.Length;

/**
 * A source of numbers, of which none is handed out twice, by any process, for ever. Shared by all threads.
 *
 * <pre>{@code
 * Sequence ids = pool.sequence("orders");
 * pool.transact(tx -> orders.insert(tx, new Order(ids.next(), customer)));
 * }</pre>
 *
 * <p>Numbers are drawn from the pool in blocks, by a transaction of their own, and most calls of {@link #next} do not
 * leave the process. So numbers of one process increase, those of several processes are not in the order of time, and
 * numbers are missing: those of a transaction that rolled back, and the rest of a block when its process ends. A body
 * that runs twice draws twice.
 *
 * <p>A block is drawn while the caller waits, on a coordinator that the caller does not use. A pool whose coordinators
 * are all inside bodies that call {@code next} has none left for that: draw the number before the transaction there.
 */
public final class Sequence {
    /** The table of all sequences of a pool. */
    static final String TABLE = "_sequences";

    static final long ROWS = 200;
    static final int BLOCK = 1_000;
    private static final int MAX_BLOCK = 1_000_000;
    private static final int MAX_TRIES = 3;

    /** A sequence in the pool: the first number that is in no block. */
    record Row(@Key @Length(40) String name, long next) {}

    /** Numbers that this process has drawn. */
    private static final class Block {
        private final AtomicLong next;
        private final long end;

        Block(long first, long end) {
            this.next = new AtomicLong(first);
            this.end = end;
        }

        boolean isUsed() {
            return next.get() >= end;
        }

        /** Returns a number; {@code end} or more if there is none left. */
        long take() {
            return isUsed() ? end : next.getAndIncrement();
        }
    }

    private final Tidepool pool;
    private final Table<Row> rows;
    private final String name;
    private final int block;
    private final AtomicReference<Block> current = new AtomicReference<>(new Block(0, 0));

    /** Blocks that were drawn at the same time as another one. */
    private final Queue<Block> spare = new ConcurrentLinkedQueue<>();

    Sequence(Tidepool pool, Table<Row> rows, String name, int block) {
        if (name == null || name.isEmpty()) throw new IllegalArgumentException("a sequence has a name");
        if (block < 1 || block > MAX_BLOCK)
            throw new IllegalArgumentException("a block has 1 to " + MAX_BLOCK + " numbers, not " + block);
        rows.key(name); // refuses a name that is too long
        this.pool = pool;
        this.rows = rows;
        this.name = name;
        this.block = block;
    }

    /** Returns its name. */
    public String name() {
        return name;
    }

    /** Returns a number that no other call has returned. Waits for the pool if a block is used up. */
    public long next() {
        while (true) {
            Block now = current.get();
            long number = now.take();
            if (number < now.end) return number;
            Block fresh = spare.poll();
            if (fresh == null) fresh = draw();
            if (!current.compareAndSet(now, fresh)) spare.add(fresh);
        }
    }

    /**
     * Draws a block. If the outcome of the transaction is unknown, its numbers may be those of the next block that is
     * drawn, by any process, so they are not used.
     */
    private Block draw() {
        for (int tries = 1; ; tries++) {
            try {
                long end = pool.compute(tx -> rows.upsert(tx, new Row(name, 1L + block), this::advanced))
                        .next();
                return new Block(end - block, end);
            } catch (UnknownOutcomeException e) {
                if (tries == MAX_TRIES) throw e;
            }
        }
    }

    private Row advanced(Row row) {
        if (row.next() > Long.MAX_VALUE - block)
            throw new IllegalStateException("the sequence is used up: name=" + name + " next=" + row.next());
        return new Row(name, row.next() + block);
    }

    @Override
    public String toString() {
        return "sequence " + name;
    }
}
