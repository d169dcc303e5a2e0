package tidepool.history;

import static tidepool.history.VersionOrders.INITIAL;
import static tidepool.history.VersionOrders.NONE;
import static tidepool.history.VersionOrders.UNKNOWN;

import java.util.Arrays;

/**
 * The times at which rows were inserted and removed. Every insert and every removal makes a version of its bucket, and
 * these versions form a chain. Walking along the chain shows which rows existed at each version. So it shows which
 * tombstone an insert replaced, and which one a transaction saw that did not find the row.
 *
 * <p>A split moves rows to a new bucket. Every later version of the new bucket comes after it. So the chain of the new
 * bucket is followed after that of the bucket that was split, and begins with the rows as they are known then: the
 * rest of the first chain does not touch the rows that have moved.
 *
 * <p>Where the chain says that the row existed, neither is possible. That is a contradiction, and nothing is concluded
 * from the operation.
 */
final class Presence {
    private final Ops ops;
    private final Transactions transactions;
    private final KeyNumbering keys;
    private final VersionOrders orders;
    private final int[] before;
    private final int[] present;
    private final int[] tombstones;
    /** For each write of a bucket the operations that did not find a row at that version, as a linked list. */
    private final int[] firstReaders;

    private final int[] nextReaders;
    private final IntColumn contradictions = new IntColumn();

    Presence(History history, VersionOrders orders) {
        this.ops = history.ops;
        this.transactions = history.transactions;
        this.keys = history.keys;
        this.orders = orders;
        before = filled(ops.count(), UNKNOWN);
        present = filled(history.keys.count(), NONE);
        tombstones = filled(history.keys.count(), INITIAL);
        firstReaders = filled(ops.count(), NONE);
        nextReaders = filled(ops.count(), NONE);
        attachReaders(history.versions);
        followAll();
    }

    private static int[] filled(int length, int value) {
        int[] array = new int[length];
        Arrays.fill(array, value);
        return array;
    }

    private void attachReaders(VersionIndex versions) {
        for (int t = 0; t < transactions.count(); t++) {
            if (!orders.isCommitted(t)) continue;
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) {
                if (ops.kind(op) != Ops.READ_GONE) continue;
                int writer = ops.value(op) == MicroOp.NEVER ? INITIAL : versions.find(ops.bucket(op), ops.value(op));
                if (ops.value(op) == MicroOp.NEVER) before[op] = INITIAL;
                else if (orders.tookEffect(writer)) attach(op, writer);
            }
        }
    }

    private void attach(int read, int writer) {
        nextReaders[read] = firstReaders[writer];
        firstReaders[writer] = read;
    }

    /** Follows the chains of all buckets, each one after that of the bucket from which a split has made it. */
    private void followAll() {
        boolean[] isMade = new boolean[keys.count()];
        for (int op = 0; op < ops.count(); op++) if (isOfNewBucket(op)) isMade[ops.key(op)] = true;
        boolean[] followed = new boolean[keys.count()];
        IntColumn next = new IntColumn();
        for (int key = 0; key < keys.count(); key++) if (keys.isBucket(key) && !isMade[key]) next.add(key);
        for (int i = 0; i < next.size(); i++) {
            int bucket = next.at(i);
            if (followed[bucket]) continue;
            followed[bucket] = true;
            follow(bucket, next);
        }
        // Those that only splits have made which are not in the chain of their bucket: other checks report these.
        for (int key = 0; key < keys.count(); key++) if (keys.isBucket(key) && !followed[key]) follow(key, next);
    }

    /** Whether a split has written a bucket that it has made. */
    private boolean isOfNewBucket(int op) {
        return ops.isWrite(op) && ops.bucket(op) != Ops.NO_BUCKET && keys.isBucket(ops.key(op));
    }

    /** @param made list to which the buckets are added that splits of this bucket have made */
    private void follow(int bucket, IntColumn made) {
        int last = orders.last(bucket);
        if (last == INITIAL) return;
        for (int write = orders.successor(INITIAL, bucket); ; write = orders.successor(write, bucket)) {
            int t = transactions.owner(write);
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++)
                if (ops.bucket(op) == bucket && isOfNewBucket(op)) made.add(ops.key(op));
                else if (ops.bucket(op) == bucket && ops.isWrite(op)) change(op);
            for (int read = firstReaders[write]; read != NONE; read = nextReaders[read]) miss(read);
            if (write == last) return;
        }
    }

    private void change(int op) {
        int key = ops.key(op);
        if (ops.kind(op) == Ops.DELETE) {
            present[key] = NONE;
            tombstones[key] = op;
        } else {
            miss(op);
            present[key] = op;
        }
    }

    /** Records that an operation did not find the row. */
    private void miss(int op) {
        int insert = present[ops.key(op)];
        if (insert == NONE) {
            before[op] = tombstones[ops.key(op)];
            return;
        }
        contradictions.add(op);
        contradictions.add(insert);
    }

    /**
     * Returns the removal of the row before an insert, or before an operation that did not find it;
     * {@link VersionOrders#INITIAL} if there had been no such row, {@link VersionOrders#UNKNOWN} if it cannot be
     * derived from the bucket.
     */
    int before(int op) {
        return before[op];
    }

    int contradictionCount() {
        return contradictions.size() / 2;
    }

    /** Returns the operation that found no row. */
    int missed(int contradiction) {
        return contradictions.at(2 * contradiction);
    }

    /** Returns the insert of the row that existed. */
    int inserted(int contradiction) {
        return contradictions.at(2 * contradiction + 1);
    }
}
