package tidepool.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import tidepool.history.Recorded.Txn;

/**
 * Random tiny histories of rows that are inserted, moved in an index, deleted, and read by ranges. Most range reads see
 * the current state, some an old one, some miss a row.
 */
final class TinyRanges {
    private static final long INDEX = 1;
    private static final int POSITIONS = 4;

    /** A row as the state has it. */
    private record Row(long version, Long position) {}

    private final Random random;
    private final int keys;
    private final List<Map<Long, Row>> states = new ArrayList<>(List.of(new HashMap<>()));

    /** By key, the version of its bucket, of which each has its own. */
    private final List<Map<Long, Long>> heads = new ArrayList<>(List.of(new HashMap<>()));

    private TinyRanges(Random random) {
        this.random = random;
        keys = 1 + random.nextInt(4);
    }

    static Recorded make(Random random) {
        return new TinyRanges(random).make();
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
        recorded.hasRanges = true;
        return recorded;
    }

    private void execute(Txn txn) {
        boolean applied =
                switch (txn.outcome) {
                    case OK -> true;
                    case FAIL -> random.nextInt(10) == 0;
                    case INFO -> random.nextBoolean();
                };
        int when = random.nextInt(5) == 0 ? random.nextInt(states.size()) : states.size() - 1;
        Map<Long, Row> own = new HashMap<>(states.get(when));
        Map<Long, Row> after = new HashMap<>(states.getLast());
        Map<Long, Long> headsAfter = new HashMap<>(heads.getLast());
        txn.ops = new ArrayList<>();
        boolean mayScan = random.nextInt(3) > 0;
        if (mayScan) txn.ops.add(range(own));
        List<Long> order = new ArrayList<>();
        for (long key = 0; key < keys; key++) order.add(key);
        Collections.shuffle(order, random);
        for (long key : order.subList(0, random.nextInt(Math.min(keys, 2) + 1))) {
            boolean was = own.containsKey(key);
            write(txn, key, own, heads.get(when).getOrDefault(key, MicroOp.NEVER));
            if (own.containsKey(key)) after.put(key, own.get(key));
            else after.remove(key);
            if (was != own.containsKey(key)) headsAfter.put(key, 10L + txn.process);
        }
        if (random.nextInt(4) == 0) txn.ops.add(range(own));
        if (!applied) return;
        states.add(after);
        heads.add(headsAfter);
    }

    /** Removes a row, updates it, or inserts it. */
    private void write(Txn txn, long key, Map<Long, Row> own, long head) {
        long version = 10 + txn.process;
        Row before = own.get(key);
        if (before != null && random.nextInt(3) == 0) {
            txn.ops.add(new MicroOp.Remove(key, version, before.version(), key, head));
            own.remove(key);
            return;
        }
        if (before == null) txn.ops.add(new MicroOp.Insert(key, version, key, head));
        else txn.ops.add(MicroOp.write(key, version, before.version()));
        Long position = random.nextInt(4) == 0 ? null : Long.valueOf(random.nextInt(POSITIONS));
        if (position != null) txn.ops.add(new MicroOp.Entry(key, INDEX, position));
        own.put(key, new Row(version, position));
    }

    private MicroOp range(Map<Long, Row> state) {
        boolean isOfKeys = random.nextBoolean();
        int room = isOfKeys ? keys : POSITIONS;
        long from = random.nextInt(3) == 0 ? random.nextInt(room) : Long.MIN_VALUE;
        long through = random.nextInt(3) == 0 ? random.nextInt(room) : Long.MAX_VALUE;
        boolean isReversed = random.nextBoolean();
        long limit = random.nextInt(3) == 0 ? 1 + random.nextInt(2) : Long.MAX_VALUE;
        boolean hasVersions = random.nextInt(3) > 0;
        List<MicroOp.RangeRow> rows = new ArrayList<>();
        state.forEach((key, row) -> {
            Long position = isOfKeys ? key : row.position();
            if (position == null || position < from || position > through || random.nextInt(40) == 0) return;
            MicroOp.Seen seen = hasVersions ? new MicroOp.Seen.Version(row.version()) : MicroOp.Seen.NOTHING;
            rows.add(new MicroOp.RangeRow(key, seen, position));
        });
        rows.sort(Comparator.comparingLong(MicroOp.RangeRow::position).thenComparingLong(MicroOp.RangeRow::key));
        if (isReversed) Collections.reverse(rows);
        List<MicroOp.RangeRow> seen = rows.subList(0, (int) Math.min(rows.size(), limit));
        return new MicroOp.Range(isOfKeys ? MicroOp.KEY_ORDER : INDEX, from, through, isReversed, limit, seen);
    }
}
