package tidepool.bench.smallbank;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Something that was promised of ours, and whether this run kept it.
 *
 * @param text what was promised, and what was measured
 * @param isKept whether it was so
 */
record Promise(String text, boolean isKept) {
    /** The promises that these contenders can be held to; the first of them is ours. */
    static List<Promise> of(List<Standing> standings) {
        Standing ours = standings.getFirst();
        List<Promise> promises = new ArrayList<>();
        for (Standing peer : standings) {
            double least = leastRatio(peer.contender().name());
            if (least == 0) continue;
            double ratio = Standing.median(ours.timesAsFastAs(peer));
            promises.add(new Promise(
                    String.format(
                            Locale.ROOT,
                            "at least %.0f times %s: %.2f",
                            least,
                            peer.contender().label(),
                            ratio),
                    ratio >= least));
            double p99 = ours.micros(99);
            double its = peer.micros(99);
            promises.add(new Promise(
                    String.format(
                            Locale.ROOT,
                            "p99 below that of %s: %.1f against %.1f us",
                            peer.contender().label(),
                            p99,
                            its),
                    p99 < its));
        }
        double bytes = ours.bytesAllocatedPerTransaction();
        promises.add(
                new Promise(String.format(Locale.ROOT, "no bytes allocated per transaction: %.3f", bytes), bytes == 0));
        return promises;
    }

    private static double leastRatio(String peer) {
        return switch (peer) {
            case "infinispan" -> 2;
            case "rocksdb" -> 6;
            default -> 0;
        };
    }

    String line() {
        return (isKept ? "kept      " : "NOT KEPT  ") + text;
    }
}
