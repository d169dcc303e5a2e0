package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tidepool.base.Words;
import tidepool.store.TxnId;

/** A transaction of which whole logs were found, with the nodes on which they lay. */
public final class LoggedTxn {
    private final long id;
    private final SortedMap<Integer, MemorySegment> logs = new TreeMap<>();
    private final Map<Integer, Long> places = new HashMap<>();
    private final Map<Integer, long[]> images = new HashMap<>();
    private final int coordinator;
    private boolean followed;

    LoggedTxn(long id, int coordinator) {
        this.id = id;
        this.coordinator = coordinator;
    }

    int coordinator() {
        return coordinator;
    }

    void follow() {
        followed = true;
    }

    /**
     * Whether it has reached its end, or its commit point, although some of its logs may be gone. One proof is a log of
     * a later transaction of its coordinator. That transaction was begun after the commit point of this one, and its
     * successor overwrites the logs of this one, on some nodes earlier than on others. The other proof is a log that
     * says that this transaction is over: a session had begun to clear its logs.
     */
    public boolean isFollowed() {
        return followed;
    }

    /** @param at where the log begins in the log region of the node */
    void add(int node, MemorySegment log, long at) {
        logs.put(node, log);
        places.put(node, at);
    }

    /** Returns where its log begins in the log region of a node. */
    long at(int node) {
        return places.get(node);
    }

    /** Whether all its logs name one write set; see {@link ImageLog#isSameWriteSet}. */
    boolean agrees() {
        for (MemorySegment log : logs.values()) if (!ImageLog.isSameWriteSet(any(), log)) return false;
        return true;
    }

    public long id() {
        return id;
    }

    public Iterable<Integer> nodes() {
        return logs.keySet();
    }

    /** Returns its log on a node; null if there is none. */
    public MemorySegment log(int node) {
        return logs.get(node);
    }

    /** Returns its commit timestamp; 0 if its protocol has none. */
    public long stamp() {
        return ImageLog.stamp(any());
    }

    // ---- the write set, which every log names

    public int objects() {
        return ImageLog.objects(any());
    }

    public long pointer(int i) {
        return ImageLog.pointer(any(), i);
    }

    public long bodyBytes(int i) {
        return ImageLog.bodyBytes(any(), i);
    }

    private MemorySegment any() {
        return logs.firstEntry().getValue();
    }

    // ---- images on a node

    public boolean hasImage(int i, int node) {
        return log(node) != null && ImageLog.hasImage(log(node), i);
    }

    /** Returns where the i-th object's old version, followed by its old body, lies in the log of a node. */
    public long image(int i, int node) {
        return images.computeIfAbsent(node, n -> ImageLog.images(log(n)))[i];
    }

    /** Returns the transaction that had written the i-th object before, according to the log of a node. */
    public long replaced(int i, int node) {
        return TxnId.of(Words.plain(log(node), image(i, node)));
    }
}
