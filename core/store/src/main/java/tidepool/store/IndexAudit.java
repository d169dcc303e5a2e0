package tidepool.store;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tidepool.schema.IndexKeys;
import tidepool.schema.IndexSchema;
import tidepool.schema.RowKey;

/**
 * An audit of the ordered indexes of a pool in which no transaction runs. Every row has one entry in each index of its
 * table, and every entry a row. On each level of a tree, the nodes cover all keys without a gap, from the first one by
 * their neighbours, and every separator leads to a node that begins with it. The audit is told all rows and all nodes,
 * in any order.
 */
public final class IndexAudit {
    private static final int MAX_LEVELS = 32;

    /** The number of rows of one index that are named for one reason. */
    private static final int MAX_TOLD = 8;

    private final Map<String, TableLayout> tables = new TreeMap<>(); // those with indexes, by name
    private final Set<String> moving = new TreeSet<>(); // tables of which rows have another layout
    private final Map<String, Map<Long, MemorySegment>> nodes = new HashMap<>(); // by the name of the owner
    private final Map<String, Map<String, TreeSet<byte[]>>> entries = new HashMap<>(); // by table and index
    private final List<String> problems = new ArrayList<>();
    private long checked;

    /** Begins an audit without rows and nodes. */
    public IndexAudit() {}

    /** Returns whether a table has something to audit. */
    public static boolean covers(TableLayout table) {
        return table.isIndexNodes() || table.schema().isIndexed();
    }

    /** Adds a table, which may have no rows. */
    public void add(TableLayout table) {
        if (table.schema().isIndexed() && !TableLayout.isVersion(table.name())) tables.put(table.name(), table);
    }

    /** Adds a row of a table that {@link #covers} names. */
    public void add(TableLayout table, RowKey key, MemorySegment memory, long value) {
        if (table.isIndexNodes()) {
            MemorySegment copy = MemorySegment.ofArray(new long[IndexNodeLayout.BYTES / Long.BYTES]);
            MemorySegment.copy(memory, value, copy, 0, IndexNodeLayout.BYTES);
            nodes.computeIfAbsent(owner(table), _ -> new TreeMap<>()).put(key.word(), copy);
        } else if (TableLayout.isVersion(table.name())) {
            moving.add(owner(table));
        } else {
            addRow(table, key, memory, value);
        }
    }

    private static String owner(TableLayout table) {
        return table.name().substring(0, table.name().indexOf('.'));
    }

    private void addRow(TableLayout table, RowKey key, MemorySegment memory, long value) {
        add(table);
        for (IndexSchema index : table.schema().indexes()) {
            IndexKeys keys = IndexKeys.of(table.schema(), index);
            byte[] entry = new byte[keys.width()];
            keys.encode(memory, value, key, entry, 0);
            entriesOf(table.name(), index).add(entry);
        }
    }

    private Set<byte[]> entriesOf(String table, IndexSchema index) {
        return entries.computeIfAbsent(table, _ -> new HashMap<>())
                .computeIfAbsent(index.name(), _ -> new TreeSet<>(Arrays::compareUnsigned));
    }

    /** Returns how many entries were found in indexes. */
    public long entries() {
        return checked;
    }

    /** Returns what is wrong, once all rows and nodes were added. */
    public List<String> problems() {
        for (TableLayout table : tables.values())
            for (IndexSchema index : table.schema().indexes())
                if (index.state() != IndexSchema.State.DROPPING) new Tree(table, index).check();
        nodes.forEach((owner, all) -> {
            TableLayout table = tables.get(owner);
            if (table != null) for (long node : all.keySet()) requireIndex(table, node);
        });
        return List.copyOf(problems);
    }

    private void requireIndex(TableLayout table, long node) {
        for (IndexSchema each : table.schema().indexes()) if (each.number() == IndexNodeLayout.indexOf(node)) return;
        problems.add("node " + Long.toHexString(node) + " of table " + table.name() + " belongs to no index");
    }

    /** One index. */
    private final class Tree {
        private final TableLayout table;
        private final IndexSchema index;
        private final int width;
        private final Map<Long, MemorySegment> all;
        private final Set<Long> seen = new HashSet<>();
        private final TreeSet<byte[]> found = new TreeSet<>(Arrays::compareUnsigned);

        Tree(TableLayout table, IndexSchema index) {
            this.table = table;
            this.index = index;
            this.width = IndexKeys.of(table.schema(), index).width();
            this.all = nodes.getOrDefault(table.name(), new TreeMap<>());
        }

