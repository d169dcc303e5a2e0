package tidepool.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import tidepool.history.Recorded.Txn;

/** Random tiny histories of rows that are inserted and deleted. Most reads see the current state, some an old one. */
final class TinyRows {
    private final Random random;
    private final int keys;
    private final int buckets;
    /** The state after each transaction: the versions of the rows that exist. {@link #heads} has those of buckets. */
    private final List<Map<Long, Long>> rows = new ArrayList<>(List.of(new HashMap<>()));

    private final List<Map<Long, Long>> heads = new ArrayList<>(List.of(new HashMap<>()));

    private TinyRows(Random random) {
        this.random = random;
        keys = 1 + random.nextInt(4);
        buckets = 1 + random.nextInt(2);
    }

    static Recorded make(Random random) {
        return new TinyRows(random).make();
    }

    private Recorded make() {
        List<Txn> txns = new ArrayList<>();
        int count = 2 + random.nextInt(4);
        for (int i = 0; i < count; i++) txns.add(new Txn(i, List.of()));
        for (Txn txn : txns) OracleTest.TinyHistories.outcome(random, txn);
        List<Txn> order = new ArrayList<>(txns);
        if (random.nextBoolean()) Collections.shuffle(order, random);
        for (Txn txn : order) execute(txn);
        Recorded recorded = OracleTest.TinyHistories.interleave(random, txns);
        recorded.told = true;
        return recorded;
    }

    private void execute(Txn txn) {
        boolean applied =
                switch (txn.outcome) {
                    case OK -> true;
                    case FAIL -> random.nextInt(10) == 0;
                    case INFO -> random.nextBoolean();
                };
        Map<Long, Long> rowsAfter = new HashMap<>(rows.getLast());
        Map<Long, Long> headsAfter = new HashMap<>(heads.getLast());
        List<Long> order = new ArrayList<>();
        for (long key = 0; key < keys; key++) order.add(key);
        Collections.shuffle(order, random);
        List<MicroOp> looks = new ArrayList<>();
        List<MicroOp> changes = new ArrayList<>();
        int then = random.nextInt(6) == 0 ? random.nextInt(rows.size()) : rows.size() - 1;
        for (long key : order.subList(0, Math.min(keys, 1 + random.nextInt(3)))) {
            int when = random.nextInt(12) == 0 ? random.nextInt(rows.size()) : then;
            operation(txn, key, when, looks, changes, rowsAfter, headsAfter);
        }
        txn.ops = looks;
        txn.ops.addAll(changes);
        if (!applied) return;
        rows.add(rowsAfter);
        heads.add(headsAfter);
    }

    private void operation(
            Txn txn,
            long key,
            int when,
            List<MicroOp> looks,
            List<MicroOp> changes,
            Map<Long, Long> rowsAfter,
            Map<Long, Long> headsAfter) {
        long bucket = key % buckets;
        long version = 10 + txn.process;
        Long row = rows.get(when).get(key);
        if (random.nextInt(60) == 0) row = row == null ? Long.valueOf(10) : null;
        long head = heads.get(when).getOrDefault(bucket, MicroOp.NEVER);
        int kind = random.nextInt(3);
        if (kind == 0) {
            looks.add(row == null ? new MicroOp.NotFound(key, bucket, head) : MicroOp.readVersion(key, row));
        } else if (row == null) {
            changes.add(new MicroOp.Insert(key, version, bucket, head));
            rowsAfter.put(key, version);
            headsAfter.put(bucket, version);
        } else if (kind == 1) {
            changes.add(MicroOp.write(key, version, row));
            rowsAfter.put(key, version);
        } else {
            changes.add(new MicroOp.Remove(key, version, row, bucket, head));
            rowsAfter.remove(key);
            headsAfter.put(bucket, version);
        }
    }
}
