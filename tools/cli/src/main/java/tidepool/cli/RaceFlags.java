package tidepool.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;
import tidepool.base.NameSuggestion;
import tidepool.bench.race.Peers;
import tidepool.bench.race.PoolShape;
import tidepool.bench.race.RaceEntry;
import tidepool.bench.race.RaceOptions;
import tidepool.fabric.FabricUrl;
import tidepool.protocol.Protocols;
import tidepool.store.Placement;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

/** The options of a race: contenders, durations and reports. Errors in them are reported before anything runs. */
final class RaceFlags {
    private static final List<String> FABRICS = List.of("mem", "shm", "tcp");
    private static final int MAX_THREADS = 64;
    private static final int MAX_HANDS = 1000;

    /** A number of accounts that fits into no cache; the artifacts have a tenth of it. */
    private static final String MANY_ACCOUNTS = "1000000";

    @Option(
            names = "--protocol",
            split = ",",
            paramLabel = "NAME",
            description = "Ours: ford, ford-lv, farm, farmv2, motor, drtmh, hdtx, with switches as in"
                    + " 'ford?reads=backup'; 'none' for the peers"
                    + " alone. Default ford.")
    List<String> protocols = List.of("ford");

    @Option(
            names = "--fabric",
            split = ",",
            paramLabel = "NAME",
            description = "mem, shm, tcp (memory nodes in processes of their own), or several; default shm.")
    List<String> fabrics = List.of("shm");

    @Option(
            names = "--peers",
            split = ",",
            paramLabel = "NAME",
            description = "Other stores: infinispan, rocksdb, rocksdb-sync, postgres (both forced to disk), lmdb,"
                    + " mvstore, mvstore-file, redis, redis-16 (16 under way per thread; redis has as"
                    + " many as there are coordinators),"
                    + " chm, hand, straw; default none. All contenders are compared with the first one.")
    List<String> peers = List.of();

    @Option(
            names = "--scale",
            paramLabel = "NAME",
            description =
                    "paper: as the artifacts of the papers ran it; spec: as its specification says. Default paper,"
                            + " but smallbank with a million accounts.")
    String scale;

    @Option(
            names = "--set",
            split = ",",
            paramLabel = "NAME=VALUE",
            description = "Options of the workload, as after the question mark of its name.")
    Map<String, String> set = new LinkedHashMap<>();

    @Option(names = "--accounts", paramLabel = "N", description = "Accounts of smallbank.")
    String accounts;

    @Option(names = "--records", paramLabel = "N", description = "Records of kvs and ycsb.")
    String records;

    @Option(names = "--subscribers", paramLabel = "N", description = "Subscribers of tatp.")
    String subscribers;

    @Option(names = "--warehouses", paramLabel = "N", description = "Warehouses of tpcc.")
    String warehouses;

