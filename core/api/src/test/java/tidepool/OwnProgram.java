package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tidepool.base.Randomness;
import tidepool.schema.Fields;
import tidepool.schema.Key;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/**
 * Random transactions on a few keys of two tables, and maps that do the same operations. Every answer is compared with
 * that of the map at that line of the program, and the tables are compared with the maps when a transaction has ended.
 */
final class OwnProgram implements AutoCloseable {
    /** Two numbers, so that a record can be changed in part. */
    public record Pair(@Key long id, long a, long b) {
        Pair plus(long amount) {
            return new Pair(id, a + amount, b);
        }
    }

    private static final int KEYS = 4;
    private static final int MAX_STEPS = 12;

    /** The API that a program uses. */
    private enum Level {
        CELLS,
        TABLE,
        RAW,
        WORKER,
        ALL
    }

    private record Place(int table, long key) {}

    /** The expected state of an access of the API on fields. */
    private record Declared(Place place, int access, boolean found, boolean writes) {}

    /** The expected record of the cell of a delete. */
    private record Removed(Cell<Pair> cell, Pair record) {}

    private final Tidepool pool;
    private final List<Table<Pair>> tables = new ArrayList<>();
    private final Worker worker;
    private final Fields.LongField a;
    private final Fields.LongField b;
    private Map<Place, Pair> committed = new HashMap<>();

    OwnProgram(Tidepool pool) {
        this.pool = pool;
        for (String name : List.of("left", "right")) tables.add(pool.table(name, Pair.class, 2));
        // Buckets are full without the keys of the programs, so these go into new buckets.
        for (int t = 0; t < tables.size(); t++) {
            Table<Pair> table = tables.get(t);
            for (long key = 100; key < 112; key++) {
                Pair pair = new Pair(key, key, key);
                pool.transact(tx -> table.insert(tx, pair));
            }
        }
        worker = pool.worker();
        a = tables.getFirst().handle().schema().longField("a");
        b = tables.getFirst().handle().schema().longField("b");
    }

    /** Tells of a record that a table has. */
    void expect(int table, Pair record) {
        committed.put(new Place(table, record.id), record);
    }

    void run(Randomness random, String seed) {
        List<String> lines = new ArrayList<>();
        Map<Place, Pair> before = committed;
        try {
            one(random, lines);
            compare();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(seed + " from " + before + ": " + lines, e);
        }
    }

    private void one(Randomness random, List<String> lines) {
        Level level = random.pick(List.of(Level.values()));
        boolean commits = random.chance(3, 4);
        long draws = random.nextLong();
        Attempting attempting = new Attempting(level, lines);
        if (level == Level.WORKER) {
            boolean done = worker.transact(txn -> {
                attempting.begin(new Randomness(draws));
                return attempting.raw(txn) && commits;
            });
            assertEquals(commits, done);
        } else if (random.nextBoolean()) {
            try (Transaction tx = pool.begin()) {
                attempting.begin(new Randomness(draws));
                attempting.run(tx);
                if (commits) assertTrue(tx.commit());
            } catch (DuplicateKeyException | NotFoundException e) {
                attempting.requireRefused(e);
                return;
            }
        } else {
            try {
                pool.transact(tx -> {
                    attempting.begin(new Randomness(draws));
                    attempting.run(tx);
                    if (!commits) throw new Rollback("as drawn");
                });
            } catch (Rollback e) {
                assertEquals("as drawn", e.getMessage());
            } catch (DuplicateKeyException | NotFoundException e) {
                attempting.requireRefused(e);
                return;
            }
        }
        if (commits) committed = attempting.model;
    }

    private void compare() {
        for (int t = 0; t < tables.size(); t++) {
            Table<Pair> table = tables.get(t);
            List<Pair> found = pool.read(tx -> table.getAll(tx, 0, 1, 2, 3));
            for (int key = 0; key < KEYS; key++)
                assertEquals(committed.get(new Place(t, key)), found.get(key), "afterwards");
        }
    }

    private static Pair fail(Pair pair) {
        throw new UnsupportedOperationException("as drawn, for " + pair);
    }

    @Override
    public void close() {
        worker.close();
    }

    /** One attempt of a program. */
    private final class Attempting {
        private final Level level;
        private final List<String> lines;
        private Randomness random;
        private Map<Place, Pair> model;
        private List<Removed> removed;
        private List<Cell<Pair>> cells;
        private List<Place> cellPlaces;
        private Class<? extends RuntimeException> refusal;
        private long drawn;

