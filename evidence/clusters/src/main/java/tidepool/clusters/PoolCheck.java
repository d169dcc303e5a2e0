package tidepool.clusters;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tidepool.base.Words;
import tidepool.memory.NodeStatistics;
import tidepool.schema.RowKey;
import tidepool.sim.SimFabric;
import tidepool.store.AreaWords;
import tidepool.store.CatalogLayout;
import tidepool.store.ContentAudit;
import tidepool.store.HeadWord;
import tidepool.store.LogHeapLayout;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.OverflowCount;
import tidepool.store.Placement;
import tidepool.store.Pointer;
import tidepool.store.Roster;
import tidepool.store.RowAudit;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;
import tidepool.store.VersionsCheck;

/**
 * Checks the memory of a pool in which no transaction runs any more and every dead session was recovered: all replicas
 * are equal, everything is whole, visible and unlocked, every key exists once, overflow buckets are accounted for, and
 * nothing of dead sessions is left.
 */
public final class PoolCheck {
    private final SimFabric fabric;
    private final PoolView view;
    private final Placement placement;
    private final TableLayout table;
    private final JudgedRows rows; // null if only objects are checked

    /** Content of the pool: by place, the id of the last writer; keys that do not exist are missing. */
    private final Map<Long, Long> versions = new TreeMap<>();

    private final Map<Long, Long> contents = new TreeMap<>();

    /** By key, the version of the object that holds the row: of its writer, or of the split that has moved it. */
    private final Map<Long, Long> objects = new TreeMap<>();

    private int linked;
    private int born;

    public PoolCheck(SimFabric fabric, TableLayout table) {
        this(fabric, new PoolView(fabric), table, Content.ROWS);
    }

    /** @param roster members that the nodes of the fabric are; null if they never change */
    public PoolCheck(SimFabric fabric, Roster roster, TableLayout table) {
        this(fabric, roster, table, Content.ROWS);
    }

    /** @param areContents whether values are {@link Content} and are to be summed up */
    public PoolCheck(SimFabric fabric, TableLayout table, boolean areContents) {
        this(fabric, new PoolView(fabric), table, areContents ? Content.ROWS : null);
    }

    /**
     * @param roster members that the nodes of the fabric are
     * @param areContents whether values are {@link Content} and are to be summed up
     */
    public PoolCheck(SimFabric fabric, Roster roster, TableLayout table, boolean areContents) {
        this(fabric, new PoolView(fabric, roster), table, areContents ? Content.ROWS : null);
    }

    PoolCheck(SimFabric fabric, Roster roster, TableLayout table, JudgedRows rows) {
        this(fabric, new PoolView(fabric, roster), table, rows);
    }

    private PoolCheck(SimFabric fabric, PoolView view, TableLayout table, JudgedRows rows) {
        this.rows = rows;
        this.fabric = fabric;
        this.view = view;
        this.placement = view.placement();
        this.table = table;
    }

    public Map<Long, Long> versions() {
        return versions;
    }

    public Map<Long, Long> contents() {
        return contents;
    }

    /** Returns, by key, the version of the object that holds the row. */
    Map<Long, Long> objects() {
        return objects;
    }

    /** Returns the number of first buckets that splits have made. */
    int bornBuckets() {
        return born;
    }

    /** Returns the place of the bucket of a key that has this word, after {@link #check}. */
    long bucketOf(long word) {
        return VersionedPlace.ofBucket(table.home(word));
    }

    /** Returns the number of overflow buckets in use. */
    public int overflowBuckets() {
        return linked;
    }

    /** Checks everything, after the last client has closed the pool. */
    public void check() {
        checkObjects();
        checkWhatWasLeft();
    }

    /** Checks only the table: valid also while a client is connected that does nothing. */
    public void checkObjects() {
        if (!AreaWords.learn(table, view.catalog(), CatalogLayout.areas(table)))
            throw new ClusterFailure("the areas of table " + table.name() + " are damaged in the catalog");
        for (int partition = 0; partition < placement.partitions(); partition++) {
            for (TableLayout.Area area : table.areas()) {
                checkObject(Pointer.of(partition, area.base()), TableLayout.HEAD_CONTENT);
                for (long bucket = 0; bucket < area.buckets(); bucket++)
                    checkBucket(Pointer.of(partition, area.firstBucket() + bucket * table.bucketBytes()));
            }
            checkChains(partition);
        }
    }

    // ---- objects

    private void checkBucket(long pointer) {
        checkObject(pointer, TableLayout.HEAD_CONTENT);
        for (int slot = 0; slot < table.slots(); slot++) checkSlot(pointer + (table.slotOffset(slot) >>> 3));
    }

    private void checkSlot(long pointer) {
        checkObject(pointer, table.contentBytes());
        if (!table.format().isPlain())
            for (int r = 0; r < placement.whole(Pointer.partition(pointer)); r++)
                checkVersions(pointer, view.replica(pointer, r), "row " + Pointer.text(pointer) + " on replica " + r);
    }

