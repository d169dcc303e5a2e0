package tidepool.evidence.litmus.scenes;

import tidepool.DuplicateKeyException;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Row;
import tidepool.evidence.litmus.Scene;

/**
 * Two parts insert one key: one succeeds, the other learns that the key exists. One of them frees a slot first, so that
 * they need not choose one slot: they contend for the bucket (F6).
 */
public final class InsertInsert extends Scene {
    public InsertInsert() {
        super("insert-insert", 2);
    }

    @Override
    public void prepare(Part examiner) {
        long stranger = examiner.inBucketOf(examiner.key(0), 0);
        examiner.transact(tx -> examiner.rows().put(tx, Row.of(stranger, 7)));
    }

    @Override
    public void play(Part part) {
        long key = part.key(0);
        long stranger = part.inBucketOf(key, 0);
        part.warm(stranger);
        part.barrier();
        if (part.number() == 0) part.transact(tx -> part.rows().delete(tx, stranger));
        part.tick("begin");
        try {
            part.transact(tx -> part.insert(tx, key, 1 + part.number()));
            part.note("won", 1);
        } catch (DuplicateKeyException e) {
            part.note("won", 0);
        }
        part.tick("end");
    }

    @Override
    public void end(Part examiner) {
        examiner.transact(tx -> examiner.note("value", examiner.get(tx, examiner.key(0))));
    }

    @Override
    public boolean judge(Played round) {
        forbid(round.sum("won") != 1, round.sum("won") + " inserted the key");
        long winner = round.of(0, "won") == 1 ? 1 : 2;
        forbid(round.end().get("value") != winner, "the value is not that of the one who inserted it");
        return round.together(0, 1) && round.sum("refused") > 0;
    }
}