        Attempting(Level level, List<String> lines) {
            this.level = level;
            this.lines = lines;
        }

        void begin(Randomness source) {
            random = source;
            lines.clear();
            lines.add(level.toString());
            model = new HashMap<>(committed);
            removed = new ArrayList<>();
            cells = new ArrayList<>();
            cellPlaces = new ArrayList<>();
            refusal = null;
        }

        void requireRefused(RuntimeException e) {
            assertEquals(refusal, e.getClass());
        }

        void run(Transaction tx) {
            for (int i = 1 + random.nextInt(MAX_STEPS); i > 0; i--) {
                switch (level == Level.ALL ? random.pick(List.of(Level.CELLS, Level.TABLE, Level.RAW)) : level) {
                    case CELLS -> cell(tx);
                    case TABLE -> table(tx);
                    default -> batch(tx.raw());
                }
            }
            ask();
        }

        boolean raw(Txn txn) {
            for (int i = 1 + random.nextInt(MAX_STEPS / 2); i > 0; i--) if (!batch(txn)) return false;
            return true;
        }

        private Place place() {
            return new Place(random.nextInt(tables.size()), random.nextInt(KEYS));
        }

        private Pair draw(Place place) {
            return new Pair(place.key, ++drawn, random.nextInt(1_000));
        }

        // ---- cells

        private void cell(Transaction tx) {
            Place place = place();
            Table<Pair> table = tables.get(place.table);
            switch (random.nextInt(5)) {
                case 0 -> {
                    lines.add("read " + place);
                    keep(table.read(tx, place.key), place);
                }
                case 1 -> {
                    lines.add("update " + place);
                    keep(table.update(tx, place.key), place);
                }
                case 2 -> delete(tx, place);
                case 3 -> set(tx, place);
                default -> ask();
            }
        }

        private void keep(Cell<Pair> cell, Place place) {
            cells.add(cell);
            cellPlaces.add(place);
        }

        private void set(Transaction tx, Place place) {
            Pair pair = draw(place);
            lines.add("set " + pair + " " + place);
            Cell<Pair> cell = tables.get(place.table).update(tx, place.key);
            if (model.containsKey(place)) {
                if (random.nextBoolean()) assertEquals(model.get(place), cell.get());
                cell.set(pair);
                model.put(place, pair);
                keep(cell, place);
            } else {
                refused(tx, NotFoundException.class, () -> cell.set(pair));
            }
        }

        /**
         * Expects a refusal. Either it is thrown at once and nothing has happened, or later, and then the transaction
         * is over.
         */
        private void refused(Transaction tx, Class<? extends RuntimeException> how, Runnable work) {
            try {
                work.run();
            } catch (DuplicateKeyException | NotFoundException e) {
                assertEquals(how, e.getClass());
                lines.add("refused");
                return;
            }
            lines.add("refused later");
            refusal = how;
            if (random.nextBoolean()) assertThrows(how, tx::execute);
            tx.commit();
            throw new AssertionError("was not refused");
        }

        private void delete(Transaction tx, Place place) {
            lines.add("delete " + place);
            removed.add(new Removed(tables.get(place.table).delete(tx, place.key), model.remove(place)));
        }

        /** Checks that all cells show the current record, and those of deletes the record that was deleted. */
        private void ask() {
            lines.add("ask");
            for (int i = 0; i < cells.size(); i++) assertEquals(model.get(cellPlaces.get(i)), shown(cells.get(i)));
            for (Removed each : removed) assertEquals(each.record, shown(each.cell), "deleted");
        }

        private Pair shown(Cell<Pair> cell) {
            if (cell.isPresent()) return cell.get();
            assertThrows(NotFoundException.class, cell::get);
            return null;
        }

        // ---- tables

