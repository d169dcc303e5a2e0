package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.protocol.record.LogScan;
import tidepool.protocol.record.LoggedTxn;
import tidepool.protocol.record.PoolRegions;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;

/**
 * Comparison of the copies that should all hold everything that was reported. It runs before any copy decides the
 * outcome of a transaction. Copies may differ in objects that an open transaction was writing, and in nothing else. A
 * copy that contradicts a copy of an intact node, or a majority of copies that agree, is older, whatever its own files
 * say. Its node is doubted from then on.
 *
 * <p>An object of an intact primary that is neither locked nor marked is the newest version, because a writer holds the
 * lock on the primary until all copies have its image.
 */
final class Contradictions {
    private static final long PIECE_BYTES = 64 * 1024;

    private final PoolRegions pool;
    private final Placement placement;
    private final Lane lane;
    private final Round round;
    private final Witnesses witnesses;
    private final Map<Long, Set<Long>> open = new HashMap<>(); // object -> the open transactions that write it
    private int[] copies;
    private MemorySegment[] landed;

    Contradictions(PoolRegions pool, Lane lane, Witnesses witnesses, LogScan logs) {
        this.pool = pool;
        this.placement = pool.placement();
        this.lane = lane;
        this.round = lane.round(1);
        this.witnesses = witnesses;
        for (LoggedTxn txn : logs.all())
            if (!txn.isFollowed())
                for (int i = 0; i < txn.objects(); i++)
                    open.computeIfAbsent(txn.pointer(i), at -> new HashSet<>()).add(txn.id());
    }

    /**
     * Doubts every node whose copy is found to be older. Returns whether it found one; the caller then runs the
     * comparison again.
     */
    boolean found(List<TableLayout> tables) {
        for (int partition = 0; partition < placement.partitions(); partition++) {
            copies = comparable(partition);
            if (!isWorthwhile(partition)) continue;
            landed = new MemorySegment[copies.length];
            for (TableLayout table : tables) if (found(table, partition)) return true;
        }
        return false;
    }

    private int[] comparable(int partition) {
        List<Integer> all = new ArrayList<>();
        for (int r = 0; r < placement.whole(partition); r++) if (witnesses.isComparable(partition, r)) all.add(r);
        return all.stream().mapToInt(r -> r).toArray();
    }

    /** Returns whether a comparison can find anything: copies of intact nodes cannot contradict each other. */
    private boolean isWorthwhile(int partition) {
        int lost = 0;
        for (int r : copies) if (!witnesses.isIntact(placement.replica(partition, r))) lost++;
        return copies.length > 1 && lost > 0;
    }

    private boolean found(TableLayout table, int partition) {
        int atOnce = (int) Math.max(1, PIECE_BYTES / table.bucketBytes());
        for (int i = 0; i < copies.length; i++)
            landed[i] = lane.landing(Math.max(TableLayout.HEAD_BYTES, atOnce * table.bucketBytes()));
        for (TableLayout.Area area : table.areas()) if (found(table, partition, area, atOnce)) return true;
        return false;
    }

    private boolean found(TableLayout table, int partition, TableLayout.Area area, int atOnce) {
        long first = Pointer.of(partition, area.base());
        read(first, TableLayout.HEAD_BYTES);
        if (differs(first, 0, TableLayout.HEAD_CONTENT)) return true;
        for (long bucket = 0; bucket < area.buckets(); bucket += atOnce) {
            long pointer = Pointer.of(partition, area.firstBucket() + bucket * table.bucketBytes());
            int many = (int) Math.min(atOnce, area.buckets() - bucket);
            read(pointer, many * table.bucketBytes());
            if (!areSame(many * table.bucketBytes()) && differs(table, pointer, many)) return true;
        }
        return false;
    }

    private void read(long pointer, long bytes) {
        for (int i = 0; i < copies.length; i++)
            round.read(pool.replica(pointer, copies[i]), Pointer.offset(pointer), bytes, landed[i], 0)
                    .post()
                    .await();
    }

    private boolean areSame(long bytes) {
        for (int i = 1; i < copies.length; i++)
            if (MemorySegment.mismatch(landed[0], 0, bytes, landed[i], 0, bytes) >= 0) return false;
        return true;
    }

