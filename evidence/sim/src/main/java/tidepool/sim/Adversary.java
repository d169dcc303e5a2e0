package tidepool.sim;

/**
 * The rates at which the simulator does what the fabric contract does not forbid. Rates are per million. Each can be
 * switched on separately, and all draws come from the seed.
 */
public record Adversary(Order order, Losses losses, Crashes crashes, Persistence persistent) {
    static final int MILLION = 1_000_000;

    /**
     * One run in four is bursty. It has a random stream of its own, so that the other three runs do not change by it.
     */
    public static final int BURSTS = 250_000;

    /**
     * Events of a working network.
     *
     * @param reorder that a verb is late on its way; others pass it wherever {@link tidepool.fabric.OrderTable#RDMA}
     * allows
     * @param reorderNanos the maximum of this delay
     * @param tear that a READ or WRITE of several words takes effect in two or three parts
     * @param tearNanos the maximum time between two parts
     * @param delayCompletion that an answer is late, by at most {@code reorderNanos}
     * @param scribble whether landing memory is filled with garbage when a round is posted
     * @param shuffle whether a core takes any of its ready strands and not the first
     * @param bursts that a run is bursty: repeatedly one strand makes 1 to 16 steps while all others stand still
     */
    public record Order(
            int reorder,
            long reorderNanos,
            int tear,
            long tearNanos,
            int delayCompletion,
            boolean scribble,
            boolean shuffle,
            int bursts) {}

    /**
     * Events of a failing network.
     *
     * @param fly that a verb is delayed past everything
     * @param flyNanos the maximum of this delay
     * @param loseCompletion that an answer never comes, though the verb took effect
     * @param duplicateCompletion that an answer comes twice
     * @param breakConnection that a connection breaks at the moment when an answer would have come
     * @param drop that a verb of a broken connection, or of a dead strand, is dropped with all that depend on it
     * @param cutShort that work which a revoked session has begun is dropped half-way and not finished
     */
    public record Losses(
            int fly,
            long flyNanos,
            int loseCompletion,
            int duplicateCompletion,
            int breakConnection,
            int drop,
            int cutShort) {}

    /**
     * Deaths of strands, machines and nodes.
     *
     * @param strand that a strand dies when it posts a verb
     * @param machine that its machine dies
     * @param node that the memory node dies when a verb took effect
     * @param power that the memory node dies and loses data that was not flushed
     * @param maxCrashes maximum number of the four together in one simulation
     * @param restartNanos the maximum time until a dead memory node comes back; 0 for never
     */
    public record Crashes(int strand, int machine, int node, int power, int maxCrashes, long restartNanos) {}

    /**
     * Whether the simulator distinguishes persistent memory from memory that was only written, so that power can fail.
     *
     * @param evict that a line which was just written becomes persistent by itself
     * @param inOrder whether nodes keep journals: of the data that was not flushed a prefix survives, and not any
     * subset
     */
    public record Persistence(boolean on, int evict, boolean inOrder) {}

    private static final Order IN_ORDER = new Order(0, 0, 0, 0, 0, false, false, 0);
    private static final Losses NO_LOSSES = new Losses(0, 0, 0, 0, 0, 0, 0);
    private static final Crashes NO_CRASHES = new Crashes(0, 0, 0, 0, 0, 0);
    private static final Persistence NOT_TOLD_APART = new Persistence(false, 0, false);

    /** Nothing fails and nothing is out of order. */
    public static final Adversary NONE = new Adversary(IN_ORDER, NO_LOSSES, NO_CRASHES, NOT_TOLD_APART);

    /** Order and tearing: all events of a working network. */
    public static final Adversary ORDER =
            NONE.with(new Order(300_000, 4_000, 500_000, 3_000, 200_000, true, true, BURSTS));

    /**
     * Also verbs that fly, answers lost or duplicated, connections that break. No deaths are drawn, but power can fail.
     */
    public static final Adversary NETWORK = ORDER.with(new Losses(1_000, 5_000_000, 500, 2_000, 500, 500_000, 500_000))
            .withPersistence(10_000);

    /** Everything; a few strands, machines and memory nodes die. */
    public static final Adversary ALL = NETWORK.withCrashes(100, 50, 20, 20, 3, 20_000_000);

    /** Returns the adversary of a name on the command line: none or off, order, network, all or on. */
    public static Adversary named(String name) {
        return switch (name) {
            case "none", "off" -> NONE;
            case "order" -> ORDER;
            case "network" -> NETWORK;
            case "all", "on" -> ALL;
            default ->
                throw new IllegalArgumentException(
                        "unknown adversary '" + name + "'; known: none, order, network, all");
        };
    }

    public Adversary with(Order otherOrder) {
        return new Adversary(otherOrder, losses, crashes, persistent);
    }

    public Adversary with(Losses otherLosses) {
        return new Adversary(order, otherLosses, crashes, persistent);
    }

    /**
     * Returns this adversary with other rates of losses: flights, lost and duplicated answers, broken connections,
     * drops.
     */
    public Adversary withLosses(int flights, long maxNanos, int lost, int doubled, int broken, int dropped) {
        return with(new Losses(flights, maxNanos, lost, doubled, broken, dropped, losses.cutShort));
    }

    /**
     * Returns this adversary with other deaths. Power can fail only if persistence is simulated, so it is switched on.
     */
    public Adversary withCrashes(int strand, int machine, int node, int power, int maxCrashes, long restartAfterNanos) {
        Crashes deaths = new Crashes(strand, machine, node, power, maxCrashes, restartAfterNanos);
        Persistence told = power > 0 ? new Persistence(true, persistent.evict, persistent.inOrder) : persistent;
        return new Adversary(order, losses, deaths, told);
    }

    /** Returns this adversary with persistent memory distinguished from memory that was only written. */
    public Adversary withPersistence(int evictPerMillion) {
        return new Adversary(order, losses, crashes, new Persistence(true, evictPerMillion, false));
    }

    /** Returns this adversary with nodes that keep journals. Such a node executes each verb as a whole. */
    public Adversary withJournals(int writtenPerMillion) {
        Order whole = new Order(
                order.reorder,
                order.reorderNanos,
                0,
                0,
                order.delayCompletion,
                order.scribble,
                order.shuffle,
                order.bursts);
        return new Adversary(whole, losses, crashes, new Persistence(true, writtenPerMillion, true));
    }

    /** Returns this adversary with another rate of bursty runs: 0 for even runs, a million for bursty ones alone. */
    public Adversary withBursts(int perMillion) {
        return with(new Order(
                order.reorder,
                order.reorderNanos,
                order.tear,
                order.tearNanos,
                order.delayCompletion,
                order.scribble,
                order.shuffle,
                perMillion));
    }

    /** {@link Order#reorder}. */
    public int reorder() {
        return order.reorder;
    }

    /** {@link Order#tear}. */
    public int tear() {
        return order.tear;
    }

    /** Returns whether power can fail. */
    public boolean persistence() {
        return persistent.on;
    }

    /** Returns whether single verbs have to be examined on their way. */
    boolean touchesVerbs() {
        return !order.equals(IN_ORDER) || !losses.equals(NO_LOSSES) || crashes.node + crashes.power > 0;
    }

    boolean crashesPosters() {
        return crashes.strand + crashes.machine > 0;
    }
}
