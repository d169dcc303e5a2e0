package tidepool.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import tidepool.history.Recorded.Outcome;
import tidepool.history.Recorded.Txn;

/**
 * A store that executes each transaction at one moment between its invocation and its completion, so its histories are
 * strictly serializable by construction. Some transactions fail, and of some the outcome stays unknown: those are
 * executed then, much later, or never. At the end, one transaction reads every key.
 */
final class RandomWorkload {
    private final Random random;
    private final boolean registers;
    private final Recorded recorded = new Recorded();
    private final Map<Long, List<Long>> store = new HashMap<>();
    private final Map<Long, Long> appended = new HashMap<>();
    private final List<Txn> haunting = new ArrayList<>();
    private int nextProcess;
    private int firstKey;

    private RandomWorkload(Random random, boolean registers) {
        this.random = random;
        this.registers = registers;
    }

    static Recorded run(Random random, int transactions, boolean registers) {
        return new RandomWorkload(random, registers).run(transactions);
    }

    private Recorded run(int transactions) {
        int width = 1 + random.nextInt(8);
        List<Long> idle = new ArrayList<>();
        List<Txn> waiting = new ArrayList<>();
        List<Txn> executed = new ArrayList<>();
        for (int i = 0; i < width; i++) idle.add((long) nextProcess++);
        int invoked = 0;
        while (invoked < transactions || !waiting.isEmpty() || !executed.isEmpty()) {
            switch (random.nextInt(4)) {
                case 0 -> {
                    if (invoked == transactions || idle.isEmpty()) continue;
                    Txn txn = new Txn(idle.remove(random.nextInt(idle.size())), ask());
                    recorded.invoke(txn);
                    waiting.add(txn);
                    invoked++;
                }
                case 1 -> {
                    if (waiting.isEmpty()) continue;
                    Txn txn = waiting.remove(random.nextInt(waiting.size()));
                    decide(txn);
                    executed.add(txn);
                }
                case 2 -> {
                    if (executed.isEmpty()) continue;
                    Txn txn = executed.remove(random.nextInt(executed.size()));
                    recorded.complete(txn);
                    idle.add(txn.outcome == Outcome.INFO ? nextProcess++ : txn.process);
                }
                default -> {
                    if (haunting.isEmpty() || random.nextInt(5) > 0) continue;
                    execute(haunting.remove(random.nextInt(haunting.size())));
                }
            }
        }
        finalRead();
        return recorded;
    }

    private List<MicroOp> ask() {
        // Old keys are left alone after a while, as Elle's generator does, so that lists stay short.
        if (random.nextInt(10) == 0) firstKey++;
        List<MicroOp> ops = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            long key = firstKey + random.nextInt(3);
            long value = appended.merge(key, 1L, Long::sum);
            if (random.nextBoolean()) ops.add(MicroOp.read(key));
            else if (!registers) ops.add(MicroOp.append(key, value));
            else if (random.nextInt(5) > 0) ops.add(MicroOp.write(key, value));
            else ops.add(new MicroOp.Delete(key, value, MicroOp.Previous.UNKNOWN));
        }
        return ops;
    }

    private void decide(Txn txn) {
        switch (random.nextInt(12)) {
            case 0, 1 -> txn.outcome = Outcome.FAIL;
            case 2 -> {
                txn.outcome = Outcome.INFO;
                int fate = random.nextInt(3);
                if (fate == 0) execute(txn);
                if (fate == 1) haunting.add(txn);
            }
            default -> execute(txn);
        }
    }

    private void execute(Txn txn) {
        txn.ops.replaceAll(op -> {
            List<Long> versions = store.computeIfAbsent(op.key(), k -> new ArrayList<>());
            MicroOp result = result(op, versions);
            if (op instanceof MicroOp.Append(long key, long element)) versions.add(element);
            if (op instanceof MicroOp.Write(long key, long version, MicroOp.Previous p)) versions.add(version);
            if (op instanceof MicroOp.Delete(long key, long version, MicroOp.Previous p)) versions.add(version);
            return result;
        });
    }

    private MicroOp result(MicroOp op, List<Long> versions) {
        MicroOp.Previous previous =
                versions.isEmpty() ? MicroOp.Previous.NONE : new MicroOp.Previous.Version(versions.getLast());
        if (random.nextInt(6) == 0) previous = MicroOp.Previous.UNKNOWN;
        return switch (op) {
            case MicroOp.Append append -> append;
            case MicroOp.Write(long key, long version, MicroOp.Previous p) -> new MicroOp.Write(key, version, previous);
            case MicroOp.Delete(long key, long version, MicroOp.Previous p) ->
                new MicroOp.Delete(key, version, previous);
            default -> {
                if (!registers) yield MicroOp.readList(op.key(), longs(versions));
                yield versions.isEmpty() ? MicroOp.read(op.key()) : MicroOp.readVersion(op.key(), versions.getLast());
            }
        };
    }

    private void finalRead() {
        List<MicroOp> ops = new ArrayList<>();
        for (long key : store.keySet().stream().sorted().toList()) ops.add(result(MicroOp.read(key), store.get(key)));
        Txn last = new Txn(nextProcess++, ops);
        recorded.invoke(last);
        recorded.complete(last);
    }

    static long[] longs(List<Long> list) {
        return list.stream().mapToLong(Long::longValue).toArray();
    }
}