    private boolean differs(TableLayout table, long pointer, int buckets) {
        for (int bucket = 0; bucket < buckets; bucket++) {
            long at = bucket * table.bucketBytes();
            if (differs(pointer + (at >>> 3), at, TableLayout.HEAD_CONTENT)) return true;
            for (int slot = 0; slot < table.slots(); slot++) {
                long object = at + table.slotOffset(slot);
                if (differs(pointer + (object >>> 3), object, table.contentBytes())) return true;
            }
        }
        return false;
    }

    // ---- one object

    private boolean differs(long pointer, long at, long contentBytes) {
        long bytes = ObjectLayout.bodyBytes(contentBytes);
        int judge = judge(pointer, at, bytes);
        if (judge < 0) return false;
        boolean any = false;
        for (int i = 0; i < copies.length; i++) {
            if (isSame(i, judge, at, bytes)) continue;
            if (witnesses.isIntact(node(pointer, i))) continue; // a transaction is open there
            witnesses.doubt(node(pointer, i));
            any = true;
        }
        return any;
    }

    /**
     * Returns the index of the copy with which the others are compared; -1 if the copies need not agree, or if all
     * agree. Fails if no copy can be shown to be newer.
     */
    private int judge(long pointer, long at, long bytes) {
        for (int i = 0; i < copies.length; i++)
            if (witnesses.isIntact(node(pointer, i)) && isSettled(pointer, i, at, bytes)) return i;
        if (open.containsKey(pointer)) return -1;
        for (int i = 0; i < copies.length; i++) if (witnesses.isIntact(node(pointer, i))) return -1;
        int agree = 0;
        int best = 0;
        for (int i = 0; i < copies.length; i++) {
            int like = 0;
            for (int other = 0; other < copies.length; other++) if (isSame(i, other, at, bytes)) like++;
            if (like <= agree) continue;
            agree = like;
            best = i;
        }
        if (agree == copies.length) return -1;
        if (2 * agree > copies.length) return best;
        throw undecided(pointer);
    }

    /** Returns whether no transaction is open on the object of an intact node. */
    private boolean isSettled(long pointer, int i, long at, long bytes) {
        long version = Words.plain(landed[i], at + ObjectLayout.VERSION);
        long body = at + ObjectLayout.BODY;
        Set<Long> writers = open.getOrDefault(pointer, Collections.emptySet());
        return Words.plain(landed[i], at + ObjectLayout.LOCK) == 0
                && version >= 0
                && ObjectLayout.isWhole(landed[i], body, bytes)
                && Words.plain(landed[i], body + ObjectLayout.BODY_WRITER) == version
                && (writers.isEmpty() || copies[i] == 0 && writers.equals(Collections.singleton(version)));
    }

    private boolean isSame(int i, int other, long at, long bytes) {
        long body = at + ObjectLayout.BODY;
        return TxnId.of(Words.plain(landed[i], at + ObjectLayout.VERSION))
                        == TxnId.of(Words.plain(landed[other], at + ObjectLayout.VERSION))
                && MemorySegment.mismatch(landed[i], body, body + bytes, landed[other], body, body + bytes) < 0;
    }

    private int node(long pointer, int i) {
        return placement.replica(Pointer.partition(pointer), copies[i]);
    }

    private StoreException undecided(long pointer) {
        StringBuilder nodes = new StringBuilder();
        for (int i = 0; i < copies.length; i++)
            nodes.append(i == 0 ? "" : " and ").append(lane.session().fabric().where(node(pointer, i)));
        return new StoreException(
                StoreException.Reason.UNAVAILABLE,
                "the copies of partition " + Pointer.partition(pointer) + " on " + nodes + " contradict each other at "
                        + Pointer.text(pointer) + ", and both claim to have all that was acknowledged: one of them has"
                        + " an older DIR/journal. Stop the node whose folder was brought back or is older, run"
                        + " ./tidepool"
                        + " pool repair URL DIR --disbelieve on its folder, and start it again: it is filled"
                        + " from the other");
    }
}
