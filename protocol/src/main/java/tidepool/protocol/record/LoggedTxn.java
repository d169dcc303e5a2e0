package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import java.util.SortedMap;
import java.util.TreeMap;
import tidepool.base.Words;
import tidepool.store.TxnId;

/** A transaction of which whole logs were found, by the nodes on which they lay. */
public final class LoggedTxn {
    private final long id;
    private final SortedMap<Integer, MemorySegment> logs = new TreeMap<>();
    private final int coordinator;
    private final int slot;
    private boolean followed;

    LoggedTxn(long id, int coordinator, int slot) {
        this.id = id;
        this.slot = slot;
        this.coordinator = coordinator;
    }

    int coordinator() {
        return coordinator;
    }

    int slot() {
        return slot;
    }

    void follow() {
        followed = true;
    }

    /**
     * Whether it has reached its end, or its commit point, although some of its logs may be gone. There is a log of a later
     * transaction of its coordinator, which was begun behind its commit point, and whose successor takes the place of this one's
     * logs, on some nodes earlier than on others. Or a log says that it is over: somebody had begun to clear them.
     */
    public boolean isFollowed() {
        return followed;
    }

    void add(int node, MemorySegment log) {
        logs.put(node, log);
    }

    /** Whether all its logs name the same write set; see {@link ImageLog#isSameWriteSet}. */
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

    /** Its log of a node; null if there is none. */
    public MemorySegment log(int node) {
        return logs.get(node);
    }

    /** Its commit timestamp; 0 if its protocol has none. */
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

    // ---- what lay on a node

    public boolean hasImage(int i, int node) {
        return log(node) != null && ImageLog.hasImage(log(node), i);
    }

    /** Where the i-th object's old version, and its old body behind it, lie in the log of a node. */
    public long image(int i, int node) {
        return ImageLog.image(log(node), i);
    }

    /** Who had written the i-th object before, as the log of a node knows it. */
    public long replaced(int i, int node) {
        return TxnId.of(Words.plain(log(node), image(i, node)));
    }
}
