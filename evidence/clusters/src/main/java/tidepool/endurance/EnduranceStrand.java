package tidepool.endurance;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.schema.Attribute;
import tidepool.schema.Fields.IntField;
import tidepool.schema.Fields.LongField;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * A strand that changes, deletes and inserts rows whose keys are its own, so that it knows which of them exist and how
 * often each was written. It shares the heads of buckets with the other strands. At times it reads some of its rows at
 * once.
 */
final class EnduranceStrand {
    private static final int MAX_AT_ONCE = 8;
    private static final long PAUSE_NANOS = 2_000;

    private final RecordCoordinator coordinator;
    private final TableLayout table;
    private final int first;
    private final int step;
    private final int keys;
    private final Randomness random;
    private final LongField balance;
    private final LongField owner;
    private final IntField count;
    private final Attribute note;
    private final BitSet there = new BitSet();
    private final long[] balances;
    private final List<String> faults = new ArrayList<>();
    private final long[] chosen = new long[MAX_AT_ONCE];
    private final int[] access = new int[MAX_AT_ONCE];
    private long updates;
    private long deletes;
    private long aborts;

    /** A strand with the keys first, first + step, …, below {@code keys}. */
    EnduranceStrand(
            RecordCoordinator coordinator, TableLayout table, int first, int step, int keys, Randomness random) {
        this.coordinator = coordinator;
        this.table = table;
        this.first = first;
        this.step = step;
        this.keys = keys;
        this.random = random;
        this.balance = table.schema().longField("balance");
        this.owner = table.schema().longField("owner");
        this.count = table.schema().intField("count");
        this.note = table.schema().attribute("note");
        this.balances = new long[keys];
    }

    long updates() {
        return updates;
    }

    long deletes() {
        return deletes;
    }

    long aborts() {
        return aborts;
    }

    long rows() {
        return there.cardinality();
    }

    List<String> faults() {
        return faults;
    }

    /** Inserts all its rows. Waits for their commits. */
    void moveIn() {
        for (int key = first; key < keys; key += step) {
            chosen[0] = key;
            while (!write(1, false)) pause();
        }
    }

    /**
     * Runs transactions until it has made this number of updates in all, or found something wrong. Waits for their
     * commits.
     */
    void work(long until) {
        while (updates < until && faults.isEmpty()) {
            choose();
            int kind = random.nextInt(16);
            if (kind == 0) while (!read()) pause();
            else if (kind <= 2) while (!write(1 + random.nextInt(2), true)) pause();
            else while (!write(MAX_AT_ONCE, false)) pause();
        }
    }

    private void pause() {
        aborts++;
        Waiting.pause(PAUSE_NANOS + random.nextInt((int) PAUSE_NANOS));
    }

    /** Chooses different keys of its own. */
    private void choose() {
        int mine = (keys - first + step - 1) / step;
        int at = random.nextInt(mine);
        for (int i = 0; i < MAX_AT_ONCE; i++) chosen[i] = first + (long) step * ((at + i * 7L) % mine);
    }

    private boolean read() {
        Txn txn = coordinator.begin();
        for (int i = 0; i < 3; i++) access[i] = txn.read(table, chosen[i]);
        if (!txn.execute()) return false;
        for (int i = 0; i < 3; i++) look(txn, i, true);
        return txn.commit() == Outcome.COMMITTED;
    }

    /** Changes rows that exist and inserts the others; or deletes those that exist. */
    private boolean write(int rows, boolean deletesThem) {
        Txn txn = coordinator.begin();
        int used = 0;
        for (int i = 0; i < rows; i++) {
            if (deletesThem && !there.get((int) chosen[i])) continue;
            chosen[used] = chosen[i];
            access[used] = deletesThem ? txn.delete(table, chosen[i]) : txn.put(table, chosen[i]);
            used++;
        }
        if (used == 0) {
            txn.rollback();
            return true;
        }
        if (!txn.execute()) return false;
        for (int i = 0; i < used; i++) {
            look(txn, i, !deletesThem);
            if (!deletesThem) change(txn.memory(), txn.value(access[i]), chosen[i]);
        }
        if (txn.commit() != Outcome.COMMITTED) return false;
        for (int i = 0; i < used; i++) {
            int key = (int) chosen[i];
            there.set(key, !deletesThem);
            balances[key] = deletesThem ? 0 : balances[key] + 1;
        }
        updates += used;
        if (deletesThem) deletes += used;
        return true;
    }

    private void change(MemorySegment memory, long value, long key) {
        long now = balances[(int) key] + 1;
        balance.set(memory, value, now);
        count.set(memory, value, (int) now);
        if (now % 8 == 3) owner.set(memory, value, now);
        if (now % 8 == 5) memory.set(ValueLayout.JAVA_BYTE, value + note.offset(), (byte) now);
    }

    /** Checks a row. Only this strand writes its rows, so each is as this strand left it. */
    private void look(Txn txn, int i, boolean hasValue) {
        int key = (int) chosen[i];
        boolean found = txn.found(access[i]);
        if (found != there.get(key)) faults.add("key " + key + (found ? " is there" : " is not there") + " by mistake");
        else if (found && hasValue && balance.get(txn.memory(), txn.value(access[i])) != balances[key])
            faults.add("key " + key + " was changed " + balances[key] + " times and says "
                    + balance.get(txn.memory(), txn.value(access[i])));
    }
}
