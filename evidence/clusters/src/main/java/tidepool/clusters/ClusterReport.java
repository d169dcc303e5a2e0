package tidepool.clusters;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.Recovery;
import tidepool.protocol.fordlv.VcacheCounts;
import tidepool.protocol.hdtx.HdtxCounts;
import tidepool.sim.Coverage;
import tidepool.sim.CoveragePoint;
import tidepool.txn.AbortReason;

/**
 * Situations that a run, or a campaign of many, has reached. A campaign that never reached a situation it is meant to
 * test has failed.
 */
public final class ClusterReport {
    /** Situations that every campaign with losses of power must have reached. */
    public static final List<String> EXPECTED_WITH_POWER = List.of(
            "committed",
            "unknown that happened",
            "unknown that did not",
            "power cut",
            "power cut that somebody outlived",
            "restart",
            "restart finished",
            "restart undone",
            "restart torn log",
            "restart mark without a log",
            "restart replica rebuilt",
            "restart cut off",
            "fabric " + CoveragePoint.LINE_LOST,
            "fabric " + CoveragePoint.LINE_SURVIVED,
            "fabric " + CoveragePoint.LINE_EVICTED,
            "fabric " + CoveragePoint.MACHINE_CRASHED);

    /**
     * Situations that clusters must reach that lose their power, and whose nodes keep journals: no log is torn there.
     */
    public static final List<String> EXPECTED_WITH_JOURNALS = Stream.concat(
                    EXPECTED_WITH_POWER.stream().filter(name -> !name.equals("restart torn log")),
                    Stream.of("restart undone, of which a node had nothing"))
            .toList();

    /** Situations that clusters must reach whose tables grow. */
    public static final List<String> EXPECTED_OF_GROWTH = List.of(
            "committed",
            "overflow bucket",
            "split COMMITTED",
            "bucket made by a split",
            "row moved by a split",
            "abort " + AbortReason.TABLE_GROWS);

    /** Situations that clusters must reach which work on documents. */
    public static final List<String> EXPECTED_OF_DOCUMENTS = List.of(
            "committed",
            "overflow bucket",
            "split COMMITTED",
            "bucket made by a split",
            "row moved by a split",
            "bucket of another table made by a split",
            "document inserted",
            "document updated",
            "document deleted",
            "draft written",
            "table emptied",
            "table altered",
            "long value read",
            "part of a long value");

    /** Situations that clusters must reach whose transactions scan. */
    public static final List<String> EXPECTED_OF_ORDERED = List.of(
            "committed",
            "range read",
            "range read backwards",
            "range that ended at its limit",
            "range of entries alone",
            "range without a row",
            "range after own writes",
            "row moved in an index",
            "entry of an index",
            "index splits",
            "index lifts",
            "index separators",
            "index merges",
            "index steps",
            "abort " + AbortReason.RANGE_CHANGED);

    private final Map<String, Long> counts = new TreeMap<>();
    private long traceHash;

    public ClusterReport() {}

    public static ClusterReport empty() {
        return new ClusterReport();
    }

    public long count(String what) {
        return counts.getOrDefault(what, 0L);
    }

    /** Returns the hash of all events; equal seeds give equal hashes. */
    public long traceHash() {
        return traceHash;
    }

    /** Adds the counts of another run. */
    public void add(ClusterReport other) {
        other.counts.forEach(this::add);
    }

    /** Returns the expected situations that were never reached. */
    public List<String> missing(List<String> expected) {
        List<String> missing = new ArrayList<>();
        for (String what : expected) if (count(what) == 0) missing.add(what);
        return missing;
    }

    public void add(String what, long times) {
        if (times != 0) counts.merge(what, times, Long::sum);
    }

    /** Adds a count that a protocol reports. A number below zero is a counter that goes backwards. */
    private void reported(String what, long times) {
        if (times < 0) throw new ClusterFailure("reported: " + what + " = " + times);
        add(what, times);
    }

    public void add(Coverage coverage) {
        coverage.all().forEach((what, times) -> add("fabric " + what, times));
    }

    public void add(Recovery.Report report) {
        add("recovery", 1);
        reported("recovery finished", report.finished());
        reported("recovery undone", report.undone());
        reported("recovery ended before", report.ended());
        reported("recovery straggler published", report.stragglers());
        reported("recovery torn log", report.tornLogs());
        reported("recovery lock freed by intent", report.locksFreed());
        boolean nothing = report.finished() + report.undone() + report.locksFreed() + report.stragglers() == 0;
        add("recovery nothing to do", nothing ? 1 : 0);
    }

