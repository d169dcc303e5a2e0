package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tidepool.ConflictException;
import tidepool.KeyRange;
import tidepool.Scan;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.fabric.Fabric;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.schema.Index;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Ordered;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;

/**
 * A table in the order of its keys and of another column, whose nodes are small, and two sessions. One transaction is
 * interrupted before one of its verbs, and transactions of the other session run completely. Afterwards one order of
 * all that have committed explains what they have seen, and the rows, and the entries of both indexes.
 */
final class IndexStage implements AutoCloseable {
    /** A leaf has room for this many keys. */
    static final int LEAF = 13;

    /** They fill six leaves; the root has room for eleven. */
    static final int ROWS = 6 * LEAF;

    /** More than the greatest key. */
    static final int END = 10_000;

    private static final int PAUSES = 12;

    /** After this number of transactions, nothing is owed for the first rows. */
    private static final int OWED = 4;

    /** A row with a key as long as can be, so that nodes are small. */
    @Ordered
    @Index(
            name = "by_group",
            on = {"group"})
    public record Item(@Key @Length(60) String id, int group) {}

    /** The rows, in a pool or in a model. */
    interface Rows {
        List<Item> scan(int from, int to, boolean isReversed, int limit);

        List<Item> ofGroup(int group);

        void put(int id, int group);

        void delete(int id);

        default List<Item> scan(int from, int to) {
            return scan(from, to, false, ROWS * 4);
        }
    }

    /** A transaction, and what it sees. */
    interface Body {
        List<Item> run(Rows rows);
    }

    /** Makes a transaction that sees nothing. */
    static Body writing(Consumer<Rows> writes) {
        return rows -> {
            writes.accept(rows);
            return List.of();
        };
    }

    /** What is there before a transaction is interrupted. */
    enum Start {
        /** Six full leaves below the root. */
        LEAVES,

        /** The process owes separators and a merge, and carries them out before its next transaction. */
        OWING,

        /** Another process has split a leaf, and died before it has added the separator; both sessions have met it. */
        SPLITTER_DEAD,

        /** The root is a full leaf. */
        FULL_ROOT,

        /** The second leaf is empty. */
        EMPTY_LEAF,

        /** There is no row, and so no root. */
        NOTHING
    }

    /** A transaction that committed, and what it has seen. */
    private record Done(Body body, List<Item> seen) {}

    /** What a test plants before the first transaction. */
    interface Planting {
        void plant(Tidepool pool);
    }

    private final Fabric memory = Fabric.open("mem:?nodes=1");
    final CuttingFabric fabric = new CuttingFabric(memory);
    private final Tidepool pool;
    private final Tidepool other;
    private final Table<Item> items;
    private final Table<Item> otherItems;
    final int session;
    private final NavigableMap<String, Item> before = new TreeMap<>();
    private final List<Done> others = new ArrayList<>();
    private Done interrupted;
    private Throwable failure;

    /** How many transactions were begun, and have not committed. */
    int aborted;

    IndexStage(Protocol protocol, Start start, boolean isAlone, Planting planting) {
        PoolOptions options = new PoolOptions(protocol.name(), 1, 1, 2 << 20, 8, 64 * 1024);
        pool = PoolAccess.open(fabric, options, protocol);
        planting.plant(pool);
        session = fabric.control(0).sessions()[0];
        items = pool.table("items", Item.class, 1200);
        prepare(start, options, protocol);
        // Under FORD-LV, one session writes a table.
        other = isAlone ? pool : PoolAccess.open(fabric, options, protocol);
        if (!isAlone) planting.plant(other);
        otherItems = other.table("items", Item.class, 1200);
        other.read(tx -> otherItems.scan(tx, KeyRange.all()).keys());
        other.read(tx -> otherItems.index("by_group").scan(tx, KeyRange.all()).keys());
        if (start == Start.SPLITTER_DEAD)
            pool.read(tx -> items.scan(tx, KeyRange.all()).keys()); // both owe the separator
    }

    static IndexStage of(String protocol, Start start) {
        return new IndexStage(Protocols.named(protocol), start, protocol.equals("ford-lv"), pool -> {});
    }

