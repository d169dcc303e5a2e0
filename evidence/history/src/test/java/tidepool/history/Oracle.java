package tidepool.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tidepool.history.Recorded.Outcome;
import tidepool.history.Recorded.Txn;

/**
 * Decides by trying everything. It knows nothing of dependencies: it executes the transactions in every order (for
 * snapshot isolation: every order of beginnings and commits) and asks whether one of them explains the reads.
 * Transactions of unknown outcome may be left out.
 */
final class Oracle {
    private static final Object GONE = "gone";
    private static final long NO_BUCKET = Long.MAX_VALUE;

    private final List<Txn> txns;
    private final boolean realTime;
    private final boolean told;

    private Oracle(List<Txn> txns, boolean realTime, boolean told) {
        this.txns = txns;
        this.realTime = realTime;
        this.told = told;
    }

    static boolean holds(Level level, Recorded recorded) {
        List<Txn> candidates =
                recorded.txns.stream().filter(t -> t.outcome != Outcome.FAIL).toList();
        Oracle oracle = new Oracle(candidates, level == Level.STRICT_SERIALIZABILITY, recorded.told);
        int n = candidates.size();
        return level == Level.SNAPSHOT_ISOLATION
                ? oracle.snapshots(new Map<?, ?>[n], new boolean[n], new HashMap<>())
                : oracle.serial(new boolean[n], new HashMap<>());
    }

    private boolean serial(boolean[] done, Map<Long, List<Object>> state) {
        boolean left = false;
        for (int i = 0; i < done.length; i++) {
            if (done[i]) continue;
            left |= txns.get(i).outcome == Outcome.OK;
            if (realTime && mustWait(i, done)) continue;
            Map<Long, List<Object>> after = execute(txns.get(i), state);
            if (after == null) continue;
            done[i] = true;
            boolean explained = serial(done, after);
            done[i] = false;
            if (explained) return true;
        }
        return !left;
    }

    private boolean mustWait(int i, boolean[] done) {
        for (int j = 0; j < done.length; j++) {
            Txn other = txns.get(j);
            if (!done[j] && other.outcome == Outcome.OK && other.completed < txns.get(i).invoked) return true;
        }
        return false;
    }

    private boolean snapshots(Map<?, ?>[] begun, boolean[] done, Map<Long, List<Object>> state) {
        boolean left = false;
        for (int i = 0; i < done.length; i++) {
            if (done[i]) continue;
            left |= txns.get(i).outcome == Outcome.OK;
            boolean explained = false;
            if (begun[i] == null) {
                // Only the snapshot of a transaction decides what it reads, so a wrong one ends here.
                if (execute(txns.get(i), state) == null) continue;
                begun[i] = state;
                explained = snapshots(begun, done, state);
                begun[i] = null;
            } else {
                Map<Long, List<Object>> after = install(txns.get(i), begun[i], state);
                if (after == null) continue;
                done[i] = true;
                explained = snapshots(begun, done, after);
                done[i] = false;
            }
            if (explained) return true;
        }
        return !left;
    }

    /** The state after the commit, or null if another transaction has written one of its keys since the snapshot. */
    private static Map<Long, List<Object>> install(Txn txn, Map<?, ?> snapshot, Map<Long, List<Object>> state) {
        Map<Long, List<Object>> after = new HashMap<>(state);
        for (MicroOp op : txn.ops) {
            boolean isRead = op instanceof MicroOp.ReadList
                    || op instanceof MicroOp.Read
                    || op instanceof MicroOp.NotFound
                    || op instanceof MicroOp.Range;
            if (isRead) continue;
            if (state.get(op.key()) != snapshot.get(op.key())) return null;
            long bucket = bucket(op);
            if (bucket != NO_BUCKET && state.get(bucket) != snapshot.get(bucket)) return null;
            write(op, after);
        }
        return after;
    }

