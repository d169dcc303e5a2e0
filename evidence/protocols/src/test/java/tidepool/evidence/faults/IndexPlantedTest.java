package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.ConflictException;
import tidepool.DuplicateKeyException;
import tidepool.IndexPlanting;
import tidepool.KeyRange;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.base.InvariantException;
import tidepool.evidence.faults.IndexInterleavingTest.Coded;
import tidepool.evidence.faults.IndexInterleavingTest.Interrupted;
import tidepool.evidence.faults.IndexInterleavingTest.Other;
import tidepool.evidence.faults.IndexStage.Item;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordCoordinator;
import tidepool.protocol.ford.FordOptions;
import tidepool.protocol.ford.FordVerbs;
import tidepool.protocol.ordered.BlinkIndex;
import tidepool.protocol.ordered.BlinkTree;
import tidepool.protocol.ordered.BlinkUpkeep;
import tidepool.protocol.ordered.IndexCounts;
import tidepool.protocol.ordered.IndexedTxn;
import tidepool.protocol.ordered.OrderedIndexes;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.RecordVerbs;
import tidepool.schema.RowKey;
import tidepool.spi.PoolAccess;
import tidepool.store.Catalog;
import tidepool.store.IndexNodeLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.txn.Outcome;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/**
 * Bugs that are planted in ordered indexes are noticed: those of validation and of hints by two transactions that
 * {@link IndexInterleavingTest} interleaves, those of splits, merges and entries by a scene of their own.
 */
class IndexPlantedTest {
    /** A bug, and where it shows. */
    enum Bug {
        /** Leaves that a scan has read are not validated. */
        LEAF_NOT_VALIDATED(Interrupted.SCAN_AND_WRITE, Other.READS_WHAT_THAT_WRITES) {
            @Override
            boolean isValidated(Access a, MemorySegment memory) {
                return !(a.table.isIndexNodes() && a.found);
            }
        },

        /** An empty leaf is not validated: no row of it was seen. */
        EMPTY_LEAF_NOT_VALIDATED(Interrupted.EMPTY_LEAF, Other.FILLS_THE_EMPTY_RANGE) {
            @Override
            boolean isValidated(Access a, MemorySegment memory) {
                if (!a.table.isIndexNodes() || !a.found) return true;
                long at = a.landed + ObjectLayout.BODY + ObjectLayout.BODY_CONTENT;
                return IndexNodeLayout.level(memory, at) > 0 || IndexNodeLayout.entries(memory, at) > 0;
            }
        },

        /** The last leaf of a scan is not validated. */
        LAST_LEAF_NOT_VALIDATED(Interrupted.SCAN_AND_WRITE, Other.READS_WHAT_THAT_WRITES) {
            @Override
            boolean isValidated(Access a, MemorySegment memory) {
                return !a.table.isIndexNodes() || !lastReads.containsValue(a.key);
            }
        },

        /** The root of an index that has no row yet is not validated. */
        MISSING_ROOT_NOT_VALIDATED(Interrupted.NO_ROOT, Other.BEGINS_THE_INDEX) {
            @Override
            boolean isValidated(Access a, MemorySegment memory) {
                return !a.table.isIndexNodes() || a.found;
            }
        },

        /** A change believes the hint that led to its leaf, and does not look at the keys which the leaf covers. */
        HINT_BELIEVED_BY_A_CHANGE(Interrupted.INSERT, Other.SPLITS) {
            @Override
            boolean changesLookAtRange() {
                return false;
            }
        },

        /** A scan believes the hint that led to its first leaf. */
        HINT_BELIEVED_BY_A_SCAN(Interrupted.SCAN_BACKWARDS, Other.SPLITS) {
            @Override
            boolean scansLookAtRange() {
                return false;
            }
        },

        /** A separator is added before its split has committed, and without a look at the child. */
        SEPARATOR_BEFORE_SPLIT("does not end", IndexPlantedTest::splitsThatAreRolledBack) {
            @Override
            boolean owesAfterCommit() {
                return false;
            }

            @Override
            BlinkUpkeep upkeep(IndexCounts counts) {
                return new BlinkUpkeep(counts) {
                    @Override
                    protected boolean looksAtChild() {
                        return false;
                    }
                };
            }
        },

        /** A new node takes the number of another one. */
        NUMBER_USED_TWICE("does not end", IndexPlantedTest::twoSplits) {
            @Override
            long newNode(BlinkTree tree, long made) {
                return IndexNodeLayout.node(IndexNodeLayout.indexOf(made), 5);
            }

            @Override
            boolean looksAtNumber() {
                return false;
            }
        },

