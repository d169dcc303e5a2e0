package tidepool.workload.measured;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tidepool.protocol.ForwardingTxn;
import tidepool.txn.TableHandle;

/** Transactions that do something wrong now and then, to show that a check can fail. */
final class PlantedBugs {
    private static final int EVERY = 20;

    private PlantedBugs() {}

    /** Turns one update in a given number into a read, so that the write is lost; and one delete, too. */
    static final class ForgetsWrites extends ForwardingTxn {
        private int declared;

        @Override
        public int update(TableHandle table, long key) {
            return ++declared % EVERY == 0 ? inner.read(table, key) : inner.update(table, key);
        }

        @Override
        public int delete(TableHandle table, long key) {
            return ++declared % EVERY == 0 ? inner.read(table, key) : inner.delete(table, key);
        }
    }

    /** A record comes back for every update as this client saw it for its first: the updates in between are lost. */
    static final class ReadsStale extends ForwardingTxn {
        private record Update(int access, TableHandle table, long key) {}

        private final List<Update> updates = new ArrayList<>();
        private final Map<String, MemorySegment> firstSeen = new HashMap<>();

        @Override
        public int update(TableHandle table, long key) {
            int access = inner.update(table, key);
            updates.add(new Update(access, table, key));
            return access;
        }

        @Override
        public boolean execute() {
            boolean going = inner.execute();
            for (Update update : updates) if (going && inner.found(update.access)) meet(update);
            updates.clear();
            return going;
        }

        private void meet(Update update) {
            MemorySegment value = inner.memory()
                    .asSlice(inner.value(update.access), update.table.schema().length());
            MemorySegment old = firstSeen.putIfAbsent(update.table.name() + " " + update.key, copy(value));
            if (old != null) value.copyFrom(old);
        }

        private static MemorySegment copy(MemorySegment value) {
            return Arena.ofAuto().allocate(value.byteSize(), 8).copyFrom(value);
        }
    }

    /** Does nothing wrong and records all calls. */
    static final class Listens extends ForwardingTxn {
        final List<String> heard = new ArrayList<>();

        @Override
        public int read(TableHandle table, long key) {
            return heard("read", table, key, inner.read(table, key));
        }

        @Override
        public int update(TableHandle table, long key) {
            return heard("update", table, key, inner.update(table, key));
        }

        @Override
        public int insert(TableHandle table, long key) {
            return heard("insert", table, key, inner.insert(table, key));
        }

        @Override
        public int delete(TableHandle table, long key) {
            return heard("delete", table, key, inner.delete(table, key));
        }

        private int heard(String what, TableHandle table, long key, int access) {
            heard.add(what + " " + table.name() + " " + key);
            return access;
        }
    }
}