        private void table(Transaction tx) {
            Place place = place();
            Table<Pair> table = tables.get(place.table);
            Pair pair = draw(place);
            switch (random.nextInt(10)) {
                case 0 -> {
                    lines.add("get " + place);
                    assertEquals(model.get(place), table.get(tx, place.key));
                }
                case 1 -> {
                    lines.add("getAll " + place.table);
                    List<Pair> all = table.getAll(tx, 0, 1, 2, 3, 1);
                    for (int i = 0; i < all.size(); i++)
                        assertEquals(model.get(new Place(place.table, i == KEYS ? 1 : i)), all.get(i));
                }
                case 2 -> {
                    lines.add("put " + pair + " " + place);
                    table.put(tx, pair);
                    model.put(place, pair);
                }
                case 3 -> {
                    lines.add("insert " + pair + " " + place);
                    if (model.containsKey(place)) {
                        refused(tx, DuplicateKeyException.class, () -> table.insert(tx, pair));
                    } else {
                        table.insert(tx, pair);
                        model.put(place, pair);
                    }
                }
                case 4 -> delete(tx, place);
                case 5 -> {
                    lines.add("find " + place);
                    assertEquals(Optional.ofNullable(model.get(place)), table.find(tx, place.key));
                }
                case 6 -> {
                    lines.add("exists " + place);
                    assertEquals(model.containsKey(place), table.exists(tx, place.key));
                }
                case 7 -> upsert(tx, place, pair);
                case 8 -> computeIfAbsent(tx, place, pair);
                default -> set(tx, place);
            }
        }

        private void upsert(Transaction tx, Place place, Pair pair) {
            boolean fails = random.chance(1, 4);
            lines.add("upsert " + pair + " " + place + (fails ? " failing" : ""));
            Table<Pair> table = tables.get(place.table);
            Pair old = model.get(place);
            if (fails && old != null) {
                assertThrows(UnsupportedOperationException.class, () -> table.upsert(tx, pair, OwnProgram::fail));
                return;
            }
            Pair wanted = old == null ? pair : old.plus(pair.b);
            assertEquals(wanted, table.upsert(tx, pair, seen -> seen.plus(pair.b)));
            model.put(place, wanted);
        }

        private void computeIfAbsent(Transaction tx, Place place, Pair pair) {
            boolean fails = random.chance(1, 4);
            lines.add("computeIfAbsent " + pair + " " + place + (fails ? " failing" : ""));
            Table<Pair> table = tables.get(place.table);
            if (fails && !model.containsKey(place)) {
                assertThrows(
                        UnsupportedOperationException.class,
                        () -> table.computeIfAbsent(tx, place.key, _ -> fail(pair)));
                return;
            }
            model.putIfAbsent(place, pair);
            assertEquals(model.get(place), table.computeIfAbsent(tx, place.key, _ -> pair));
        }

        // ---- fields

        /**
         * Makes some declarations and carries them out together. Then checks the values that exist, and changes some.
         */
        private boolean batch(Txn txn) {
            List<Declared> batch = new ArrayList<>();
            for (int i = 1 + random.nextInt(4); i > 0; i--) batch.add(declare(txn, place()));
            lines.add("execute");
            if (!txn.execute()) return false;
            for (Declared each : batch) {
                assertTrue(txn.isExecuted(each.access));
                assertEquals(each.found, txn.found(each.access), "found " + each);
                // A record that was inserted and deleted before execution has no place.
                if (!each.writes || model.containsKey(each.place))
                    assertEquals(each.writes, txn.writes(each.access), "writes " + each);
            }
            for (Declared each : batch) {
                Pair there = model.get(each.place);
                if (there == null) continue;
                assertEquals(there, pair(txn, each), "value " + each);
                if (!each.writes || !random.nextBoolean()) continue;
                lines.add("change " + each);
                a.set(txn.memory(), txn.value(each.access), ++drawn);
                model.put(each.place, new Pair(there.id, drawn, there.b));
            }
            return true;
        }

        private Pair pair(Txn txn, Declared each) {
            long at = txn.value(each.access);
            return new Pair(each.place.key, a.get(txn.memory(), at), b.get(txn.memory(), at));
        }

        private Declared declare(Txn txn, Place place) {
            TableHandle table = tables.get(place.table).handle();
            boolean found = model.containsKey(place);
            Pair zeros = new Pair(place.key, 0, 0);
            Declared declared =
                    switch (random.nextInt(5)) {
                        case 0 -> new Declared(place, txn.read(table, place.key), found, false);
                        case 1 -> new Declared(place, txn.update(table, place.key), found, found);
                        case 2 -> {
                            Declared insert = new Declared(place, txn.insert(table, place.key), found, !found);
                            model.putIfAbsent(place, zeros);
                            yield insert;
                        }
                        case 3 -> {
                            Declared put = new Declared(place, txn.put(table, place.key), found, true);
                            model.putIfAbsent(place, zeros);
                            yield put;
                        }
                        default -> {
                            Declared delete = new Declared(place, txn.delete(table, place.key), found, found);
                            model.remove(place);
                            yield delete;
                        }
                    };
            lines.add("raw " + declared);
            return Objects.requireNonNull(declared);
        }
    }
}
