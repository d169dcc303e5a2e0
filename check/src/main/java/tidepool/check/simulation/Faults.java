package tidepool.check.simulation;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tidepool.fabric.sim.Adversary;
import tidepool.fabric.sim.Reach;

/** What may go wrong in a run, by its name on the command line; and what has then to be reached, or nothing was shown. */
public enum Faults {
    /** Nothing. */
    NONE,
    /** Reordering and tearing: a network that works. */
    ORDER,
    /** Also flights, lost and doubled answers, broken connections, paused machines, living sessions revoked. */
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

    /** By its name: none, order, network, crash, power, all. */
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

    /** Its name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What the simulator does: several of each fault in a run of some thousand turns. */
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

    /** Whether machines are paused and living sessions revoked, as by somebody who took them for dead. */
    boolean suspicious() {
        return this == NETWORK || this == CRASH || this == ALL;
    }

    /** What a campaign of at least {@link Campaign#LEAST_TURNS} turns has to reach. */
    public Set<Reach> mustReach() {
        return switch (this) {
            case NONE -> none();
            case ORDER -> order();
            case NETWORK -> network();
            case CRASH -> crash();
            case POWER -> power();
            case ALL -> all();
        };
    }

    private static EnumSet<Reach> none() {
        return EnumSet.of(Reach.FENCE_WAITED);
    }

    private static EnumSet<Reach> order() {
        EnumSet<Reach> reaches = none();
        reaches.addAll(EnumSet.of(
                Reach.REORDERED_PAIR,
                Reach.ORDER_KEPT_BY_WAITING,
                Reach.PASSED_A_FENCED_VERB,
                Reach.TORN_READ,
                Reach.TORN_READ_OVERLAPPED_WRITE,
                Reach.TORN_WRITE,
                Reach.COMPLETION_REORDERED));
        return reaches;
    }

    private static EnumSet<Reach> flying() {
        EnumSet<Reach> reaches = order();
        reaches.addAll(EnumSet.of(
                Reach.FLIGHT,
                Reach.LATE_LANDING,
                Reach.TIMED_OUT,
                Reach.VERB_DROPPED,
                Reach.PARTIAL_WRITE,
                Reach.REFUSED,
                Reach.REVOKED_VERB_DROPPED,
                Reach.REVOCATION_WAITED,
                Reach.MACHINE_PAUSED));
        return reaches;
    }

    private static EnumSet<Reach> network() {
        EnumSet<Reach> reaches = flying();
        reaches.addAll(EnumSet.of(Reach.COMPLETION_LOST, Reach.COMPLETION_DUPLICATED, Reach.CONNECTION_BROKEN));
        return reaches;
    }

    private static EnumSet<Reach> crash() {
        EnumSet<Reach> reaches = flying();
        reaches.addAll(EnumSet.of(
                Reach.STRAND_CRASHED,
                Reach.MACHINE_CRASHED,
                Reach.NODE_CRASHED,
                Reach.NODE_RESTARTED,
                Reach.ARRIVED_AT_DEAD_NODE));
        return reaches;
    }

    private static EnumSet<Reach> power() {
        EnumSet<Reach> reaches = order();
        reaches.addAll(EnumSet.of(
                Reach.POWER_FAILED,
                Reach.NODE_RESTARTED,
                Reach.ARRIVED_AT_DEAD_NODE,
                Reach.LINE_LOST,
                Reach.LINE_SURVIVED,
                Reach.LINE_EVICTED));
        return reaches;
    }

    private static EnumSet<Reach> all() {
        EnumSet<Reach> reaches = network();
        reaches.addAll(crash());
        reaches.addAll(power());
        return reaches;
    }
}
