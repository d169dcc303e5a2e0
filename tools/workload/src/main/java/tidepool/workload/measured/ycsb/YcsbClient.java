package tidepool.workload.measured.ycsb;

import java.lang.foreign.MemorySegment;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;
import tidepool.workload.measured.BookClient;
import tidepool.workload.measured.StampedBytes;

/**
 * A YCSB client. Its inserts have keys of their own. The newest records for a client are its own inserts and, after
 * them, the loaded records, as for each of several YCSB processes.
 */
final class YcsbClient extends BookClient {
    private final Ycsb ycsb;
    private final TableLayout table;
    private final int number;
    private final long room;
    private int type;
    private long key;
    private int field;
    private long inserted;

    YcsbClient(Ycsb ycsb, TableLayout table, int number, int clients, long seed) {
        super(ycsb.books().size(), number, seed);
        this.ycsb = ycsb;
        this.table = table;
        this.number = number;
        room = ycsb.inserts / clients;
    }

    @Override
    public int draw() {
        type = ycsb.mix.draw(random);
        field = ycsb.fields == 1 ? 0 : random.nextInt(ycsb.fields);
        key = type == Ycsb.INSERT ? nextInsert() : ycsb.letter == 'd' ? latest() : ycsb.keys.draw(random);
        return type;
    }

    private long nextInsert() {
        if (inserted >= room)
            throw new IllegalStateException("the room for inserts is used up: inserts=" + ycsb.inserts
                    + "; a longer run takes more of them: ycsb-d?inserts=…");
        return Ycsb.inserted(number, inserted);
    }

    private long latest() {
        long back = ycsb.keys.draw(random);
        return back < inserted ? Ycsb.inserted(number, inserted - 1 - back) : ycsb.records - 1 - (back - inserted);
    }

    @Override
    protected boolean attempt(Txn txn) {
        return switch (type) {
            case Ycsb.READ -> read(txn);
            case Ycsb.INSERT -> insert(txn);
            default -> update(txn);
        };
    }

    private boolean read(Txn txn) {
        int access = txn.read(table, key);
        if (!txn.execute()) return false;
        note(Ycsb.READS, 1);
        look(txn, access);
        return true;
    }

    /** Runs an update or a read-modify-write: an update reads the field, and the new value depends on the old one. */
    private boolean update(Txn txn) {
        int access = txn.update(table, key);
        if (!txn.execute()) return false;
        note(Ycsb.UPDATES, 1);
        if (!look(txn, access)) return true;
        MemorySegment memory = txn.memory();
        long at = fieldAt(txn, access);
        long count = StampedBytes.count(memory, at, ycsb.length) + 1;
        StampedBytes.write(memory, at, ycsb.length, Ycsb.owner(key, field), count);
        return true;
    }

    private boolean insert(Txn txn) {
        int access = txn.insert(table, key);
        if (!txn.execute()) return false;
        note(Ycsb.INSERTS, 1);
        if (txn.found(access)) {
            note(Ycsb.WRONG, 1);
            return true;
        }
        long at = txn.value(access);
        for (int each = 0; each < ycsb.fields; each++)
            StampedBytes.write(txn.memory(), at + (long) each * ycsb.length, ycsb.length, Ycsb.owner(key, each), 0);
        return true;
    }

    /** Returns whether the record exists and its field is correct. A wrong record goes into the book. */
    private boolean look(Txn txn, int access) {
        boolean found = txn.found(access);
        if (!found || !StampedBytes.endsMatch(txn.memory(), fieldAt(txn, access), ycsb.length, Ycsb.owner(key, field)))
            note(Ycsb.WRONG, 1);
        return found;
    }

    private long fieldAt(Txn txn, int access) {
        return txn.value(access) + (long) field * ycsb.length;
    }

    @Override
    public void committed() {
        super.committed();
        if (type == Ycsb.INSERT) inserted++;
    }
}