    /** Adds what a process has done to indexes, as {@code name=number} words. */
    void addIndexes(String counted) {
        for (String word : counted.split(" ", -1)) {
            String[] parts = word.split("=", -1);
            add("index " + parts[0], Long.parseLong(parts[1]));
        }
    }

    public void add(VcacheCounts versions) {
        add("version hit", versions.hits);
        add("version missing", versions.misses);
        add("version filled", versions.fills);
        add("version filled too late", versions.lateFills);
        add("version announced by another", versions.busy);
        add("version changed", versions.changed);
        add("version evicted", versions.evictions);
    }

    public void add(HdtxCounts counted) {
        add("copied by memory", counted.copiedByMemory);
        add("copied by the client", counted.copiedByClient);
        add("status", counted.statusRounds);
        add("line ticket", counted.tickets);
        add("line granted", counted.granted);
        add("lock granted without a ticket", counted.grantedWithoutTicket);
        add("line passed over", counted.passedOver);
        add("line skipped", counted.skipped);
        add("line left", counted.left);
        add("line resumed", counted.resumed);
        add("line given up", counted.dropped);
        add("line given back", counted.givenBack);
        add("line out of order", counted.impatient);
        add("line for a read", counted.lockedReads);
    }

    public void add(Recovery.Restart restart) {
        add("restart", 1);
        reported("restart finished", restart.finished());
        reported("restart undone", restart.undone());
        reported("restart undone, of which a node had nothing", restart.apart());
        reported("restart torn log", restart.tornLogs());
        reported("restart mark without a log", restart.marks());
        reported("restart replica rebuilt", restart.rebuilt());
    }

    public void add(Reconfiguration.Report change) {
        add("change", 1);
        reported("change finished", change.finished());
        reported("change undone", change.undone());
        reported("change freed a lock", change.locksFreed());
    }

    public void traceHash(long hash) {
        traceHash = hash;
    }

    /** Returns the situations that every campaign with dying memory nodes must have reached. */
    public static List<String> expectedWithNodes(String protocol) {
        List<String> all = new ArrayList<>(List.of(
                "committed",
                "memory node died",
                "first memory node died",
                "memory node died while the roster changed",
                "memory node died while copies were filled",
                "steward died",
                "change cut off",
                "change finished",
                "change freed a lock",
                "objects copied to a new copy"));
        // With redo logs only a death between two logs leaves something to drop.
        if (protocol.startsWith("ford")) all.add("change undone");
        return List.copyOf(all);
    }

    /**
     * Returns the situations that every campaign of a few hundred seeds of a protocol must have reached; the crash
     * points reach the rest.
     */
    public static List<String> expected(String protocol) {
        boolean ford = protocol.startsWith("ford");
        boolean motor = protocol.startsWith("motor");
        boolean early = ford || motor || protocol.startsWith("hdtx");
        List<String> all = new ArrayList<>(List.of(
                "committed",
                "overflow bucket",
                "rolled back",
                "unknown that happened",
                "unknown that did not",
                "read torn",
                "read marked",
                "read locked",
                "recovery finished",
                "recovery ended before",
                "recovery lock freed by intent",
                "recovery nothing to do",
                "recoverer died"));
        // With redo logs only a death between two logs leaves something to drop.
        if (ford || motor) all.add("recovery undone");
        if (motor) all.remove("read marked"); // tuples have no marks
        if (motor) all.add("read past a lock");
        // VERSION_CHANGED belongs to protocols that read before they lock, OWNED_ELSEWHERE to those that own what they
        // write. Tables of few rows keep their sizes and are not scanned, and the transactions of clusters are small.
        for (AbortReason reason : AbortReason.values())
            if (reason != AbortReason.OWNED_ELSEWHERE
                    && reason != AbortReason.TABLE_GROWS
                    && reason != AbortReason.NEEDS_ROOM
                    && reason != AbortReason.LOG_HEAP_BUSY
                    && reason != AbortReason.RANGE_CHANGED
                    && (!early || reason != AbortReason.VERSION_CHANGED)
                    && (motor || reason != AbortReason.SNAPSHOT_TOO_OLD)) all.add("abort " + reason);
        for (CoveragePoint what : List.of(
                CoveragePoint.REORDERED_PAIR,
                CoveragePoint.TORN_READ_OVERLAPPED_WRITE,
                CoveragePoint.TORN_WRITE,
                CoveragePoint.LATE_LANDING,
                CoveragePoint.REVOKED_VERB_DROPPED,
                CoveragePoint.MACHINE_CRASHED)) all.add("fabric " + what);
        return List.copyOf(all);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        counts.forEach(
                (what, times) -> text.append(what).append(" = ").append(times).append('\n'));
        return text.toString();
    }
}
