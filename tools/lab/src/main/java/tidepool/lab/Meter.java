package tidepool.lab;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import tidepool.fabric.Traffic;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.sim.Machine;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;
import tidepool.workload.measured.WorkloadClient;

/** Runs coordinators on a pool for a window of virtual time, and counts their work in it. */
final class Meter {
    /** The handling of an aborted transaction. */
    enum Aborted {
        /** The transaction is dropped, as in the paper's artifact: the next one is drawn. */
        DROPPED,
        /** The transaction is retried at once, until it commits (FORD §6.2.1). */
        TRIED_AGAIN,
        /** The transaction is retried at once for a millisecond, and then dropped, as in HDTX's artifact. */
        TRIED_FOR_A_WHILE
    }

    private static final long WHILE_NANOS = 1_000_000;

    private final LabPool pool;
    private final Aborted policy;
    private final boolean watchesLocks;
    private int samples;
    private long[] latencies = new long[1 << 12];
    private int commits;
    private long aborts;
    private long misses;
    private final Map<AbortReason, Integer> reasons = new EnumMap<>(AbortReason.class);
    private Traffic sentBefore;
    private Traffic sent;
    private final long[] book;

    Meter(LabPool pool, Aborted policy, boolean watchesLocks) {
        this.pool = pool;
        this.policy = policy;
        this.watchesLocks = watchesLocks;
        this.book = new long[pool.setup.workload().books().size()];
    }

    /** Warms up, then measures. */
    Sample measure(SeriesPoint point) {
        Load load = point.load();
        commits = 0;
        aborts = 0;
        misses = 0;
        reasons.clear();
        LockWatch watch = new LockWatch(pool.simulation);
        long begin = pool.simulation.nowNanos() + point.window().warmNanos();
        long end = begin + point.window().nanos();
        Machine machine = pool.cores(load.threads());
        long seed = pool.setup.seed() + 1_000_003L * ++samples;
        pool.simulation.at(begin, () -> sentBefore = traffic(load.total()));
        pool.simulation.at(end, () -> sent = traffic(load.total()).since(sentBefore));
        if (watchesLocks) pool.simulation.at(begin, () -> pool.fabric.listen(watch));
        for (int i = 0; i < load.total(); i++) {
            RecordCoordinator coordinator = pool.coordinators.get(i);
            WorkloadClient client = point.workload().client(pool.tables, i, load.total(), seed);
            pool.simulation.start(machine, "c" + i + "." + samples, () -> work(coordinator, client, begin, end));
        }
        pool.simulation.run();
        pool.fabric.listen(null);
        Arrays.sort(latencies, 0, commits);
        return new Sample(
                load,
                commits,
                commits * 1e9 / point.window().nanos(),
                percentile(50),
                percentile(99),
                mean(),
                (double) aborts / Math.max(1, commits),
                (double) misses / Math.max(1, commits),
                watch.meanMicros(),
                Sample.Sent.of(sent, commits),
                reasons());
    }

    private Traffic traffic(int coordinators) {
        Traffic sum = new Traffic();
        for (int i = 0; i < coordinators; i++) sum.add(pool.coordinators.get(i).traffic());
        return sum;
    }

    private String reasons() {
        StringJoiner text = new StringJoiner(" ");
        reasons.entrySet().stream()
                .sorted(Map.Entry.<AbortReason, Integer>comparingByValue().reversed())
                .forEach(e -> text.add(String.format(
                        Locale.ROOT, "%s=%.3f", e.getKey(), (double) e.getValue() / Math.max(1, commits))));
        return text.toString();
    }

    /** Returns the sums of the books of all clients, for the workload's own check. */
    long[] book() {
        return book.clone();
    }

    private void work(RecordCoordinator coordinator, WorkloadClient client, long begin, long end) {
        ChargedTxn charged = new ChargedTxn(pool.setup.profile().coordinator());
        while (pool.simulation.nowNanos() < end) {
            client.draw();
            long started = pool.simulation.nowNanos();
            boolean committed = attempt(coordinator, client, charged);
            while (!committed && wasAborted(charged) && isTriedAgain(started)) {
                if (isInside(begin, end)) aborted(charged);
                committed = attempt(coordinator, client, charged);
            }
            if (committed) client.committed();
            else client.gaveUp();
            if (!isInside(begin, end)) continue;
            if (client.missed()) misses++;
            else if (committed) add(pool.simulation.nowNanos() - started);
            else aborted(charged);
        }
        for (int i = 0; i < book.length; i++) book[i] += client.book()[i];
    }

    private boolean isTriedAgain(long started) {
        return switch (policy) {
            case DROPPED -> false;
            case TRIED_AGAIN -> true;
            case TRIED_FOR_A_WHILE -> pool.simulation.nowNanos() - started < WHILE_NANOS;
        };
    }

    private void aborted(Txn txn) {
        aborts++;
        if (txn.abortReason() != null) reasons.merge(txn.abortReason(), 1, Integer::sum);
    }

    private static boolean attempt(RecordCoordinator coordinator, WorkloadClient client, ChargedTxn charged) {
        Txn txn = charged.of(coordinator.begin());
        if (client.run(txn)) return txn.commit() == Outcome.COMMITTED;
        txn.rollback();
        return false;
    }

    private static boolean wasAborted(Txn txn) {
        return txn.abortReason() != null && txn.abortReason() != AbortReason.ROLLED_BACK;
    }

    private boolean isInside(long begin, long end) {
        long now = pool.simulation.nowNanos();
        return now >= begin && now < end;
    }

    private void add(long nanos) {
        if (commits == latencies.length) latencies = Arrays.copyOf(latencies, 2 * commits);
        latencies[commits++] = nanos;
    }

    private double mean() {
        long sum = 0;
        for (int i = 0; i < commits; i++) sum += latencies[i];
        return sum / 1e3 / Math.max(1, commits);
    }

    /** Returns an exact percentile of the recorded times, in microseconds. */
    private double percentile(int percent) {
        if (commits == 0) return 0;
        int at = (int) Math.ceil(commits * (percent / 100.0)) - 1;
        return latencies[Math.max(0, at)] / 1e3;
    }
}