    private void checkVersions(long pointer, MemorySegment memory, String where) {
        String wrong = VersionsCheck.fault(table, pointer, memory, 0);
        if (wrong != null) throw new ClusterFailure(where + " " + wrong);
    }

    private void checkObject(long pointer, long contentBytes) {
        long offset = Pointer.offset(pointer);
        long bodyBytes = ObjectLayout.bodyBytes(contentBytes);
        MemorySegment primary = view.replica(pointer, 0);
        for (int r = 0; r < placement.whole(Pointer.partition(pointer)); r++) {
            MemorySegment memory = view.replica(pointer, r);
            String where = "object " + Pointer.text(pointer) + " on replica " + r;
            long lock = Words.plain(memory, offset + ObjectLayout.LOCK);
            long version = Words.plain(memory, offset + ObjectLayout.VERSION);
            if (TxnId.of(lock) != 0) throw new ClusterFailure(where + " is locked by " + TxnId.text(lock));
            if (version < 0) throw new ClusterFailure(where + " is still marked by " + TxnId.text(version));
            if (!ObjectLayout.isWhole(memory, offset + ObjectLayout.BODY, bodyBytes))
                throw new ClusterFailure(where + " is torn, version " + TxnId.text(version));
            long writer = Words.plain(memory, offset + ObjectLayout.BODY + ObjectLayout.BODY_WRITER);
            if (writer != version)
                throw new ClusterFailure(
                        where + " has version " + TxnId.text(version) + " and a body of " + TxnId.text(writer));
            long different = MemorySegment.mismatch(
                    primary,
                    offset + ObjectLayout.VERSION,
                    offset + ObjectLayout.BODY + bodyBytes,
                    memory,
                    offset + ObjectLayout.VERSION,
                    offset + ObjectLayout.BODY + bodyBytes);
            if (different >= 0)
                throw new ClusterFailure(where + " differs from the primary at byte " + different + ": version there "
                        + TxnId.text(Words.plain(primary, offset + ObjectLayout.VERSION)) + ", here "
                        + TxnId.text(version));
        }
    }

    // ---- chains

    private void checkChains(int partition) {
        Set<Long> reached = new HashSet<>();
        long size =
                table.hasGrown() ? Math.max(table.buckets(), content(table.sizeObject(partition))) : table.buckets();
        table.learnSize(partition, size);
        born += (int) (size - table.buckets());
        for (long bucket = 0; bucket < table.bucketRoom(); bucket++) {
            long first = table.firstBucket(partition, bucket);
            if (bucket < size) checkChain(first, reached);
            else checkUnborn(first);
        }
        linked += reached.size();
        long count = content(table.overflowCount(partition));
        int free = checkFree(partition, OverflowCount.firstFree(count), reached);
        long handedOut = OverflowCount.handedOut(count);
        if (reached.size() != handedOut)
            throw new ClusterFailure("partition " + partition + " has handed out " + handedOut
                    + " overflow buckets, and " + (reached.size() - free) + " are in chains, " + free + " free");
        for (long i = 0; i < handedOut; i++)
            if (!reached.contains(table.overflowBucket(partition, i)))
                throw new ClusterFailure(
                        "overflow bucket " + i + " of partition " + partition + " is in no chain, and not free");
    }

    private void checkUnborn(long bucket) {
        if (content(bucket) != 0 || hasRow(bucket))
            throw new ClusterFailure("bucket " + Pointer.text(bucket) + " is not born and not empty");
    }

    /** Checks that free buckets are in no chain and hold no rows. Returns their number. */
    private int checkFree(int partition, long first, Set<Long> reached) {
        int free = 0;
        long bucket = first == OverflowCount.NONE ? Pointer.NOWHERE : table.overflowBucket(partition, first);
        for (; bucket != Pointer.NOWHERE; bucket = content(bucket), free++) {
            if (!reached.add(bucket))
                throw new ClusterFailure("bucket " + Pointer.text(bucket) + " is free, and in a chain or free twice");
            MemorySegment memory = view.replica(bucket, 0);
            if (ObjectLayout.isPresent(memory, Pointer.offset(bucket) + ObjectLayout.BODY))
                throw new ClusterFailure("bucket " + Pointer.text(bucket) + " is free and does not say so");
            if (hasRow(bucket)) throw new ClusterFailure("bucket " + Pointer.text(bucket) + " is free and holds a row");
        }
        return free;
    }

    private boolean hasRow(long bucket) {
        MemorySegment memory = view.replica(bucket, 0);
        for (int slot = 0; slot < table.slots(); slot++)
            if (ObjectLayout.isPresent(memory, Pointer.offset(bucket) + table.slotOffset(slot) + ObjectLayout.BODY))
                return true;
        return false;
    }

