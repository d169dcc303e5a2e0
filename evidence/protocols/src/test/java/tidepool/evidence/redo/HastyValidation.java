package tidepool.evidence.redo;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import tidepool.base.Words;
import tidepool.evidence.record.PlantedVerbs;
import tidepool.fabric.Round;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteTarget;

/**
 * Verbs that sample the read set in the round that takes the locks, and take the samples for the answers of validation.
 */
final class HastyValidation extends PlantedVerbs {
    private static final int MAX_SAMPLES = 64;
    private static final long SAMPLE = 2L * Words.BYTES;

    private final RecordVerbs sampling;
    private final MemorySegment samples;
    private final Map<Long, Integer> read = new LinkedHashMap<>();
    private final Map<Long, Integer> sampled = new LinkedHashMap<>();
    private long sampledFor;

    HastyValidation(PlantedRedo c, MemorySegment memory) {
        super(c, memory);
        this.samples = c.lane().landing((MAX_SAMPLES + 1) * SAMPLE);
        this.sampling = new RecordVerbs(c.pool(), samples);
    }

    @Override
    public void readOnly(Round round, Access a, long bodyBytes, long landing) {
        if (read.size() == MAX_SAMPLES) read.clear();
        sampled.clear(); // of an earlier transaction
        read.putIfAbsent(a.pointer, read.size());
        super.readOnly(round, a, bodyBytes, landing);
    }

    @Override
    public void lock(Round round, WriteTarget t, long txn, long intentAt) {
        sample(round, t, txn);
        super.lock(round, t, txn, intentAt);
    }

    @Override
    public void lockRead(Round round, WriteTarget t, long txn, long intentAt) {
        sample(round, t, txn);
        super.lockRead(round, t, txn, intentAt);
    }

    private void sample(Round round, WriteTarget t, long txn) {
        if (txn != sampledFor) {
            sampledFor = txn;
            sampled.clear();
            sampled.putAll(read);
            sampled.forEach((pointer, i) -> sampling.validate(round, pointer, i * SAMPLE));
        }
        sampled.remove(t.pointer); // this one is validated properly
    }

    @Override
    public void validate(Round round, long pointer, long landing) {
        Integer i = sampled.get(pointer);
        if (i == null) {
            super.validate(round, pointer, landing);
            return;
        }
        MemorySegment.copy(samples, i * SAMPLE, memory, landing, SAMPLE);
        sampling.validate(round, pointer, MAX_SAMPLES * SAMPLE); // the answer is not used
        read.clear();
    }
}
