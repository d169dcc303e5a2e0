package tidepool.bench.race;

import java.util.List;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

/**
 * The options of a race.
 *
 * @param workload by its text: {@code kvs?objects=4}
 * @param scale of the workload
 * @param entries the contenders; the others are compared with the first
 * @param shape of our pools
 * @param threads of each contender
 * @param coordinators that share each thread
 * @param rate transactions per second that each contender is given; 0 if it gets the next when the last has ended
 * @param attempts the attempts after which a transaction is abandoned; 0 for never
 * @param rounds that count
 * @param roundMillis how long a contender works in each
 * @param warmUpMillis how long it works before the first
 * @param cold whether no driver scans the initial rows beforehand, so that coordinators learn addresses as they work
 * @param seed of the requests
 * @param classPath where the JVMs of the contenders find their classes
 * @param jvmOptions more options for their JVMs
 */
public record RaceOptions(
        String workload,
        Scale scale,
        List<RaceEntry> entries,
        PoolShape shape,
        int threads,
        int coordinators,
        double rate,
        int attempts,
        int rounds,
        long roundMillis,
        long warmUpMillis,
        boolean cold,
        long seed,
        String classPath,
        List<String> jvmOptions) {

    ThreadOptions threadOptions() {
        return new ThreadOptions(threads, coordinators, rate, seed);
    }

    MeasuredWorkload newWorkload() {
        return Workloads.named(workload, scale);
    }

    /** Describes in a few words how an aborted transaction is retried. */
    String retryPolicy() {
        String ours = attempts == 0
                ? "an aborted attempt is made again until it commits, after pauses of up to 3 commits that"
                        + " double up to 48"
                : attempts == 1
                        ? "an aborted transaction is abandoned and not tried again"
                        : "an aborted attempt is made again, " + attempts + " attempts in all, then abandoned";
        boolean hasPeers = entries.stream().anyMatch(entry -> !entry.isOurs());
        return hasPeers ? ours + "; peers try again in their own way until they succeed" : ours;
    }
}