        /** A merge leaves the right leaf as it is: nothing locks it, and hints still lead there. */
        MERGED_LEAF_STAYS("rows in their order", IndexPlantedTest::hintsLeadToAMergedLeaf) {
            @Override
            BlinkUpkeep upkeep(IndexCounts counts) {
                return new BlinkUpkeep(counts) {
                    @Override
                    protected int end(Txn txn, TableHandle nodes, long leaf) {
                        return txn.read(nodes, leaf);
                    }
                };
            }
        },

        /** A merge leaves the separator of the leaf that is gone. */
        MERGE_LEAVES_SEPARATOR("does not end", IndexPlantedTest::hintsLeadToAMergedLeaf) {
            @Override
            BlinkUpkeep upkeep(IndexCounts counts) {
                return new BlinkUpkeep(counts) {
                    @Override
                    protected boolean removesSeparator() {
                        return false;
                    }
                };
            }
        },

        /** A merge takes two leaves for neighbours because their separators are. */
        SEPARATOR_BELIEVED_BY_A_MERGE("rows in their order", IndexPlantedTest::mergeNextToAMissingSeparator) {
            @Override
            BlinkUpkeep upkeep(IndexCounts counts) {
                return new BlinkUpkeep(counts) {
                    @Override
                    protected boolean looksAtNeighbour() {
                        return false;
                    }
                };
            }
        },

        /** Entries are made by another transaction than their rows. */
        ENTRY_IN_ANOTHER_TRANSACTION("entries of the row", IndexPlantedTest::rowsAndEntriesBetweenTransactions) {
            @Override
            boolean entersWithTheRow() {
                return false;
            }
        },

        /** Unique values are looked up by another transaction than the one that inserts them. */
        UNIQUE_LOOKED_UP_ELSEWHERE("rows of one value", IndexPlantedTest::insertAfterTheLookup) {
            @Override
            boolean looksForOthers(Runnable elsewhere) {
                elsewhere.run();
                return false;
            }
        };

        private final Interrupted one;
        private final Other other;
        private final String noticed;
        private final Scene scene;

        /** The numbers of the nodes that the scans of each index have read last. */
        final Map<BlinkIndex, Long> lastReads = new HashMap<>();

        Bug(Interrupted one, Other other) {
            this.one = one;
            this.other = other;
            this.noticed = " verb ";
            this.scene = null;
        }

        Bug(String noticed, Scene scene) {
            this.one = null;
            this.other = null;
            this.noticed = noticed;
            this.scene = scene;
        }

        boolean isValidated(Access a, MemorySegment memory) {
            return true;
        }

        boolean changesLookAtRange() {
            return true;
        }

        boolean scansLookAtRange() {
            return true;
        }

        boolean owesAfterCommit() {
            return true;
        }

        long newNode(BlinkTree tree, long made) {
            return made;
        }

        boolean looksAtNumber() {
            return true;
        }

        BlinkUpkeep upkeep(IndexCounts counts) {
            return null;
        }

        boolean entersWithTheRow() {
            return true;
        }

        boolean looksForOthers(Runnable elsewhere) {
            return true;
        }
    }

    /** Transactions that show a bug; a check fails, or the pool says that something is damaged. */
    private interface Scene {
        void play(Bug bug);
    }

    // ---- how they are planted