    private void prepare(Start start, PoolOptions options, Protocol protocol) {
        if (start == Start.NOTHING) return;
        int rows = start == Start.FULL_ROOT ? LEAF : ROWS;
        write(pool, items, writing(to -> {
            for (int k = 0; k < rows; k++) to.put(10 * (k + 1), k % 5);
        }));
        for (int i = 0; i < OWED; i++) attempt(pool, items, false, to -> List.of());
        switch (start) {
            case OWING ->
                write(pool, items, writing(to -> {
                    for (int id = 410; id < 640; id += 10) to.delete(id);
                    to.put(185, 0);
                }));
            case EMPTY_LEAF ->
                write(pool, items, writing(to -> {
                    for (int id = 140; id <= 260; id += 10) to.delete(id);
                }));
            case SPLITTER_DEAD -> {
                Body split = writing(to -> {
                    for (int id = 151; id < 159; id++) to.put(id, 1);
                });
                if (protocol.name().startsWith("ford-lv")) { // the table has one writer
                    write(pool, items, split);
                    return;
                }
                try (Tidepool dying = PoolAccess.open(fabric, options, protocol)) {
                    write(dying, dying.table("items", Item.class, 1200), split);
                }
            }
            default -> {}
        }
    }

    private void write(Tidepool in, Table<Item> table, Body body) {
        in.transact(tx -> {
            table.get(tx, key(10));
            body.run(new Stored(tx, table));
        });
        body.run(new Model(before));
    }

    /** Runs a transaction, and others before one of its verbs. */
    void run(boolean isReading, Body one, List<Body> next, long verb) {
        fabric.beforeVerb(session, verb, () -> runOthers(next));
        interrupted = attempt(pool, items, isReading, one);
        end(fabric.disarm());
    }

    /**
     * Runs a transaction, and others when some bytes of one of its large writes have landed.
     *
     * @param dies whether the others of these bytes are lost, with all later verbs
     * @return false if it has fewer such writes
     */
    boolean tear(Body one, List<Body> next, int write, int bytes, boolean dies) {
        fabric.tear(session, write, bytes, dies, () -> runOthers(next));
        try {
            interrupted = attempt(pool, items, false, one);
        } catch (RuntimeException e) {
            if (!dies) throw e; // the outcome is unknown: the rows will tell
            interrupted = null;
            isUnknown = true;
            unknown = one;
        }
        boolean met = fabric.disarm();
        end(met);
        return met;
    }

    private boolean isUnknown;
    private Body unknown;

    private void end(boolean met) {
        if (failure != null) throw new AssertionError("the other transactions", failure);
        assertTrue(met || hasCommitted() || isUnknown, "aborted by nothing");
        others.removeIf(each -> each == null);
    }

    private void runOthers(List<Body> next) {
        try {
            for (Body each : next) others.add(attempt(other, otherItems, false, each));
            for (int i = 0; i < PAUSES && next.size() > 1; i++)
                attempt(other, otherItems, false, rows -> List.of()); // does what is owed to the indexes
            if (!next.isEmpty()) others.add(attempt(other, otherItems, true, rows -> rows.scan(140, 270)));
        } catch (Throwable e) {
            failure = e; // there it would look like a failure of the fabric
        }
    }

    /** Whether what was interrupted has committed. */
    boolean hasCommitted() {
        return interrupted != null;
    }

    /** Returns null if the transaction has met another one. */
    private Done attempt(Tidepool in, Table<Item> table, boolean isReading, Body body) {
        try (Transaction tx = isReading ? in.beginReadOnly() : in.begin()) {
            List<Item> seen = body.run(new Stored(tx, table));
            if (tx.commit()) return new Done(body, seen);
        } catch (ConflictException e) {
            // it has met another one
        }
        aborted++;
        return null;
    }

    // ---- checks

    /** Checks that one order of the transactions explains all that was seen, and the rows of both indexes. */
    void check(String what) {
        check(what, pool, items);
        if (other != pool) check(what, other, otherItems);
    }

