package tidepool;

import java.util.Set;
import java.util.TreeSet;
import tidepool.base.Clock;
import tidepool.base.Waiting;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Session;
import tidepool.protocol.Change;
import tidepool.protocol.Protocol;
import tidepool.store.Catalog;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;

/**
 * Cares for the memory nodes of a pool: takes out those that are gone, goes on with a change that another one left, has new
 * copies filled, and says when they are. Every process that opens a pool with a roster has one; they need not know of each
 * other, because a roster changes by compare-and-set, and whoever carries a change out shuts out everybody else.
 */
public final class Steward implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("tidepool");

    /**
     * How often a steward looks at the nodes, and how long it waits for others.
     *
     * @param pauseNanos between two looks while the fabric fails
     * @param idlePauses so many pauses lie between two looks otherwise
     * @param alarmedNanos how long it looks more often after a failure of the fabric
     * @param patienceNanos how long another steward has for a change before it is taken over
     */
    public record Pace(long pauseNanos, int idlePauses, long alarmedNanos, long patienceNanos) {
        /** For real nodes. */
        public static final Pace USUAL = new Pace(10_000_000, 50, 3_000_000_000L, 3_000_000_000L);
    }

    /** How long closing waits for what the steward is at. */
    private static final long CLOSE_NANOS = 1_000_000_000L;

    private static final long CLOSE_LOOK_NANOS = 1_000_000;

    /** Clocks of two machines go apart by less than one part in so many. */
    private static final long DRIFT_PARTS = 20;

    private static final int MOST_DOUBLINGS = 5;

    /** Failures in a row after which another process may lead. */
    private static final int RESIGN_AFTER = 3;

    /** Numbers that are left out, so that none is given by a new first node that the one before it may be giving just now. */
    private static final int NUMBERS_LEFT_OUT = 1024;

    /** How often the pause behind a failure doubles: each attempt takes a number of a session, of which there is an end. */
    private static final int MOST_PAUSE_DOUBLINGS = 7;

    private final Membership membership;
    private final PoolOptions options;
    private final Protocol protocol;
    private final Pace pace;
    private final Filler filler;
    private Roster mine; // a change that this one asked for
    private int takenOver; // how often since the roster was steady
    private Roster lastSteady; // null if this one has not seen any
    private Roster others; // a change that another one is about, and since when it is known
    private long othersSince;
    private Roster numbered; // for which numbers were left out, up to this one
    private int leftOut;
    private long longestSettle; // of the changes that this one has carried out
    private StewardListener listener = new StewardListener() {};
    private volatile boolean closed;
    private volatile long alarmedUntil = Long.MIN_VALUE;
    private volatile boolean running;
    private String lastTrouble = "";

    public Steward(Membership membership, PoolOptions options, Protocol protocol) {
        this(membership, options, protocol, Pace.USUAL);
    }

    /** A steward that looks only when {@link #tend} is called. */
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
        this.filler = new Filler(membership, options, protocol, () -> closed);
    }

    /** Is told what is done from now on, in the thread or strand that does it. */
    public void listen(StewardListener newListener) {
        listener = newListener;
    }

    /** Runs in a thread of its own until it is closed. */
    void start() {
        Thread.ofPlatform().daemon().name("tidepool-steward").start(this::run);
    }

    /** The fabric has failed somebody: a node may be gone, so it is looked at them at once. */
    void alarm() {
        alarmedUntil = Clock.current().nowNanos() + pace.alarmedNanos;
    }

    private boolean isIdle() {
        return !closed && Clock.current().nowNanos() > alarmedUntil;
    }

    /** Looks again and again until it is closed. */
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
            } catch (RuntimeException e) { // whatever it is: without a steward no lost node is ever replaced
                // Said once: it is tried again until it succeeds or the reason changes.
                if (!closed && !lastTrouble.equals(e.getMessage()))
                    LOG.log(System.Logger.Level.WARNING, "the memory nodes cannot be cared for: {0}", e.getMessage());
                lastTrouble = String.valueOf(e.getMessage());
                failures++;
                listener.failed(e);
                if (failures % RESIGN_AFTER == 0) resign();
            }
            if (done) continue;
            if (!closed) Waiting.pause(pace.pauseNanos << Math.min(failures, MOST_PAUSE_DOUBLINGS));
            for (int i = 0; i < pace.idlePauses && isIdle(); i++) Waiting.pause(pace.pauseNanos);
        }
    }

    /**
     * Lets another process care for the nodes. This one may be the only one that cannot reach some member, and no change
     * is begun by a steward that does not reach all members of the new roster.
     */
    private void resign() {
        try {
            membership.resign();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "not resigned: {0}", e.getMessage());
        }
    }

    /** Does what is to be done next; false if nothing is. Waits. */
    public boolean tend() {
        membership.report();
        if (!membership.lead()) return false;
        Roster roster = membership.news();
        if (roster.steady()) lastSteady = roster;
        Set<Integer> lost = new TreeSet<>();
        for (int i = 0; i < roster.members().size(); i++)
            if (membership.isMissing(roster.members().get(i))) lost.add(i);
        if (!lost.isEmpty()) return change(roster, repaired(left(roster, lost)));
        if (!roster.steady()) return roster.equals(mine) ? carryOut(roster) : takeOver(roster);
        takenOver = 0;
        filler.giveUp(roster);
        if (roster.isFilling()) {
            filler.fill(roster, listener);
            return true;
        }
        Roster more = repaired(RosterPlan.next(roster));
        return more.isFilling() && change(roster, more);
    }

    /**
     * Whoever asked for a change carries it out, unless it takes too long: then it may have died. Taken over it is a change of
     * its own, with the next epoch: of two who carry out the same one, the first could call it done when the second has just
     * announced it again, and dies; then nobody would come in any more.
     */
    private boolean takeOver(Roster changing) {
        long now = Clock.current().nowNanos();
        if (!changing.equals(others)) {
            others = changing;
            othersSince = now;
        }
        // Longer and longer, because there are not that many epochs, and something may be wrong that lasts.
        long patience = pace.patienceNanos + longestSettle << Math.min(takenOver, MOST_DOUBLINGS);
        if (now - othersSince < patience) return false;
        takenOver++;
        others = null; // if this fails, another one may be at it
        return change(changing, RosterPlan.next(changing));
    }

    /**
     * Without those that are lost. Refused if the others have lost their power and do not have everything that was flushed: as
     * long as the roster names the ones that are lost, they may come back.
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

    /** Whether a session may still believe a node that a change takes out: not if the node certainly serves nobody. */
    private boolean isAnyBelieved(Roster changing) {
        if (lastSteady == null || lastSteady.epoch() + 1 != changing.epoch()) return true;
        for (Roster.Member member : lastSteady.members())
            if (changing.position(member.identity()) < 0
                    && !membership.isGone(member)
                    && !membership.fence(member, changing.epoch())) return true;
        return false;
    }

    /**
     * How long to wait after all sessions were shut out until none believes a removed node any more. The nodes that carry the
     * change out say so: it is the same for a steward that has just begun and for one that knows the pool.
     */
    private long settleNanos(Fabric fabric) {
        long settle = fabric.believedNanos() + fabric.believedNanos() / DRIFT_PARTS;
        longestSettle = Math.max(longestSettle, settle);
        return settle;
    }

    /** With as many copies of everything as the pool is to have, if there are nodes for them; a new one may be needed. */
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

    // ---- a change

    /** Asks for a change and carries it out; true if it was done, or another one was quicker. Waits. */
    public boolean change(Roster from, Roster to) {
        if (from.steady()) lastSteady = from;
        requireAnswers(to);
        if (!membership.replace(from, to)) return true;
        mine = to;
        listener.changing(to);
        return carryOut(to);
    }

    /** A change that cannot be carried out is not begun: it would shut everybody out. */
    private void requireAnswers(Roster to) {
        for (Roster.Member member : to.members())
            if (!membership.answers(member))
                throw FabricException.unavailable(
                        member.identity() + " at " + member.address() + " does not answer; nothing was changed");
    }

    /** As often as it takes, by the one who asked for it. */
    private boolean carryOut(Roster changing) {
        return carryOut(changing, isAnyBelieved(changing));
    }

    private boolean carryOut(Roster changing, boolean settles) {
        Change.Report report;
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
     * Takes a member out that has a whole copy of everything, at a moment when nobody is in the pool and everything is resolved:
     * what it holds is a snapshot. The others go on at once. Returns the highest number of a session that can have written
     * something. Waits.
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
            carryOut(rest, false); // everybody was shut out at that member, too
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
     * The first node gives numbers; it may not have been the first before. Once for a roster, however often it is tried: the
     * numbers behind those that were left out were given by this first node. Again only if the one before it has come close.
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

    /** Waits a moment for what it is at: whatever it leaves is taken over by another steward. */
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
