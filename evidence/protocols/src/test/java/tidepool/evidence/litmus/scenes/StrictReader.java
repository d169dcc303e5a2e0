package tidepool.evidence.litmus.scenes;

import tidepool.Cell;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Row;
import tidepool.evidence.litmus.Scene;

/**
 * One part reads z and writes x. The other writes z, learns that it committed, and then reads. If the first used the
 * old z, it precedes the other, so the other's read must show its x. Interleavings 3 and 4.
 */
public final class StrictReader extends Scene {
    /** The keys that the second part reads at the end. */
    public enum Reads {
        /** x alone: nothing is validated, so the scene tests strictness. */
        ONE_KEY,
        /** z and x in one transaction: if the lock of x were ignored, the history would not even be serializable. */
        TWO_KEYS,
        /** x, which the first part inserts. */
        NEW_KEY
    }

    private final Reads reads;

    public StrictReader(Reads reads) {
        super("strict-reader-" + reads.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'), 2);
        this.reads = reads;
    }

    @Override
    public void prepare(Part examiner) {
        put(examiner, 0, 0);
        if (reads != Reads.NEW_KEY) put(examiner, 0, 1);
    }

    @Override
    public void play(Part part) {
        long z = part.key(0);
        long x = part.key(1);
        part.warm(z);
        if (reads != Reads.NEW_KEY) part.warm(x);
        part.barrier();
        part.tick("begin");
        if (part.number() == 0) readAndWrite(part, z, x);
        else {
            part.transact(tx -> part.set(tx, z, 1));
            part.tick("reported");
            look(part, z, x);
        }
        part.tick("end");
    }

    private void readAndWrite(Part part, long z, long x) {
        part.transact(tx -> {
            Cell<Row> cell = part.rows().read(tx, z);
            if (reads == Reads.NEW_KEY) {
                long seen = part.get(cell);
                part.insert(tx, x, 10 + seen);
                part.note("z", seen);
                return;
            }
            Cell<Row> written = part.rows().update(tx, x);
            long seen = part.get(cell);
            written.set(Row.of(x, 10 + seen));
            part.note("z", seen);
        });
    }

    private void look(Part part, long z, long x) {
        if (reads != Reads.TWO_KEYS) part.note("x", part.read(x));
        else
            part.transact(tx -> {
                Cell<Row> first = part.rows().read(tx, z);
                Cell<Row> second = part.rows().read(tx, x);
                part.get(first);
                part.note("x", part.get(second));
            });
    }

    @Override
    public boolean judge(Played round) {
        boolean wentByTheOld = round.of(0, "z") == 0;
        long x = round.of(1, "x");
        forbid(wentByTheOld && x != 10, "x=" + x + " does not show who went by the old z");
        return wentByTheOld && round.isBefore(1, "reported", 0, "end");
    }

    /** One whole part has to run between two trips of the other. */
    @Override
    public boolean meetsByChance() {
        return false;
    }
}
