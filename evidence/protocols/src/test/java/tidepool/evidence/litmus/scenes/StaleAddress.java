package tidepool.evidence.litmus.scenes;

import tidepool.Cell;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Row;
import tidepool.evidence.litmus.Scene;
import tidepool.txn.AbortReason;

/**
 * A key is deleted, another key takes its slot, and the first is inserted again elsewhere. Meanwhile the other part,
 * which has cached the old address, reads and updates the key.
 */
public final class StaleAddress extends Scene {
    private static final long STRANGER = 777;

    public StaleAddress() {
        super("stale-address", 2);
    }

    @Override
    public void prepare(Part examiner) {
        put(examiner, 1, 0);
    }

    @Override
    public void play(Part part) {
        long key = part.key(0);
        long stranger = part.inBucketOf(key, 0);
        part.warm(key);
        part.barrier();
        part.tick("begin");
        if (part.number() == 0) {
            part.transact(tx -> part.rows().delete(tx, key));
            part.transact(tx -> part.insert(tx, stranger, STRANGER));
            part.transact(tx -> part.insert(tx, key, 2));
        } else {
            long stale = part.aborts(AbortReason.STALE_ADDRESS);
            part.note("first", part.read(key));
            part.note("updated", update(part, key));
            part.note("last", part.read(key));
            part.note("stale", part.aborts(AbortReason.STALE_ADDRESS) - stale);
        }
        part.tick("end");
    }

    /** Adds ten if the key exists; returns the value before. */
    private static long update(Part part, long key) {
        return part.compute(tx -> {
            Cell<Row> cell = part.rows().update(tx, key);
            long seen = part.get(cell);
            if (seen != Part.ABSENT) cell.set(Row.of(key, seen + 10));
            return seen;
        });
    }

    @Override
    public void end(Part examiner) {
        long key = examiner.key(0);
        examiner.transact(tx -> {
            examiner.note("key", examiner.get(tx, key));
            examiner.note("stranger", examiner.get(tx, examiner.inBucketOf(key, 0)));
        });
    }

    @Override
    public boolean judge(Played round) {
        long first = round.of(1, "first");
        long updated = round.of(1, "updated");
        long last = round.of(1, "last");
        boolean known = first <= 2 && updated <= 2 && (last <= 2 || last == updated + 10);
        forbid(!known, "read " + first + ", updated " + updated + ", read " + last);
        forbid(first == 2 && updated != 2 || updated == 2 && last != 12, "the key went back to what it was");
        long expected = updated == 2 ? 12 : 2;
        forbid(round.end().get("key") != expected, "key=" + round.end().get("key") + " and not " + expected);
        forbid(
                round.end().get("stranger") != STRANGER,
                "the stranger is now " + round.end().get("stranger"));
        return round.together(0, 1) && (round.of(1, "stale") > 0 || round.of(1, "met", 0) > 0);
    }
}
