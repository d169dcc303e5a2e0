package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import java.util.SortedMap;
import java.util.TreeMap;
import tidepool.base.Words;
import tidepool.protocol.record.ImageLog;
import tidepool.store.Placement;
import tidepool.store.TxnId;

/** A transaction of which whole undo logs were found, by the nodes on which they lay. */
final class LoggedTxn {
    private final long id;
    private final Placement placement;
    private final SortedMap<Integer, MemorySegment> logs = new TreeMap<>();

    LoggedTxn(long id, Placement placement) {
        this.id = id;
        this.placement = placement;
    }

    void add(int node, MemorySegment log) {
        logs.put(node, log);
    }

    /** Whether all its logs name the same write set; see {@link ImageLog#isSameWriteSet}. */
    boolean agrees() {
        for (MemorySegment log : logs.values()) if (!ImageLog.isSameWriteSet(any(), log)) return false;
        return true;
    }

    long id() {
        return id;
    }

    Iterable<Integer> nodes() {
        return logs.keySet();
    }

    /** Its log of a node; null if there is none. */
    MemorySegment log(int node) {
        return logs.get(node);
    }

    // ---- the write set, which every log names

    int objects() {
        return ImageLog.objects(any());
    }

    long pointer(int i) {
        return ImageLog.pointer(any(), i);
    }

    long bodyBytes(int i) {
        return ImageLog.bodyBytes(any(), i);
    }

    private MemorySegment any() {
        return logs.firstEntry().getValue();
    }

    // ---- what lay on a node

    /** Where the i-th object's old version, and its old body behind it, lie in the log of a node. */
    long image(int i, int node) {
        return ImageLog.image(log(node), i, placement, node);
    }

    /** Who had written the i-th object before. */
    long replaced(int i, int node) {
        return TxnId.of(Words.plain(log(node), image(i, node)));
    }
}
