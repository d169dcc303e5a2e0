package tidepool.verbs;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tidepool.sim.Adversary;
import tidepool.sim.CoveragePoint;

/**
 * Kinds of faults in a run, by their names on the command line, with the situations that each has to reach; otherwise
 * the run has shown nothing.
 */
public enum Faults {
    /** No faults. */
    NONE,
    /** Reordering and tearing, on a network that works. */
    ORDER,
    /** Also flights, lost and doubled answers, broken connections, paused machines, live sessions revoked. */
    NETWORK,
    /** Strands, machines and memory nodes die on a network that only delays. */
    CRASH,
    /** Memory nodes lose their power and what was not flushed, on a network that works. */
    POWER,
    /** Everything at once. */
    ALL;

    private static final long FLIGHT_NANOS = 5_000_000;
    private static final long RESTART_NANOS = 2_000_000;
    private static final int DROP = 500_000;

    /** Returns the faults of this name: none, order, network, crash, power, all. */
    public static Faults named(String name) {
        for (Faults faults : values()) if (faults.text().equals(name)) return faults;
        String why = name.equals("clock")
                ? "faults 'clock' mean nothing yet, since no code asks for the time of day"
                : "unknown faults '" + name + "'";
        throw new IllegalArgumentException(why + "; known: " + String.join(", ", names()));
    }

    public static List<String> names() {
        List<String> names = new ArrayList<>();
        for (Faults faults : values()) names.add(faults.text());
        return names;
    }

    /** Returns the name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the faults that the simulator injects: several of each kind in a run of some thousand turns. */
    public Adversary adversary() {
        Adversary losing = Adversary.NETWORK.withLosses(2_000, FLIGHT_NANOS, 1_000, 2_000, 1_000, DROP);
        Adversary delaying = Adversary.NETWORK.withLosses(2_000, FLIGHT_NANOS, 0, 0, 0, DROP);
        return switch (this) {
            case NONE -> Adversary.NONE;
            case ORDER -> Adversary.ORDER;
            case NETWORK -> losing;
            case CRASH -> delaying.withCrashes(400, 100, 100, 0, 6, RESTART_NANOS);
            case POWER -> Adversary.ORDER.withPersistence(20_000).withCrashes(0, 0, 0, 300, 4, RESTART_NANOS);
            case ALL -> losing.withCrashes(300, 80, 80, 150, 8, RESTART_NANOS);
        };
    }

    /** Whether machines are paused and live sessions revoked, as if a recoverer had suspected them to be dead. */
    boolean suspicious() {
        return this == NETWORK || this == CRASH || this == ALL;
    }

    /** Returns the situations that a campaign of at least {@link Campaign#MIN_TURNS} turns has to reach. */
    public Set<CoveragePoint> mustReach() {
        return switch (this) {
            case NONE -> none();
            case ORDER -> order();
            case NETWORK -> network();
            case CRASH -> crash();
            case POWER -> power();
            case ALL -> all();
        };
    }

    private static EnumSet<CoveragePoint> none() {
        return EnumSet.of(CoveragePoint.FENCE_WAITED);
    }

    private static EnumSet<CoveragePoint> order() {
        EnumSet<CoveragePoint> reaches = none();
        reaches.addAll(EnumSet.of(
                CoveragePoint.REORDERED_PAIR,
                CoveragePoint.ORDER_KEPT_BY_WAITING,
                CoveragePoint.PASSED_A_FENCED_VERB,
                CoveragePoint.TORN_READ,
                CoveragePoint.TORN_READ_OVERLAPPED_WRITE,
                CoveragePoint.TORN_WRITE,
                CoveragePoint.COMPLETION_REORDERED));
        return reaches;
    }

    private static EnumSet<CoveragePoint> flying() {
        EnumSet<CoveragePoint> reaches = order();
        reaches.addAll(EnumSet.of(
                CoveragePoint.FLIGHT,
                CoveragePoint.LATE_LANDING,
                CoveragePoint.TIMED_OUT,
                CoveragePoint.VERB_DROPPED,
                CoveragePoint.PARTIAL_WRITE,
                CoveragePoint.REFUSED,
                CoveragePoint.REVOKED_VERB_DROPPED,
                CoveragePoint.REVOCATION_WAITED,
                CoveragePoint.MACHINE_PAUSED));
        return reaches;
    }

    private static EnumSet<CoveragePoint> network() {
        EnumSet<CoveragePoint> reaches = flying();
        reaches.addAll(EnumSet.of(
                CoveragePoint.COMPLETION_LOST, CoveragePoint.COMPLETION_DUPLICATED, CoveragePoint.CONNECTION_BROKEN));
        return reaches;
    }

    private static EnumSet<CoveragePoint> crash() {
        EnumSet<CoveragePoint> reaches = flying();
        reaches.addAll(EnumSet.of(
                CoveragePoint.STRAND_CRASHED,
                CoveragePoint.MACHINE_CRASHED,
                CoveragePoint.NODE_CRASHED,
                CoveragePoint.NODE_RESTARTED,
                CoveragePoint.ARRIVED_AT_DEAD_NODE));
        return reaches;
    }

    private static EnumSet<CoveragePoint> power() {
        EnumSet<CoveragePoint> reaches = order();
        reaches.addAll(EnumSet.of(
                CoveragePoint.POWER_FAILED,
                CoveragePoint.NODE_RESTARTED,
                CoveragePoint.ARRIVED_AT_DEAD_NODE,
                CoveragePoint.LINE_LOST,
                CoveragePoint.LINE_SURVIVED,
                CoveragePoint.LINE_EVICTED));
        return reaches;
    }

    private static EnumSet<CoveragePoint> all() {
        EnumSet<CoveragePoint> reaches = network();
        reaches.addAll(crash());
        reaches.addAll(power());
        return reaches;
    }
}
