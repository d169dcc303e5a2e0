package tidepool.workload.measured;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.store.TableInfo;

/** Transactions that do something wrong now and then, to show that a check can fail. */
final class PlantedBugs {
    private static final int EVERY = 50;

    private PlantedBugs() {}

    /** One update in so many is only read, so that what is written to it is lost; and so is one delete. */
    static final class ForgetsWrites extends WrappedTxn {
        private int declared;

        @Override
        public int update(TableInfo table, long key) {
            return ++declared % EVERY == 0 ? inner.read(table, key) : inner.update(table, key);
        }

        @Override
        public int delete(TableInfo table, long key) {
            return ++declared % EVERY == 0 ? inner.read(table, key) : inner.delete(table, key);
        }
    }

    /** The first record that is updated comes back later as it was then: the updates in between are lost. */
    static final class ReadsStale extends WrappedTxn {
        private final List<Integer> updates = new ArrayList<>();
        private TableInfo victimTable;
        private long victimKey;
        private MemorySegment old;

        @Override
        public int update(TableInfo table, long key) {
            int access = inner.update(table, key);
            if (victimTable == null) {
                victimTable = table;
                victimKey = key;
            }
            if (table == victimTable && key == victimKey) updates.add(access);
            return access;
        }

        @Override
        public boolean execute() {
            boolean going = inner.execute();
            for (int access : updates) if (going && inner.found(access)) meet(access);
            updates.clear();
            return going;
        }

        private void meet(int access) {
            long bytes = victimTable.valueBytes();
            if (old == null) {
                old = Arena.ofAuto().allocate(bytes, 8);
                MemorySegment.copy(inner.memory(), inner.value(access), old, 0, bytes);
            } else {
                MemorySegment.copy(old, 0, inner.memory(), inner.value(access), bytes);
            }
        }
    }

    /** Does nothing wrong and writes down what is asked. */
    static final class Listens extends WrappedTxn {
        final List<String> heard = new ArrayList<>();

        @Override
        public int read(TableInfo table, long key) {
            return heard("read", table, key, inner.read(table, key));
        }

        @Override
        public int update(TableInfo table, long key) {
            return heard("update", table, key, inner.update(table, key));
        }

        @Override
        public int insert(TableInfo table, long key) {
            return heard("insert", table, key, inner.insert(table, key));
        }

        @Override
        public int delete(TableInfo table, long key) {
            return heard("delete", table, key, inner.delete(table, key));
        }

        private int heard(String what, TableInfo table, long key, int access) {
            heard.add(what + " " + table.name() + " " + key);
            return access;
        }
    }
}