    @Option(names = "--nodes", paramLabel = "N", description = "Memory nodes of our pools; default 2, and 3 on tcp.")
    Integer nodes;

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Copies of everything in our pools; default 2, and 1 where there is one node.")
    Integer replicas;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "Memory of our pools, all copies and logs, as in 8g; default: what the workload's first rows"
                    + " and its expected ones take.")
    String memory;

    @Option(
            names = "--by-round",
            description = "Also print a line for each round: commits, latency, processor time, growth of tables.")
    boolean byRound;

    @Option(names = "--threads", paramLabel = "N", description = "Threads of each contender, default ${DEFAULT-VALUE}.")
    int threads = 2;

    @Option(
            names = "--coordinators",
            paramLabel = "N",
            description = "Coordinators on each thread, default ${DEFAULT-VALUE}.")
    int coordinators = 1;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description =
                    "Open loop: N transactions per second begin at fixed times, and latency counts from these times."
                            + " Default: closed loop.")
    double rate;

    @Option(
            names = "--attempts",
            paramLabel = "N",
            description = "Abandon a transaction after N aborted attempts; some artifacts use 1. Default:" + " never.")
    int attempts;

    @Option(
            names = "--cold",
            description = "Start with empty address caches. Otherwise each coordinator reads all rows before the"
                    + " first round.")
    boolean cold;

    @Option(names = "--rounds", paramLabel = "N", description = "How many rounds count, default ${DEFAULT-VALUE}.")
    int rounds = 5;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How long each contender works in a round, default ${DEFAULT-VALUE}.")
    double seconds = 4;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "Seconds of work before the first round, default ${DEFAULT-VALUE}.")
    double warmUp = 8;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the requests, default ${DEFAULT-VALUE}.")
    long seed = 1;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the results as JSON.")
    Path json;

    @Option(names = "--report", paramLabel = "FILE", description = "Also write an HTML page with charts.")
    Path report;

    @Option(names = "--compare", paramLabel = "FILE", description = "Compare with the results in this JSON file.")
    Path compare;

    @Option(names = "--history", paramLabel = "FILE", description = "Only 'bench append' and 'bench rows' record one.")
    Path history;

    /** Sentences about peers that do not take part, because they are not installed. */
    final List<String> skipped = new ArrayList<>();

    /** @param commands commands that can be given instead of a workload, for hints on a misspelled name */
    RaceOptions options(String workload, List<String> commands) {
        Scale size = Scale.named(scale == null ? "paper" : scale);
        String text = workloadText(workload, commands);
        MeasuredWorkload made = Workloads.named(text, size);
        if (history != null)
            throw new IllegalArgumentException(
                    made.name() + " records no history; 'bench append' and 'bench rows' do, and check it");
        List<RaceEntry> entries = entries(made);
        numbers();
        OutputFiles.require(json, "report");
        OutputFiles.require(report, "report");
        return new RaceOptions(
                text,
                size,
                entries,
                shape(),
                threads,
                coordinators,
                rate,
                attempts,
                rounds,
                Math.round(seconds * 1000),
                Math.round(warmUp * 1000),
                cold,
                seed,
                PeerLibraries.classPath(peers),
                List.of());
    }

    /** Returns the workload with all its options as one text. */
    private String workloadText(String workload, List<String> commands) {
        int question = workload.indexOf('?');
        String name = question < 0 ? workload : workload.substring(0, question);
        List<String> known = new ArrayList<>(WorkloadNames.all());
        known.addAll(commands);
        if (!WorkloadNames.all().contains(name)) requireKnown("workload", name, known);
        Map<String, String> more = new LinkedHashMap<>(set);
        boolean sized =
                scale != null || accounts != null || set.containsKey("accounts") || workload.contains("accounts=");
        add(more, "accounts", name.equals("smallbank") && !sized ? MANY_ACCOUNTS : accounts);
        add(more, "records", records);
        add(more, "subscribers", subscribers);
        add(more, "warehouses", warehouses);
        StringBuilder text = new StringBuilder(workload);
        more.forEach((option, value) -> text.append(text.indexOf("?") < 0 ? '?' : '&')
                .append(option)
                .append('=')
                .append(value));
        return text.toString();
    }

    private static void add(Map<String, String> options, String name, String value) {
        if (value != null) options.put(name, value);
    }

    private List<RaceEntry> entries(MeasuredWorkload workload) {
        List<RaceEntry> entries = new ArrayList<>();
        for (String fabric : fabrics) requireKnown("fabric", fabric, FABRICS);
        if (!protocols.equals(List.of("none")))
            for (String protocol : protocols) {
                requireKnown("protocol", protocol.replaceFirst("\\?.*", ""), Protocols.names());
                Protocols.named(protocol); // refuses switches that the protocol does not have
                for (String fabric : fabrics) entries.add(RaceEntry.ours(protocol, fabric));
            }
        for (String peer : peers) {
            if (!Peers.isKnown(peer)) requireKnown("peer", peer, Peers.names());
            Peers.requireCanRun(peer, workload);
            String missing = Peers.missing(peer);
            if (missing != null) {
                skipped.add(missing);
                continue;
            }
            entries.add(RaceEntry.peer(Peers.withUnderWay(peer, coordinators)));
        }
        if (entries.isEmpty() && !skipped.isEmpty()) throw new IllegalArgumentException(skipped.getFirst());
        if (entries.isEmpty()) throw new IllegalArgumentException("nobody takes part: --protocol none and no --peers");
        if (entries.stream().distinct().count() < entries.size())
            throw new IllegalArgumentException("each protocol, fabric and peer can race only once");
        if (attempts > 0 && !peers.isEmpty())
            throw new IllegalArgumentException("--attempts is for ours alone: peers try until they succeed");
        return entries;
    }

    static void requireKnown(String what, String name, List<String> known) {
        if (known.contains(name)) return;
        String nearest = NameSuggestion.to(name, known);
        throw new IllegalArgumentException(
                "unknown " + what + " '" + name + "'" + (nearest == null ? "" : " (did you mean '" + nearest + "'?)")
                        + "; known: " + String.join(", ", known));
    }

    private void numbers() {
        require(threads >= 1 && threads <= MAX_THREADS, "--threads takes 1 to " + MAX_THREADS + ", not " + threads);
        require(
                coordinators >= 1 && coordinators * threads <= MAX_HANDS,
                "--coordinators takes 1 to " + MAX_HANDS / threads + " with " + threads + " threads, not "
                        + coordinators);
        require(rate >= 0 && rate <= 1e9, "--rate takes 1 to 1000000000, or 0 for a closed loop");
        require(attempts >= 0, "--attempts takes 1 or more, or 0 for no limit, not " + attempts);
        require(rounds >= 1 && rounds <= 1000, "--rounds takes 1 to 1000, not " + rounds);
        require(seconds >= 0.1 && seconds <= 3600, "--seconds takes 0.1 to 3600, not " + seconds);
        require(warmUp >= 0 && warmUp <= 3600, "--warm-up takes 0 to 3600, not " + warmUp);
    }

    private PoolShape shape() {
        requireWithin("--nodes", nodes, PoolShape.MAX_NODES);
        requireWithin("--replicas", replicas, Placement.MAX_REPLICAS);
        require(
                nodes == null || replicas == null || replicas <= nodes,
                "--replicas takes at most as many as there are --nodes, which are " + nodes + ", not " + replicas);
        return new PoolShape(
                nodes == null ? 0 : nodes,
                replicas == null ? 0 : replicas,
                memory == null ? 0 : FabricUrl.parseSize("--memory", memory));
    }

    private static void requireWithin(String flag, Integer number, int max) {
        require(number == null || number >= 1 && number <= max, flag + " takes 1 to " + max + ", not " + number);
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) throw new IllegalArgumentException(sentence);
    }
}