        void check() {
            long first = IndexNodeLayout.root(index.number());
            if (all.containsKey(first)) {
                int level = IndexNodeLayout.level(all.get(first), 0);
                for (int levels = 0; first != 0 && levels < MAX_LEVELS; levels++) first = level(first, level - levels);
            }
            for (long node : all.keySet())
                if (IndexNodeLayout.indexOf(node) == index.number() && !seen.contains(node))
                    problem(node, "is on no level of its tree");
            compare();
        }

        /** Checks a level from its first node on. Returns the first node of the next one; 0 if there is none. */
        private long level(long first, int level) {
            byte[] low = new byte[width];
            long node = first;
            while (node != 0) {
                MemorySegment at = all.get(node);
                if (at == null) return problem(node, "is missing");
                if (!seen.add(node)) return problem(node, "is met twice");
                boolean isSound = IndexNodeLayout.index(at, 0) == index.number()
                        && IndexNodeLayout.isSound(at, 0, width)
                        && IndexNodeLayout.level(at, 0) == level;
                if (!isSound) return problem(node, "is no node of level " + level);
                if (!Arrays.equals(key(at, IndexNodeLayout.low(0)), low)) problem(node, "does not begin at its low");
                entries(node, at, level, low);
                if (IndexNodeLayout.isLast(at, 0)) {
                    if (IndexNodeLayout.next(at, 0) != 0) problem(node, "is the last one and has a neighbour");
                    break;
                }
                low = key(at, IndexNodeLayout.high(0, width));
                node = IndexNodeLayout.next(at, 0);
                if (node == 0) return problem(first, "begins a level without a last node");
            }
            return level == 0 ? 0 : IndexNodeLayout.child(all.get(first), 0, width, 0);
        }

        private void entries(long node, MemorySegment at, int level, byte[] low) {
            byte[] before = null;
            for (int i = 0; i < IndexNodeLayout.entries(at, 0); i++) {
                byte[] key = key(at, IndexNodeLayout.key(0, level, width, i));
                if (!IndexNodeLayout.covers(at, 0, key, 0, width)) problem(node, "has a key that it does not cover");
                if (before != null && Arrays.compareUnsigned(before, key) >= 0) problem(node, "is not sorted");
                if (level == 0) found.add(key);
                else child(node, IndexNodeLayout.child(at, 0, width, i), level, key);
                if (level > 0 && i == 0 && !Arrays.equals(key, low))
                    problem(node, "does not begin with its first child");
                before = key;
            }
            if (level > 0 && before == null) problem(node, "has no children");
        }

        private void child(long parent, long child, int level, byte[] separator) {
            MemorySegment at = all.get(child);
            if (at == null) problem(parent, "has a child that is missing: " + Long.toHexString(child));
            else if (IndexNodeLayout.level(at, 0) != level - 1) problem(parent, "has a child of another level");
            else if (!Arrays.equals(key(at, IndexNodeLayout.low(0)), separator))
                problem(parent, "has a child that begins with another key than its separator");
        }

        private void compare() {
            checked += found.size();
            Set<byte[]> wanted = entriesOf(table.name(), index);
            boolean isWhole = !moving.contains(table.name());
            if (index.state() == IndexSchema.State.READY)
                different(wanted, found, "misses the entry of row ", "misses entries of more rows: ");
            if (isWhole) different(found, wanted, "has an entry without its row: ", "has more entries without rows: ");
        }

        /** Reports the first entries that others lack, and the number of the rest: a lost node has many. */
        private void different(Set<byte[]> entries, Set<byte[]> others, String what, String rest) {
            int told = 0;
            int more = 0;
            for (byte[] key : entries) {
                if (others.contains(key)) continue;
                if (told == MAX_TOLD) more++;
                else told++;
                if (more == 0) problem(0, what + row(key));
            }
            if (more > 0) problem(0, rest + more);
        }

        private RowKey row(byte[] entry) {
            return IndexKeys.of(table.schema(), index)
                    .key(entry, 0, table.schema().key().newKey());
        }

        private byte[] key(MemorySegment at, long offset) {
            return at.asSlice(offset, width).toArray(ValueLayout.JAVA_BYTE);
        }

        private long problem(long node, String what) {
            problems.add("index " + index.name() + " of table " + table.name()
                    + (node == 0 ? "" : ", node " + Long.toHexString(node)) + " " + what);
            return 0;
        }
    }
}