    /** Checks it as the other session sees it; the first one has died. */
    void checkOther(String what) {
        other.recoverAll();
        check(what, other, otherItems);
    }

    private void check(String what, Tidepool in, Table<Item> its) {
        List<Item> rows = in.read(tx -> its.scan(tx, KeyRange.all()).toList());
        assertTrue(isExplained(rows), () -> what + ": after " + others + " and " + interrupted + ", " + rows);
        List<Item> byGroup = new ArrayList<>(rows);
        byGroup.sort(Comparator.comparingInt(Item::group).thenComparing(Item::id));
        assertEquals(
                byGroup,
                in.read(tx -> its.index("by_group").scan(tx, KeyRange.all()).toList()),
                what);
        List<Item> byKey = new ArrayList<>();
        its.forEach(byKey::add);
        byKey.sort(Comparator.comparing(Item::id));
        assertEquals(rows, byKey, what);
        in.read(tx -> {
            for (int i = 0; i < rows.size(); i += 9) {
                Item row = rows.get(i);
                assertEquals(List.of(row), its.scan(tx, KeyRange.of(row.id())).toList(), what);
            }
            return null;
        });
    }

    private boolean isExplained(List<Item> rows) {
        if (interrupted == null && isOrder(others, rows)) return true;
        if (interrupted == null && !isUnknown) return false;
        Done one = isUnknown ? new Done(unknown, null) : interrupted;
        for (int at = 0; at <= others.size(); at++) {
            List<Done> order = new ArrayList<>(others);
            order.add(at, one);
            if (isOrder(order, rows)) return true;
        }
        return false;
    }

    private boolean isOrder(List<Done> order, List<Item> rows) {
        Model model = new Model(new TreeMap<>(before));
        for (Done each : order) {
            List<Item> seen = each.body.run(model);
            if (each.seen != null && !seen.equals(each.seen)) return false;
        }
        return rows.equals(List.copyOf(model.map.values()));
    }

    private static final Pattern COUNT = Pattern.compile("(\\w+)=(\\d+)");

    /** Adds what both sessions have done to indexes. */
    void addCounts(Map<String, Integer> to) {
        String both = other.statistics().indexes() + " " + pool.statistics().indexes();
        Matcher counts = COUNT.matcher(both);
        while (counts.find()) to.merge(counts.group(1), Integer.parseInt(counts.group(2)), Integer::sum);
    }

    @Override
    public void close() {
        if (other != pool) other.close();
        pool.close();
        memory.close();
    }

    static String key(int id) {
        String digits = Integer.toString(id);
        return "0000".substring(digits.length()) + digits;
    }

    /** The rows of a sorted map. */
    private record Model(NavigableMap<String, Item> map) implements Rows {
        @Override
        public List<Item> scan(int from, int to, boolean isReversed, int limit) {
            NavigableMap<String, Item> range = map.subMap(key(from), true, key(to), false);
            Collection<Item> items = (isReversed ? range.descendingMap() : range).values();
            return items.stream().limit(limit).toList();
        }

        @Override
        public List<Item> ofGroup(int group) {
            return map.values().stream().filter(each -> each.group() == group).toList();
        }

        @Override
        public void put(int id, int group) {
            map.put(key(id), new Item(key(id), group));
        }

        @Override
        public void delete(int id) {
            map.remove(key(id));
        }
    }

    /** The rows as a transaction sees them. */
    private record Stored(Transaction tx, Table<Item> items) implements Rows {
        @Override
        public List<Item> scan(int from, int to, boolean isReversed, int limit) {
            Scan<Item> scan =
                    items.scan(tx, KeyRange.from(key(from)).to(key(to))).limit(limit);
            return (isReversed ? scan.reversed() : scan).toList();
        }

        @Override
        public List<Item> ofGroup(int group) {
            return items.index("by_group").scan(tx, KeyRange.of(group)).toList();
        }

        @Override
        public void put(int id, int group) {
            items.put(tx, new Item(key(id), group));
        }

        @Override
        public void delete(int id) {
            items.delete(tx, key(id));
        }
    }
}
