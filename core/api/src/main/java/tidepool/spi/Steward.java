package tidepool.spi;

import java.util.Set;
import java.util.TreeSet;
import tidepool.base.Clock;
import tidepool.base.Waiting;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.Reconfiguration;
import tidepool.store.Catalog;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;

/**
 * The maintainer of the memory nodes of a pool. It removes nodes that are gone, continues a change that another steward
 * left, has new copies filled, and marks them as whole. Every process that opens a pool with a roster has a steward.
 * Stewards need not know of each other: a roster changes by compare-and-set, and a steward that carries out a change
 * revokes all other sessions.
 */
@SuppressWarnings("exports") // its callers require the modules below
public final class Steward implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("tidepool");

    /**
     * How often a steward checks the nodes, and how long it waits for others.
     *
     * @param pauseNanos between two checks while the fabric fails
     * @param idlePauses the number of pauses between two checks otherwise
     * @param alarmedNanos how long it checks more often after a failure of the fabric
     * @param patienceNanos how long another steward has for a change before it is taken over
     */
    public record Pace(long pauseNanos, int idlePauses, long alarmedNanos, long patienceNanos) {
        /** For real nodes. */
        public static final Pace USUAL = new Pace(10_000_000, 50, 3_000_000_000L, 3_000_000_000L);
    }

    /** How long closing waits for the steward's current work. */
    private static final long CLOSE_NANOS = 1_000_000_000L;

    private static final long CLOSE_LOOK_NANOS = 1_000_000;

    /** The clocks of two machines drift apart by less than one part in twenty. */
    private static final long DRIFT_PARTS = 20;

    private static final int MAX_DOUBLINGS = 5;

    /** Failures in a row after which another process may lead. */
    private static final int RESIGN_AFTER = 3;

    /**
     * Session numbers that are skipped. Otherwise a new first node could give a number that the previous first node is
     * giving at this moment.
     */
    private static final int NUMBERS_LEFT_OUT = 1024;

    /** How often the pause after a failure doubles: each attempt takes a session number, and these are limited. */
    private static final int MAX_PAUSE_DOUBLINGS = 7;

    private final Membership membership;
    private final PoolOptions options;
    private final Protocol protocol;
    private final Pace pace;
    private final FillScheduler fills;
    private Roster mine; // a change that this steward asked for
    private int takenOver; // how often since the roster was steady
    private Roster lastSteady; // null if this steward has not seen any
    private Roster others; // another steward's change, and when it was first seen
    private long othersSince;
    private Roster numbered; // the roster for which numbers were skipped, and the last skipped number
    private int leftOut;
    private long longestSettle; // of the changes that this steward has carried out
    private StewardListener listener = new StewardListener() {};
    private volatile boolean closed;
    private volatile long alarmedUntil = Long.MIN_VALUE;
    private volatile boolean running;
    private String lastTrouble = "";

    public Steward(Membership membership, PoolOptions options, Protocol protocol) {
        this(membership, options, protocol, Pace.USUAL);
    }

    /** Makes a steward that checks the nodes only when {@link #tend} is called. */
    public Steward(Membership membership, PoolOptions options, Protocol protocol, long patienceNanos) {
        this(
                membership,
                options,
                protocol,
                new Pace(Pace.USUAL.pauseNanos, Pace.USUAL.idlePauses, Pace.USUAL.alarmedNanos, patienceNanos));
    }

    public Steward(Membership membership, PoolOptions options, Protocol protocol, Pace pace) {
        this.pace = pace;
        this.membership = membership;
        this.options = options;
        this.protocol = protocol;
        this.fills = new FillScheduler(membership, options, protocol, () -> closed);
    }

    /** Sets the listener. It is called in the thread or strand that does the work. */
    public void setListener(StewardListener newListener) {
        listener = newListener;
    }

    /** Starts a thread that runs the steward until it is closed. */
    public void start() {
        Thread.ofPlatform().daemon().name("tidepool-steward").start(this::run);
    }

    /** Called when the fabric has failed: a node may be gone, so the nodes are checked at once. */
    public void alarm() {
        alarmedUntil = Clock.current().nowNanos() + pace.alarmedNanos;
    }

    private boolean isIdle() {
        return !closed && Clock.current().nowNanos() > alarmedUntil;
    }

    /** Checks the nodes repeatedly until the steward is closed. */
    public void run() {
        running = true;
        try {
            look();
        } finally {
            running = false;
        }
    }

    private void look() {
        int failures = 0;
        while (!closed) {
            boolean done = false;
            try {
                done = tend();
                lastTrouble = "";
                failures = 0;
            } catch (RuntimeException e) { // any exception: without a steward no lost node is ever replaced
                // Logged once. The steward retries until it succeeds or the reason changes.
                if (!closed && !lastTrouble.equals(e.getMessage()))
                    LOG.log(System.Logger.Level.WARNING, "the memory nodes cannot be cared for: {0}", e.getMessage());
                lastTrouble = String.valueOf(e.getMessage());
                failures++;
                listener.failed(e);
                if (failures % RESIGN_AFTER == 0) resign();
            }
            if (done) continue;
            if (!closed) Waiting.pause(pace.pauseNanos << Math.min(failures, MAX_PAUSE_DOUBLINGS));
            for (int i = 0; i < pace.idlePauses && isIdle(); i++) Waiting.pause(pace.pauseNanos);
        }
    }

    /**
     * Lets another process maintain the nodes. This process may be the only one that cannot reach some member, and a
     * steward begins no change unless it reaches all members of the new roster.
     */
    private void resign() {
        try {
            membership.resign();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "not resigned: {0}", e.getMessage());
        }
    }

    /** Does the next piece of work and waits for it. Returns false if there is none. */
    public boolean tend() {
        membership.report();
        if (!membership.lead()) return false;
        Roster roster = membership.news();
        if (roster.steady()) lastSteady = roster;
        Set<Integer> lost = new TreeSet<>();
        for (int i = 0; i < roster.members().size(); i++)
            if (membership.isMissing(roster.members().get(i))) lost.add(i);
        if (!lost.isEmpty()) return change(roster, repaired(left(roster, lost)));
        if (!roster.steady()) return roster.equals(mine) ? reconfigure(roster) : takeOver(roster);
        takenOver = 0;
        fills.giveUp(roster);
        if (roster.isFilling()) {
            fills.fill(roster, listener);
            return true;
        }
        Roster more = repaired(RosterPlan.next(roster));
        return more.isFilling() && change(roster, more);
    }

    /**
     * Takes over a change of another steward. The steward that asked for a change carries it out, unless that takes too
     * long: then it may have died. A change that is taken over becomes a change of its own, with the next epoch.
     * Otherwise two stewards could carry out one change: the first could declare it done when the second has just
     * announced it again, and dies. Then no session could enter the pool any more.
     */
    private boolean takeOver(Roster changing) {
        long now = Clock.current().nowNanos();
        if (!changing.equals(others)) {
            others = changing;
            othersSince = now;
        }
        // The patience grows, because the number of epochs is limited and the cause may last.
        long patience = pace.patienceNanos + longestSettle << Math.min(takenOver, MAX_DOUBLINGS);
        if (now - othersSince < patience) return false;
        takenOver++;
        others = null; // if this fails, another steward may be at work
        return change(changing, RosterPlan.next(changing));
    }

    /**
     * Returns the roster without the lost members. Refuses if the others have lost their power and do not have all
     * flushed data: as long as the roster names the lost members, they may come back.
     */
    private Roster left(Roster roster, Set<Integer> lost) {
        Roster left = RosterPlan.without(roster, lost);
        if (!protocol.flush().isDurable()) return left;
        try (Fabric fabric = membership.open(left)) {
            leaveOutNumbers(fabric, left);
            try (Session session = fabric.attach()) {
                Catalog.openForChange(fabric, session, options, left).requireFlushedCopies();
            }
        }
        return left;
    }

    /**
     * Returns whether a session may still trust the answers of a node that a change removes. None does if the node
     * certainly serves no session, or refuses those of older rosters.
     */
    private boolean isAnyBelieved(Roster changing) {
        if (lastSteady == null || lastSteady.epoch() + 1 != changing.epoch()) return true;
        for (Roster.Member member : lastSteady.members())
            if (changing.position(member.identity()) < 0
                    && !membership.isGone(member)
                    && !membership.fence(member, changing.epoch())) return true;
        return false;
    }

    /**
     * Returns how long to wait, after all sessions were revoked, until none trusts a removed node any more. The nodes
     * that carry out the change tell it, so a steward that has just started and one that knows the pool wait equally
     * long.
     */
    private long settleNanos(Fabric fabric) {
        long settle = fabric.believedNanos() + fabric.believedNanos() / DRIFT_PARTS;
        longestSettle = Math.max(longestSettle, settle);
        return settle;
    }

    /**
     * Returns the roster with as many copies of every partition as the pool is to have, if there are nodes for them.
     * May add a new node.
     */
    private Roster repaired(Roster roster) {
        Roster refilled = RosterPlan.refill(roster, options.replicas());
        if (isReplicated(refilled)) return refilled;
        for (Roster.Member stranger : membership.strangers()) {
            if (isReplicated(refilled)) break;
            if (refilled.position(stranger.identity()) < 0)
                refilled = RosterPlan.refill(RosterPlan.with(refilled, stranger), options.replicas());
        }
        return refilled;
    }

    private boolean isReplicated(Roster roster) {
        return roster.partitions().stream().allMatch(copies -> copies.all().size() >= options.replicas());
    }

    // ---- changes

    /**
     * Asks for a change, carries it out, and waits for that. Returns true if it was done, or another steward was
     * quicker.
     */
    public boolean change(Roster from, Roster to) {
        if (from.steady()) lastSteady = from;
        requireAnswers(to);
        if (!membership.replace(from, to)) return true;
        mine = to;
        listener.changing(to);
        return reconfigure(to);
    }

    /** Refuses a change that cannot be carried out before it begins. Otherwise it would revoke all sessions. */
    private void requireAnswers(Roster to) {
        for (Roster.Member member : to.members())
            if (!membership.answers(member))
                throw FabricException.unavailable(
                        member.identity() + " at " + member.address() + " does not answer; nothing was changed");
    }

    /** Carries out a change that this steward asked for; may be repeated. */
    private boolean reconfigure(Roster changing) {
        return reconfigure(changing, isAnyBelieved(changing));
    }

    private boolean reconfigure(Roster changing, boolean settles) {
        Reconfiguration.Report report;
        try (Fabric fabric = membership.open(changing)) {
            leaveOutNumbers(fabric, changing);
            try (Session session = fabric.attach()) {
                Catalog catalog = Catalog.openForChange(fabric, session, options, changing);
                report = protocol.change(session, catalog).run(settles ? settleNanos(fabric) : 0);
            }
        }
        if (!membership.replace(changing, RosterPlan.steady(changing))) return true;
        LOG.log(System.Logger.Level.INFO, "epoch {0} begins: {1}", "" + changing.epoch(), report);
        listener.changed(RosterPlan.steady(changing), report);
        return true;
    }

    /**
     * Removes a member that has a whole copy of every partition, at a moment when no session is in the pool and all
     * transactions are resolved. The memory of that member is then a snapshot. The others continue at once. Returns the
     * highest number of a session that can have written something. Waits until the change is done.
     */
    public int splitOff(Roster.Member member) {
        while (true) {
            Roster roster = membership.read();
            int position = roster.position(member.identity());
            if (position < 0) throw FabricException.unavailable(member.identity() + " was taken out of the pool");
            boolean whole = roster.steady()
                    && roster.partitions().stream()
                            .allMatch(copies -> copies.whole().contains(position));
            Roster held = whole ? RosterPlan.leaving(roster, position) : roster;
            if (!whole || !membership.replace(roster, held)) {
                if (!tend()) Waiting.pause(pace.pauseNanos);
                continue;
            }
            int number = hold(held);
            Roster rest = RosterPlan.without(held, Set.of(position));
            if (!membership.replace(held, rest))
                throw FabricException.unavailable("another one has changed the roster meanwhile");
            mine = rest;
            reconfigure(rest, false); // all sessions were revoked at that member, too
            return number;
        }
    }

    private int hold(Roster changing) {
        try (Fabric fabric = membership.open(changing)) {
            leaveOutNumbers(fabric, changing);
            try (Session session = fabric.attach()) {
                protocol.change(session, Catalog.openForChange(fabric, session, options, changing))
                        .hold(0);
                return session.number();
            }
        }
    }

    /**
     * Skips session numbers at the first node, which gives them and may not have been the first before. That is done
     * once for a roster, however often the change is retried: numbers above the skipped ones were given by this first
     * node. It is done again only if numbers of the previous first node have come close to the skipped ones.
     */
    private void leaveOutNumbers(Fabric fabric, Roster roster) {
        boolean again = roster.equals(numbered);
        int highest = 0;
        for (int node = 0; node < fabric.nodes(); node++)
            for (int number : fabric.control(node).sessions())
                if (!again || number < leftOut) highest = Math.max(highest, number);
        if (again && highest < leftOut - NUMBERS_LEFT_OUT / 2) return;
        if (again) highest = Math.max(highest, leftOut);
        leftOut = highest + NUMBERS_LEFT_OUT;
        fabric.control(0).revoke(leftOut);
        fabric.control(0).forget(leftOut);
        numbered = roster;
    }

    /** Stops the steward. Waits a moment for its current work. Another steward takes over what it leaves. */
    @Override
    public void close() {
        closed = true;
        long deadline = Clock.current().nowNanos() + CLOSE_NANOS;
        while (running && Clock.current().nowNanos() < deadline) {
            if (Thread.currentThread().isInterrupted()) return;
            Waiting.pause(Math.min(CLOSE_LOOK_NANOS, pace.pauseNanos));
        }
    }
}
