package tidepool.workload.recorded;

import java.util.List;
import tidepool.clusters.PromisedLevel;
import tidepool.fabric.FabricUrl;
import tidepool.history.Level;
import tidepool.protocol.Protocols;
import tidepool.protocol.Step;
import tidepool.workload.ListAppend;

/**
 * The options of a recorded run.
 *
 * @param workload {@code append} or {@code rows}
 * @param fabric {@code mem}, {@code shm}, {@code sim}, or the URL of a pool
 * @param protocol its name, followed by switches if needed: {@code ford?reads=backup}
 * @param transactions the total to run; 0 if time decides
 * @param seconds how long clients work, on {@code sim} in virtual time; 0 if the number decides
 * @param processes client processes; on {@code sim} machines
 * @param threads client threads of each; on {@code sim} strands
 * @param kills how many processes or machines die meanwhile; each is replaced
 * @param killAt steps of a transaction in which processes die, in turn; empty for all that there are, and for any
 * moment
 * @param keys lists in use at a time, or rows
 * @param longest elements of a full list
 */
public record RecordedOptions(
        String workload,
        String fabric,
        String protocol,
        long seed,
        long transactions,
        int seconds,
        int processes,
        int threads,
        int kills,
        List<Step> killAt,
        int keys,
        int longest) {
    public static final List<String> WORKLOADS = List.of("append", "rows");

    private static final List<String> FABRICS = List.of("mem", "shm", "sim", "tcp");
    private static final int MAX_ELEMENTS = 100;

    /** Room for a row of up to 100 elements, and for a row with its older versions, which Motor and FaRMv2 keep. */
    private static final long ROW_BYTES = 1000;

    private static final long VERSIONED_ROW_BYTES = 2500;

    /** Room for the list in use and for full ones, for each of the keys. */
    private static final int LISTS_OF_A_KEY = 64;

    private static final int MAX_LISTS = 1 << 17;

    /** Makes options in which killed processes, if any, die in every step and at any moment. */
    public RecordedOptions(
            String workload,
            String fabric,
            String protocol,
            long seed,
            long transactions,
            int seconds,
            int processes,
            int threads,
            int kills,
            int keys,
            int longest) {
        this(
                workload,
                fabric,
                protocol,
                seed,
                transactions,
                seconds,
                processes,
                threads,
                kills,
                List.of(),
                keys,
                longest);
    }

    /** Refuses options that cannot be run, with an {@link IllegalArgumentException}. */
    public RecordedOptions {
        killAt = List.copyOf(killAt);
        require(WORKLOADS.contains(workload), "unknown workload '" + workload + "'; known: " + text(WORKLOADS));
        require(
                FABRICS.contains(fabric) || fabric.contains(":"),
                "unknown fabric '" + fabric + "'; known: " + text(FABRICS) + ", or the URL of a pool");
        Protocols.named(protocol);
        range("--transactions", transactions, 0, 100_000_000);
        range("--seconds", seconds, 0, 3600);
        require((transactions > 0) != (seconds > 0), "say either --transactions or --seconds");
        range("--processes", processes, 1, 16);
        range("--threads", threads, 1, 16);
        range("--kill", kills, 0, 1000);
        range("--keys", keys, 2, 100_000);
        range("--longest", longest, 1, MAX_ELEMENTS);
        String kind = fabric.contains(":") ? FabricUrl.parse(fabric).scheme() : fabric;
        require(FABRICS.contains(kind), "a pool of '" + kind + "' cannot be recorded; known: " + text(FABRICS));
        require(!fabric.startsWith("sim:"), "for the simulator say --fabric sim --seed N");
        require(!kind.equals("mem") || processes == 1, "mem: is a pool inside one process: --processes 1");
        require(!kind.equals("mem") || kills == 0, "on mem nobody can be killed but ourselves: use shm, tcp or sim");
        require(killAt.isEmpty() || kills > 0, "--kill-at says where processes die, and --kill how many");
        require(killAt.isEmpty() || !kind.equals("sim"), "--kill-at is for real processes: use shm or tcp");
        require(kills == 0 || processes > 1, "somebody has to survive: --kill needs --processes 2 or more");
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) throw new IllegalArgumentException(sentence);
    }

    private static void range(String name, long value, long min, long max) {
        require(value >= min && value <= max, name + " takes " + min + " to " + max + ", not " + value);
    }

    private static String text(List<String> names) {
        return String.join(", ", names);
    }

    /** Returns {@code mem}, {@code shm}, {@code sim} or {@code tcp}, also for a URL. */
    public String fabricName() {
        return isUrl() ? FabricUrl.parse(fabric).scheme() : fabric;
    }

    /** Returns whether the pool was given by a URL and stays after the run. */
    public boolean isUrl() {
        return fabric.contains(":");
    }

    /** Returns the isolation level that the protocol promises, by which its history is judged. */
    public Level promise() {
        return PromisedLevel.of(Protocols.named(protocol));
    }

    /** Returns the specification of the workload for a table of that name. */
    WorkloadSpec spec(String table) {
        return new WorkloadSpec(workload, table, keys, longest, listRows());
    }

    /** Returns the bytes of each copy of a partition, for a pool that is made for this run. */
    long partitionBytes() {
        long rows = workload.equals("append") ? listRows() : keys;
        boolean versioned = protocol.startsWith("motor") || protocol.startsWith("farmv2");
        return (16L << 20) + rows * (versioned ? VERSIONED_ROW_BYTES : ROW_BYTES);
    }

    /**
     * Returns the number of lists for which there is room. Full lists are deleted when more than half of it is used, so
     * that a table with many lists in use takes no gigabytes.
     */
    private int listRows() {
        return Math.max(ListAppend.minRows(keys), Math.min(MAX_LISTS, LISTS_OF_A_KEY * keys));
    }
}