    private void checkChain(long home, Set<Long> reached) {
        versions.put(VersionedPlace.ofBucket(home), view.version(home));
        Set<RowKey> keys = new HashSet<>();
        for (long bucket = home; bucket != Pointer.NOWHERE; bucket = HeadWord.next(content(bucket))) {
            if (bucket != home && !reached.add(bucket))
                throw new ClusterFailure("bucket " + Pointer.text(bucket) + " is in two chains");
            if (bucket != home && !hasRow(bucket))
                throw new ClusterFailure("bucket " + Pointer.text(bucket) + " is empty and was not given back");
            for (int slot = 0; slot < table.slots(); slot++) {
                long pointer = bucket + (table.slotOffset(slot) >>> 3);
                MemorySegment memory = view.replica(pointer, 0);
                long body = Pointer.offset(pointer) + ObjectLayout.BODY;
                if (!ObjectLayout.isPresent(memory, body)) continue;
                long key = Words.plain(memory, body + ObjectLayout.BODY_KEY);
                if (!keys.add(table.keyOf(memory, body)))
                    throw new ClusterFailure("key " + table.keyOf(memory, body) + " is twice in its chain");
                if (!table.isHome(key, home, content(home)) || Pointer.partition(home) != table.partition(key))
                    throw new ClusterFailure("key " + key + " is in a foreign chain");
                if (rows != null) keep(pointer, memory, table.keyOf(memory, body));
            }
        }
    }

    private void keep(long pointer, MemorySegment memory, RowKey key) {
        long place = rows.placeOf(key);
        versions.put(place, rows.writer(memory, value(pointer)));
        objects.put(place, view.version(pointer));
        Long sum = rows.sum(memory, value(pointer));
        if (sum != null) contents.put(place, sum);
    }

    private long value(long pointer) {
        return ContentAudit.valueOffset(table, pointer);
    }

    /** Adds all rows of the table to an audit; called after {@link #check}. */
    public void audit(RowAudit contents) {
        contents.add(table);
        for (int partition = 0; partition < placement.partitions(); partition++)
            for (TableLayout.Area area : table.areas())
                for (long bucket = 0; bucket < area.buckets(); bucket++)
                    audit(Pointer.of(partition, area.firstBucket() + bucket * table.bucketBytes()), contents);
    }

    private void audit(long bucket, RowAudit contents) {
        for (int slot = 0; slot < table.slots(); slot++) {
            long pointer = bucket + (table.slotOffset(slot) >>> 3);
            MemorySegment memory = view.replica(pointer, 0);
            long body = Pointer.offset(pointer) + ObjectLayout.BODY;
            if (ObjectLayout.isPresent(memory, body))
                contents.add(table, table.keyOf(memory, body), memory, value(pointer));
        }
    }

    private long content(long pointer) {
        return Words.plain(view.replica(pointer, 0), Pointer.offset(pointer) + ObjectLayout.CONTENT);
    }

    // ---- traces of dead sessions

    private void checkWhatWasLeft() {
        if (view.catalogWord(CatalogLayout.LOCK) != 0) throw new ClusterFailure("the catalog is still locked");
        if (view.catalogWord(CatalogLayout.RECOVERY_LOCK) != 0) throw new ClusterFailure("recovery is still locked");
        int coordinators = (int) view.catalogWord(CatalogLayout.COORDINATOR_COUNT);
        long slotBytes = view.catalogWord(CatalogLayout.LOG_SLOT_BYTES);
        for (int c = 0; c < coordinators; c++) {
            long owner = view.catalogWord(CatalogLayout.coordinator(c));
            if (owner != 0) throw new ClusterFailure("coordinator " + c + " still belongs to session " + owner);
            for (int node = 0; node < fabric.nodes(); node++) checkLog(view.log(node), node, c, slotBytes);
        }
        LogHeapLayout heap = new LogHeapLayout(
                coordinators * LogLayout.areaBytes(slotBytes), (int) view.catalogWord(CatalogLayout.LOG_HEAP_BLOCKS));
        for (int node = 0; node < fabric.nodes(); node++)
            for (int block = 0; block < heap.blocks(); block++)
                if (Words.plain(view.log(node), heap.owner(block)) != 0)
                    throw new ClusterFailure("block " + block + " of the log heap of node " + node + " is not free");
        for (int node = 0; node < fabric.nodes(); node++) {
            int[] sessions = fabric.memory(node).sessions().all();
            if (sessions.length != 0) throw new ClusterFailure("node " + node + " still knows session " + sessions[0]);
            NodeStatistics s = fabric.memory(node).statistics();
            if (s.allocatedBytes() + s.freeBytes() != s.dataBytes())
                throw new ClusterFailure("the extents of node " + node + " do not add up: " + s);
        }
    }

    private static void checkLog(MemorySegment log, int node, int coordinator, long slotBytes) {
        for (int i = 0; i < LogLayout.INTENTS; i++)
            if (Words.plain(log, LogLayout.intents(coordinator, slotBytes) + i * (long) Words.BYTES) != 0)
                throw new ClusterFailure(
                        "intent " + i + " of coordinator " + coordinator + " on node " + node + " is left");
        for (int slot = 0; slot < LogLayout.SLOTS; slot++)
            if (Words.plain(log, LogLayout.slot(coordinator, slot, slotBytes)) != 0)
                throw new ClusterFailure(
                        "log " + slot + " of coordinator " + coordinator + " on node " + node + " is left");
    }
}
