package tidepool.bench.race;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A performance promise, and whether this run kept it. The promises are about FORD in a closed loop with two threads.
 * On shared memory they compare with stores in the process, over TCP with a server with an equal number under way.
 *
 * @param text the promise, and the measured figure
 * @param isKept whether the promise was kept
 */
record PerformanceTarget(String text, boolean isKept) {
    /** Returns the promises that apply to these contenders, of which the first is ours. */
    static List<PerformanceTarget> of(RaceResult result) {
        Standing ours = result.first();
        List<PerformanceTarget> targets = new ArrayList<>();
        boolean isNear = ours.label().equals("ford/shm");
        boolean isFar = ours.label().equals("ford/tcp");
        if (!isNear && !isFar || result.options().rate() > 0 || result.options().attempts() > 0) return targets;
        String workload = result.options().newWorkload().name();
        if (isFar) overTcp(result, workload, targets);
        for (Standing peer : result.standings()) {
            double min = isNear ? minRatio(workload, peer.label()) : 0;
            if (min == 0) continue;
            double ratio = Standing.median(ours.timesAsFastAs(peer));
            targets.add(new PerformanceTarget(
                    String.format(Locale.ROOT, "at least %.2f times %s: %.2f", min, peer.label(), ratio),
                    ratio >= min));
            if (min < 1) continue;
            double p99 = ours.latency().getValueAtPercentile(99) / 1e3;
            double its = peer.latency().getValueAtPercentile(99) / 1e3;
            targets.add(new PerformanceTarget(
                    String.format(Locale.ROOT, "p99 below that of %s: %.1f against %.1f us", peer.label(), p99, its),
                    p99 < its));
        }
        double bytes = ours.bytesAllocatedPerTransaction();
        targets.add(new PerformanceTarget(
                String.format(
                        Locale.ROOT,
                        "less than a byte allocated per transaction (the look-out for the dead allocates once a"
                                + " ms): %.3f",
                        bytes),
                bytes < 1));
        return targets;
    }

    /** Compares with Redis with an equal number under way: the required ratio, and the goal. */
    private static void overTcp(RaceResult result, String workload, List<PerformanceTarget> targets) {
        int underWay = result.options().coordinators();
        String redis = underWay == 1 ? "redis" : "redis-" + underWay;
        if (!workload.equals("smallbank")) return;
        for (Standing peer : result.standings()) {
            if (!peer.label().equals(redis)) continue;
            double[] ratios = result.first().timesAsFastAs(peer);
            double ratio = Standing.median(ratios);
            String measured =
                    String.format(Locale.ROOT, "%.2f (%.2f..%.2f)", ratio, ratios[0], ratios[ratios.length - 1]);
            targets.add(new PerformanceTarget("at least 1 times " + redis + ": " + measured, ratio >= 1));
            targets.add(new PerformanceTarget("the goal, 1.5 times " + redis + ": " + measured, ratio >= 1.5));
        }
    }

    private static double minRatio(String workload, String peer) {
        return switch (workload + " " + peer) {
            case "smallbank infinispan" -> 3;
            case "smallbank rocksdb" -> 6;
            case "tatp straw" -> 1 / 3.0;
            default -> 0;
        };
    }

    String line() {
        return (isKept ? "kept      " : "NOT KEPT  ") + text;
    }
}