    /** FORD whose validation is the bug's; {@code null} for none. */
    private static Protocol ford(Bug bug) {
        if (bug == null) return Protocols.named("ford");
        return new Ford() {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new FordCoordinator(session, catalog, counters, FordOptions.DEFAULT) {
                    @Override
                    protected RecordVerbs newVerbs(MemorySegment memory) {
                        return new FordVerbs(pool(), memory) {
                            @Override
                            public boolean isValidated(Access a) {
                                return bug.isValidated(a, memory) && super.isValidated(a);
                            }
                        };
                    }
                };
            }
        };
    }

    /** The layer of indexes with a bug. */
    private static class Planted extends IndexedTxn {
        private final Bug bug;
        private final Runnable elsewhere;
        private final Runnable afterCommit;

        Planted(OrderedIndexes indexes, Bug bug, Runnable elsewhere, Runnable afterCommit) {
            super(indexes);
            this.bug = bug;
            this.elsewhere = elsewhere;
            this.afterCommit = afterCommit;
        }

        @Override
        protected boolean flushBeforeCommit() {
            return bug.entersWithTheRow() ? super.flushBeforeCommit() : execute();
        }

        @Override
        public Outcome commit() {
            Outcome outcome = super.commit();
            if (outcome == Outcome.COMMITTED && !bug.entersWithTheRow()) afterCommit.run();
            return outcome;
        }

        @Override
        protected boolean looksForOthers() {
            return bug.looksForOthers(elsewhere);
        }

        @Override
        protected BlinkIndex newIndex(BlinkTree tree, BlinkUpkeep upkeep) {
            return new BlinkIndex(tree, upkeep) {
                @Override
                protected boolean looksAtRange() {
                    return bug.changesLookAtRange();
                }

                @Override
                protected boolean scanLooksAtRange() {
                    return bug.scansLookAtRange();
                }

                @Override
                protected int read(long node) {
                    bug.lastReads.put(this, node);
                    return super.read(node);
                }

                @Override
                protected long newNode(int count) {
                    return bug.newNode(tree, super.newNode(count));
                }

                @Override
                protected boolean isTaken(int access) {
                    return bug.looksAtNumber() && super.isTaken(access);
                }

                @Override
                protected boolean owesAfterCommit() {
                    return bug.owesAfterCommit();
                }
            };
        }
    }

    private static void plant(Tidepool pool, Bug bug, Runnable elsewhere, Runnable afterCommit) {
        if (bug == null) return;
        IndexPlanting.plant(pool, indexes -> {
            BlinkUpkeep upkeep = bug.upkeep(indexes.counts());
            if (upkeep != null) indexes.upkeep(upkeep);
            return new Planted(indexes, bug, elsewhere, afterCommit);
        });
    }

    // ---- tests

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    @ParameterizedTest
    @EnumSource
    void isNoticed(Bug bug) {
        try {
            if (bug.scene != null) bug.scene.play(bug);
            else interleave(bug);
        } catch (AssertionError | StoreException | InvariantException e) {
            assertTrue(e.getMessage().contains(bug.noticed), e::getMessage);
            return;
        }
        fail(bug + " is not noticed");
    }

    @Test
    void nothingIsNoticedWithoutABug() {
        for (Bug each : Bug.values())
            if (each.scene != null) assertDoesNotThrow(() -> each.scene.play(null), each::name);
    }

    /** Interrupts the transaction at each of its verbs. */
    private static void interleave(Bug bug) {
        long verbs = IndexInterleavingTest.verbs("ford", bug.one);
        for (long verb = 0; verb < verbs; verb++) {
            try (IndexStage stage =
                    new IndexStage(ford(bug), bug.one.start, false, pool -> plant(pool, bug, () -> {}, () -> {}))) {
                stage.run(bug.one.isReading, bug.one.body, bug.other.bodies, verb);
                stage.check(bug + " verb " + verb);
            }
        }
    }

    // ---- scenes

    /** Otherwise a scene that shows nothing would count as one that has noticed a bug. */
    private static void requireScene(boolean holds, String what) {
        if (!holds) throw new IllegalStateException("the scene lacks " + what);
    }

    /** Two sessions with small nodes, and what their table should have. */
    private static final class Play implements AutoCloseable {
        private static final int ROWS = 6 * IndexStage.LEAF;

        final Fabric fabric = Fabric.open("mem:?nodes=1");
        final Bug bug;
        final Tidepool one;
        final Tidepool two;
        private final Map<String, Item> expected = new TreeMap<>();

        Play(Bug bug) {
            this.bug = bug;
            this.one = open();
            write(one, id -> put(id * 10, 0), 1, ROWS);
            for (int i = 0; i < 4; i++) write(one, id -> put(10, 0), 1, 1);
            this.two = open();
            table(two);
            two.read(tx -> table(two).scan(tx, KeyRange.all()).toList());
        }

        Tidepool open() {
            PoolOptions options = new PoolOptions("ford", 1, 1, 2 << 20, 8, 64 * 1024);
            Tidepool pool = PoolAccess.open(fabric, options, ford(bug));
            plant(pool, bug, () -> {}, () -> {});
            return pool;
        }

        static Table<Item> table(Tidepool pool) {
            return pool.table("items", Item.class, 1200);
        }

        private Transaction current;
        private Table<Item> items;

        /** Writes rows in one transaction. */
        void write(Tidepool pool, IntConsumer row, int from, int to) {
            pool.transact(tx -> {
                current = tx;
                items = table(pool);
                for (int i = from; i <= to; i++) row.accept(i);
            });
        }

        void put(int id, int group) {
            Item item = new Item(IndexStage.key(id), group);
            items.put(current, item);
            expected.put(item.id(), item);
        }

        void delete(int id) {
            items.delete(current, IndexStage.key(id));
            expected.remove(IndexStage.key(id));
        }

        /** Compares rows, scans and searches of a session with what was written. */
        void compare(Tidepool pool) {
            Table<Item> known = table(pool);
            List<Item> rows = List.copyOf(expected.values());
            assertEquals(rows, pool.read(tx -> known.scan(tx, KeyRange.all()).toList()), "rows in their order");
            for (Item each : rows)
                assertEquals(
                        List.of(each),
                        pool.read(tx -> known.scan(tx, KeyRange.of(each.id())).toList()),
                        "rows in their order");
        }

        void compare() {
            for (Tidepool each : List.of(one, two)) compare(each);
            try (Tidepool three = open()) {
                compare(three);
            }
        }

        @Override
        public void close() {
            two.close();
            one.close();
            fabric.close();
        }
    }

    /** A transaction splits a leaf and is rolled back: no separator of its node may stay. */
    private static void splitsThatAreRolledBack(Bug bug) {
        try (Play play = new Play(bug)) {
            try (Transaction tx = play.one.begin()) {
                Table<Item> items = Play.table(play.one);
                for (int id = 151; id < 159; id++) items.put(tx, new Item(IndexStage.key(id), 1));
                items.scan(tx, KeyRange.all()).toList(); // all is carried out
                tx.rollback();
            }
            for (int i = 0; i < 3; i++) play.write(play.one, id -> play.put(10, 1), 1, 1);
            play.compare();
            play.write(play.one, id -> play.put(id, 2), 151, 158);
            play.compare();
        }
    }

    private static void twoSplits(Bug bug) {
        try (Play play = new Play(bug)) {
            play.write(play.one, id -> play.put(id, 1), 151, 156);
            play.write(play.one, id -> play.put(id, 1), 401, 406);
            play.compare();
        }
    }

    /** The cached nodes of the second session lead to leaves that the first one has merged. */
    private static void hintsLeadToAMergedLeaf(Bug bug) {
        try (Play play = new Play(bug)) {
            play.write(play.one, id -> play.delete(10 * id), 41, 63);
            for (int i = 0; i < 3; i++) play.write(play.one, id -> play.put(10, 1), 1, 1);
            requireScene(!play.one.statistics().indexes().contains("merges=0"), "a merge");
            play.write(play.two, id -> play.put(10 * id + 1, 2), 41, 64);
            play.compare();
        }
    }

    /** A leaf lies between two others whose separators are neighbours. */
    private static void mergeNextToAMissingSeparator(Bug bug) {
        try (Play play = new Play(bug)) {
            try (Tidepool dying = play.open()) {
                play.write(dying, id -> play.put(id, 1), 151, 158); // its process adds no separator
            }
            try (Tidepool three = play.open()) {
                Table<Item> items = Play.table(three);
                three.read(
                        tx -> items.scan(tx, KeyRange.of(IndexStage.key(140))).toList()); // inner nodes are known
                play.write(three, id -> play.delete(10 * id), 27, 38);
                play.write(three, id -> play.delete(id), 151, 152);
                play.write(three, id -> play.delete(10 * id), 14, 15);
                for (int i = 0; i < 3; i++) play.write(three, id -> play.put(10, 1), 1, 1);
            }
            play.compare();
        }
    }

    /** Another session compares rows and entries after each commit. */
    private static void rowsAndEntriesBetweenTransactions(Bug bug) {
        try (Play play = new Play(bug)) {
            Table<Item> items = Play.table(play.one);
            Table<Item> others = Play.table(play.two);
            Runnable compares = () -> {
                int rows = play.two.read(tx -> others.get(tx, IndexStage.key(155))) == null ? 0 : 1;
                int entries = play.two
                        .read(tx -> others.index("by_group")
                                .scan(tx, KeyRange.of(77))
                                .keys())
                        .size();
                assertEquals(rows, entries, "entries of the row");
            };
            Runnable enters = () -> {
                RowKey key = items.handle().schema().key().newKey();
                key.set(IndexStage.key(155));
                compares.run();
                IndexPlanting.enter(play.two, items.handle(), "by_group", key);
            };
            plant(play.one, bug, () -> {}, enters);
            compares.run();
            Item item = new Item(IndexStage.key(155), 77);
            play.one.transact(tx -> items.put(tx, item));
            compares.run();
        }
    }

    /** Another session inserts the value after the lookup. */
    private static void insertAfterTheLookup(Bug bug) {
        PoolOptions options = new PoolOptions("ford", 1, 1, 2 << 20, 8, 64 * 1024);
        try (Fabric fabric = Fabric.open("mem:?nodes=1");
                Tidepool one = PoolAccess.open(fabric, options, ford(null));
                Tidepool two = PoolAccess.open(fabric, options, ford(null))) {
            Table<Coded> coded = one.table("coded", Coded.class, 100);
            IndexInterleavingTest.prepareBoundary(one, coded);
            Table<Coded> others = two.table("coded", Coded.class, 100);
            plant(
                    one,
                    bug,
                    () -> {
                        assertNull(two.<Coded, RuntimeException>read(
                                tx -> others.index("code").get(tx, "m")));
                        two.transact(tx -> others.insert(tx, new Coded(900, "m")));
                    },
                    () -> {});
            try (Transaction tx = one.begin()) {
                coded.insert(tx, new Coded(100, "m"));
                tx.commit();
            } catch (ConflictException | DuplicateKeyException e) {
                // the other one was faster
            }
            int rows = two.read(tx ->
                            others.index("code").scan(tx, KeyRange.of("m")).toList())
                    .size();
            assertEquals(1, rows, "rows of one value");
        }
    }
}
