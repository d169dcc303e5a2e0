package tidepool.evidence.litmus.scenes;

import java.util.List;
import tidepool.evidence.litmus.Part;
import tidepool.evidence.litmus.Plan;
import tidepool.evidence.litmus.Plans;
import tidepool.evidence.litmus.Played;
import tidepool.evidence.litmus.Row;
import tidepool.evidence.litmus.Scene;
import tidepool.spi.PoolAccess;

/**
 * Inserts into buckets that are full. Afterwards all keys exist, each once, and each overflow bucket is in one chain.
 * In even rounds both parts extend one chain. In odd rounds they extend two chains of one partition, which share its
 * count of overflow buckets.
 */
public final class FullBucket extends Scene {
    private static final int MORE = 4;

    public FullBucket() {
        super("full-bucket", 2);
    }

    @Override
    public void prepare(Part examiner) {
        int slots = PoolAccess.layout(examiner.tight().handle()).slots();
        for (int bucket = 0; bucket < 2; bucket++)
            for (int i = 0; i < slots + MORE; i++) {
                long key = examiner.tightKey(bucket, i);
                Row row = Row.of(key, i);
                if (i < slots) examiner.transact(tx -> examiner.tight().put(tx, row));
                else examiner.transact(tx -> examiner.tight().delete(tx, key)); // left by a round with these keys
            }
    }

    @Override
    public void play(Part part) {
        int slots = PoolAccess.layout(part.tight().handle()).slots();
        boolean oneChain = part.round() % 2 == 0;
        int bucket = oneChain ? 0 : part.number();
        int first = slots + (oneChain ? 2 * part.number() : 0);
        part.barrier();
        part.tick("begin");
        insert(part, bucket, first);
        insert(part, bucket, first + 1);
        part.tick("end");
    }

    private static void insert(Part part, int bucket, int i) {
        long key = part.tightKey(bucket, i);
        part.transact(tx -> part.tight().insert(tx, Row.of(key, i)));
    }

    @Override
    public void end(Part examiner) {
        int slots = PoolAccess.layout(examiner.tight().handle()).slots();
        boolean oneChain = examiner.round() % 2 == 0;
        int missing = 0;
        for (int bucket = 0; bucket < 2; bucket++) {
            int keys = slots + (oneChain ? MORE - MORE * bucket : MORE / 2);
            for (int i = 0; i < keys; i++) {
                long key = examiner.tightKey(bucket, i);
                Row row = examiner.compute(tx -> examiner.tight().get(tx, key));
                if (row == null || row.value() != i || !row.isWhole()) missing++;
            }
        }
        examiner.note("missing", missing);
    }

    @Override
    public boolean judge(Played round) {
        forbid(round.end().get("missing") != 0, round.end().get("missing") + " keys are not as they were inserted");
        return round.together(0, 1) && round.sum("refused") > 0;
    }

    @Override
    public int maxRounds() {
        return 128;
    }

    @Override
    public List<Plan> scheduleForProcesses(long[] verbs) {
        return Plans.some(schedule(verbs), 60);
    }
}