    /** The state after the transaction, or null if its reads saw something else. */
    private Map<Long, List<Object>> execute(Txn txn, Map<Long, List<Object>> state) {
        Map<Long, List<Object>> after = new HashMap<>(state);
        for (MicroOp op : txn.ops) {
            List<Object> now = after.getOrDefault(op.key(), List.of());
            boolean known = txn.outcome == Outcome.OK || told;
            switch (op) {
                case MicroOp.ReadList(long key, long[] elements) -> {
                    List<Object> seen = new ArrayList<>();
                    for (long element : elements) seen.add(element);
                    if (known && !now.equals(seen)) return null;
                }
                case MicroOp.Read(long key, MicroOp.Seen seen) -> {
                    Object version = seen instanceof MicroOp.Seen.Version(long v) ? (Object) v : null;
                    if (known && !Objects.equals(now.isEmpty() ? null : now.getLast(), version)) return null;
                }
                case MicroOp.Write(long key, long v, MicroOp.Previous previous) -> {
                    Object replaced = now.isEmpty() ? null : now.getLast();
                    if (known
                            && previous instanceof MicroOp.Previous.Version(long p)
                            && !((Object) p).equals(replaced)) {
                        return null;
                    }
                    if (known && previous instanceof MicroOp.Previous.None && replaced != null) return null;
                    write(op, after);
                }
                case MicroOp.NotFound(long key, long bucket, long seen) -> {
                    if (isThere(now) || last(after, bucket(op)) != seen) return null;
                }
                case MicroOp.Insert(long key, long v, long bucket, long replaced) -> {
                    boolean ownBucket = last(after, bucket(op)) == v;
                    if (isThere(now) || !ownBucket && last(after, bucket(op)) != replaced) return null;
                    write(op, after);
                }
                case MicroOp.Remove(long key, long v, long previous, long bucket, long replaced) -> {
                    boolean ownBucket = last(after, bucket(op)) == v;
                    if (!isThere(now) || last(after, key) != previous) return null;
                    if (!ownBucket && last(after, bucket(op)) != replaced) return null;
                    write(op, after);
                }
                case MicroOp.Range range -> {
                    if (known && !range.rows().equals(rows(range, after))) return null;
                }
                case MicroOp.Entry entry -> write(op, after);
                case MicroOp.Append append -> write(op, after);
                case MicroOp.Delete delete -> write(op, after);
                case MicroOp.Split split -> throw new AssertionError("no random history has splits: " + split);
            }
        }
        return after;
    }

    /** Returns what a range read returns in this state; it shows versions if it has shown any. */
    private static List<MicroOp.RangeRow> rows(MicroOp.Range range, Map<Long, List<Object>> state) {
        boolean hasVersions = range.rows().stream().anyMatch(row -> row.seen() != MicroOp.Seen.NOTHING);
        List<MicroOp.RangeRow> all = new ArrayList<>();
        state.forEach((key, versions) -> {
            if (key < 0 || !isThere(versions)) return;
            List<Object> at = range.index() == MicroOp.KEY_ORDER ? List.of(key) : state.get(position(key));
            if (at == null || at.isEmpty()) return;
            long position = (Long) at.getFirst();
            if (position < range.from() || position > range.through()) return;
            MicroOp.Seen seen = new MicroOp.Seen.Version((Long) versions.getLast());
            all.add(new MicroOp.RangeRow(key, hasVersions ? seen : MicroOp.Seen.NOTHING, position));
        });
        all.sort(Comparator.comparingLong(MicroOp.RangeRow::position).thenComparingLong(MicroOp.RangeRow::key));
        if (range.isReversed()) Collections.reverse(all);
        return all.subList(0, (int) Math.min(all.size(), range.limit()));
    }

    /** Returns where the state has the position of a row in the index, of which there is one. */
    private static long position(long key) {
        return -1000 - key;
    }

    /** Rows that were removed end in {@link #GONE}. */
    private static boolean isThere(List<Object> row) {
        return !row.isEmpty() && row.getLast() != GONE;
    }

    private static long last(Map<Long, List<Object>> state, long key) {
        List<Object> versions = state.get(key);
        return versions == null ? MicroOp.NEVER : (Long) versions.getLast();
    }

    /** Buckets have negative numbers, keys have others. */
    private static long bucket(MicroOp op) {
        return switch (op) {
            case MicroOp.NotFound missing -> -1 - missing.bucket();
            case MicroOp.Insert insert -> -1 - insert.bucket();
            case MicroOp.Remove remove -> -1 - remove.bucket();
            default -> NO_BUCKET;
        };
    }

    private static void write(MicroOp op, Map<Long, List<Object>> state) {
        List<Object> list = new ArrayList<>(state.getOrDefault(op.key(), List.of()));
        switch (op) {
            case MicroOp.Append(long key, long element) -> list.add(element);
            case MicroOp.Write(long key, long version, MicroOp.Previous previous) -> list.add(version);
            case MicroOp.Delete(long key, long version, MicroOp.Previous previous) -> list.add(version);
            case MicroOp.Insert insert -> list.add(insert.version());
            case MicroOp.Remove remove -> list.add(GONE);
            case MicroOp.Entry entry -> {
                state.put(position(op.key()), List.of((Object) entry.position()));
                return;
            }
            default -> throw new AssertionError(op);
        }
        state.remove(position(op.key()));
        state.put(op.key(), list);
        if (op instanceof MicroOp.Insert insert) state.put(bucket(op), List.of((Object) insert.version()));
        if (op instanceof MicroOp.Remove remove) state.put(bucket(op), List.of((Object) remove.version()));
    }
}
