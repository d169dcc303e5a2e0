package tidepool.fabric.sim;

import java.util.List;

/**
 * How often the simulator does what the fabric contract does not forbid. Chances are per million and each is switched on
 * its own; everything is drawn from the seed.
 *
 * @param reorder that a verb is late on its way, so that others pass it wherever {@link tidepool.fabric.Orders#RDMA} allows
 * @param reorderNanos by at most so long
 * @param tear that a READ or WRITE of several words takes effect in two or three parts
 * @param tearNanos the most time between two parts
 * @param delayCompletion that an answer is late, by at most {@code reorderNanos}
 * @param fly that a verb is delayed past everything
 * @param flyNanos by at most so long
 * @param loseCompletion that an answer never comes, though the verb took effect
 * @param duplicateCompletion that an answer comes twice
 * @param breakConnection that a connection breaks just when an answer would have come
 * @param drop that a verb of a broken connection, or of a dead strand, is dropped on its way, with all that depend on it
 * @param cutShort that what a revoked session has begun is dropped half-way and not finished
 * @param crashStrand that a strand dies when it posts a verb
 * @param crashMachine that its machine does
 * @param crashNode that the memory node dies when a verb arrives
 * @param powerFailure that it dies and loses what was not flushed
 * @param mostCrashes of the four together in one simulation
 * @param restartNanos after which a memory node that died comes back; 0 for never
 * @param evict that a cache line which was just written reaches persistence by itself
 * @param scribble whether landing memory is filled with garbage when a round is posted
 * @param shuffle whether a core takes any of its ready strands and not the first
 * @param persistence whether persistent and merely written memory are told apart, so that power can fail
 */
public record Adversary(
        int reorder,
        long reorderNanos,
        int tear,
        long tearNanos,
        int delayCompletion,
        int fly,
        long flyNanos,
        int loseCompletion,
        int duplicateCompletion,
        int breakConnection,
        int drop,
        int cutShort,
        int crashStrand,
        int crashMachine,
        int crashNode,
        int powerFailure,
        int mostCrashes,
        long restartNanos,
        int evict,
        boolean scribble,
        boolean shuffle,
        boolean persistence) {

    static final int MILLION = 1_000_000;

    /** Nothing goes wrong and nothing is out of order. */
    public static final Adversary NONE = new Adversary(
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, false, false);

    /** Order and tearing: everything that happens on a network that works. */
    public static final Adversary ORDER = new Adversary(
            300_000, 4_000, 500_000, 3_000, 200_000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, true, true, false);

    /** Also verbs that fly, answers lost or doubled, connections that break. Nobody dies. */
    public static final Adversary NETWORK = new Adversary(
            300_000, 4_000, 500_000, 3_000, 200_000, 1_000, 5_000_000, 500, 2_000, 500, 500_000, 500_000, 0, 0, 0, 0, 0, 0,
            10_000, true, true, true);

    /** Everything; a few strands, machines and memory nodes die. */
    public static final Adversary ALL = NETWORK.withCrashes(100, 50, 20, 20, 3, 20_000_000);

    /** By its name on the command line: none or off, order, network, all or on. */
    public static Adversary named(String name) {
        return switch (name) {
            case "none", "off" -> NONE;
            case "order" -> ORDER;
            case "network" -> NETWORK;
            case "all", "on" -> ALL;
            default ->
                throw new IllegalArgumentException(
                        "unknown adversary '" + name + "'; known: " + String.join(", ", List.of("none", "order", "network", "all")));
        };
    }

    /** The same with other deaths. */
    public Adversary withCrashes(int strand, int machine, int node, int power, int most, long restartAfterNanos) {
        return new Adversary(
                reorder, reorderNanos, tear, tearNanos, delayCompletion, fly, flyNanos, loseCompletion, duplicateCompletion,
                breakConnection, drop, cutShort, strand, machine, node, power, most, restartAfterNanos, evict, scribble,
                shuffle, persistence || power > 0);
    }

    /** The same with other chances of losing track: flights, lost and doubled answers, broken connections, drops. */
    public Adversary withLosses(int flights, long atMostNanos, int lost, int doubled, int broken, int dropped) {
        return new Adversary(
                reorder, reorderNanos, tear, tearNanos, delayCompletion, flights, atMostNanos, lost, doubled, broken,
                dropped, cutShort, crashStrand, crashMachine, crashNode, powerFailure, mostCrashes, restartNanos, evict,
                scribble, shuffle, persistence);
    }

    /** The same, with persistent and merely written memory told apart. */
    public Adversary withPersistence(int evictPerMillion) {
        return new Adversary(
                reorder, reorderNanos, tear, tearNanos, delayCompletion, fly, flyNanos, loseCompletion, duplicateCompletion,
                breakConnection, drop, cutShort, crashStrand, crashMachine, crashNode, powerFailure, mostCrashes,
                restartNanos, evictPerMillion, scribble, shuffle, true);
    }

    /** Whether single verbs have to be looked at on their way. */
    boolean touchesVerbs() {
        return (reorder | tear | delayCompletion | fly | loseCompletion | duplicateCompletion | breakConnection | drop
                        | crashNode | powerFailure)
                != 0;
    }

    boolean crashesPosters() {
        return (crashStrand | crashMachine) != 0;
    }
}
