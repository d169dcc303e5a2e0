package tidepool.workload.measured.ycsb;

import java.lang.foreign.MemorySegment;
import tidepool.schema.IndexSchema;
import tidepool.store.TableLayout;
import tidepool.txn.RangeScan;
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
    private int length;
    private long inserted;
    private final RangeScan scan;

    YcsbClient(Ycsb ycsb, TableLayout table, int number, int clients, long seed) {
        super(ycsb.books().size(), number, seed);
        this.ycsb = ycsb;
        this.table = table;
        this.number = number;
        room = ycsb.inserts / clients;
        scan = ycsb.letter == 'e' ? new RangeScan(table, IndexSchema.PRIMARY) : null;
    }

    @Override
    public int draw() {
        type = ycsb.mix.draw(random);
        field = ycsb.fields == 1 ? 0 : random.nextInt(ycsb.fields);
        length = type == Ycsb.SCAN ? 1 + random.nextInt(Ycsb.MAX_SCAN) : 0;
        key = type == Ycsb.INSERT ? nextInsert() : ycsb.letter == 'd' ? latest() : ycsb.loaded(ycsb.keys.draw(random));
        return type;
    }

    private long nextInsert() {
        if (inserted >= room)
            throw new IllegalStateException("the room for inserts is used up: inserts=" + ycsb.inserts
                    + "; a longer run takes more of them: ycsb-" + ycsb.letter + "?inserts=…");
        return ycsb.inserted(number, inserted);
    }

    private long latest() {
        long back = ycsb.keys.draw(random);
        return back < inserted ? ycsb.inserted(number, inserted - 1 - back) : ycsb.records - 1 - (back - inserted);
    }

    @Override
    protected boolean attempt(Txn txn) {
        return switch (type) {
            case Ycsb.READ -> read(txn);
            case Ycsb.INSERT -> insert(txn);
            case Ycsb.SCAN -> scan(txn);
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

    /** Reads records in the order of their keys. No loaded record of the range may be missing. */
    private boolean scan(Txn txn) {
        scan.from(key).limit(length).begin();
        long last = key - 1;
        long expected = Ycsb.record(key); // the next loaded record
        while (scan.hasNext()) {
            if (!txn.scan(scan)) return false;
            for (int i = 0; i < scan.rows(); i++) {
                long found = scan.keyWord(i);
                boolean isLoaded = found == ycsb.loaded(Ycsb.record(found));
                boolean isRight = found > last && Ycsb.record(found) == (isLoaded ? expected : expected - 1);
                if (isLoaded) expected++;
                last = found;
                long at = txn.value(scan.access(i)) + (long) field * ycsb.length;
                if (!isRight || !StampedBytes.endsMatch(txn.memory(), at, ycsb.length, Ycsb.owner(found, field)))
                    note(Ycsb.WRONG, 1);
                note(Ycsb.SCANNED, 1);
            }
        }
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
