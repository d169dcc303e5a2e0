package tidepool.bench.race;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Something that was promised of ours, and whether this run kept it. The promises are about FORD on shared memory with
 * two threads in a closed loop.
 *
 * @param text what was promised, and what was measured
 * @param isKept whether it was so
 */
record Promise(String text, boolean isKept) {
    /** The promises that these contenders can be held to; the first of them is ours. */
    static List<Promise> of(RaceResult result) {
        Standing ours = result.first();
        List<Promise> promises = new ArrayList<>();
        if (!ours.label().equals("ford/shm")
                || result.options().rate() > 0
                || result.options().attempts() > 0) return promises;
        String workload = result.options().newWorkload().name();
        for (Standing peer : result.standings()) {
            double least = leastRatio(workload, peer.label());
            if (least == 0) continue;
            double ratio = Standing.median(ours.timesAsFastAs(peer));
            promises.add(new Promise(
                    String.format(Locale.ROOT, "at least %.2f times %s: %.2f", least, peer.label(), ratio),
                    ratio >= least));
            if (least < 1) continue;
            double p99 = ours.latency().getValueAtPercentile(99) / 1e3;
            double its = peer.latency().getValueAtPercentile(99) / 1e3;
            promises.add(new Promise(
                    String.format(Locale.ROOT, "p99 below that of %s: %.1f against %.1f us", peer.label(), p99, its),
                    p99 < its));
        }
        double bytes = ours.bytesAllocatedPerTransaction();
        promises.add(new Promise(
                String.format(
                        Locale.ROOT,
                        "less than a byte allocated per transaction (the look-out for the dead allocates once a ms): %.3f",
                        bytes),
                bytes < 1));
        return promises;
    }

    private static double leastRatio(String workload, String peer) {
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
