package tidepool.sim;

import tidepool.base.Checks;
import tidepool.base.InvariantException;
import tidepool.base.Randomness;
import tidepool.base.Strand;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Refusal;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;
import tidepool.memory.AccessCode;

/**
 * The requester's side of the simulator. It posts verbs, holds back fenced ones, takes answers, and gives up when they
 * do not come.
 */
final class SimLane extends Lane {
    final Simulation simulation;
    final SimSession simSession;
    final Machine machine;
    final SimFabric fabric;
    private final CostProfile.Cpu cpu;
    private final long patienceNanos;
    private final Adversary.Order order;
    private final Adversary.Losses losses;
    private final Adversary.Crashes crashes;
    private final Randomness random;
    private final boolean careful;
    private final boolean crashing;
    private final Deadline deadline;
    private RoundTracker awaited;
    private boolean closed;

    SimLane(SimSession session) {
        super(session);
        this.simSession = session;
        this.fabric = session.simFabric;
        this.simulation = fabric.simulation();
        this.machine = session.machine;
        this.cpu = fabric.costs().cpu();
        this.patienceNanos = fabric.costs().timeouts().deadlineNanos();
        Adversary adversary = fabric.adversary();
        this.order = adversary.order();
        this.losses = adversary.losses();
        this.crashes = adversary.crashes();
        this.crashing = adversary.crashesPosters();
        this.random = fabric.random();
        this.careful = adversary.touchesVerbs();
        this.deadline = new Deadline();
    }

    @Override
    protected Link newLink(int node) {
        return new SimLink(this, node, fabric.node(node), fabric.nextLinkId());
    }

    // ---- posting

    @Override
    protected void post(Round round) {
        SimStrand strand = simulation.current();
        RoundTracker tracker = begin(round);
        int count = round.count();
        for (int i = 0; i < count; i++) {
            if (strand != null) crashBefore(strand, round, i);
            charge(strand, round.verb(i), tracker);
            VerbInFlight sent = post(round.verb(i), i, tracker, strand);
            if (strand != null) crashAfter(strand, round, i, sent);
        }
        boolean dies = strand != null && crashesAfter(strand, tracker);
        tracker.answered();
        if (dies) awaitDeath(strand, tracker);
    }

    @Override
    protected void post(Round first, Round next) {
        post(first);
        RoundTracker before = trackerOf(first);
        if (before.pending == 0) {
            if (first.hasFailed()) next.neverSent(first);
            else post(next);
            return;
        }
        RoundTracker tracker = trackerOf(next);
        tracker.waitsFor(before, simulation.current());
        if (tracker.poster != null) simulation.chargeQuietly(cpu.postNanos() * next.count());
    }

    /**
     * Called when the last answer to the preceding round has arrived. The NIC sends this round, whatever its strand
     * does.
     */
    void postAfter(RoundTracker tracker) {
        SimStrand poster = tracker.poster;
        Round round = tracker.round;
        begin(round);
        boolean dying = false;
        int count = round.count();
        for (int i = 0; i < count; i++) {
            if (dying) {
                round.verb(i).failed(Effect.NOT_DONE, null);
                tracker.failed(Reason.DISCONNECTED);
                continue;
            }
            if (poster != null) crashBefore(poster, round, i);
            VerbInFlight sent = post(round.verb(i), i, tracker, poster);
            dying = poster != null && crashesAfter(poster, round, i, sent);
        }
        if (poster != null) crashesAfter(poster, tracker);
        tracker.answered();
    }

    private RoundTracker begin(Round round) {
        RoundTracker tracker = trackerOf(round);
        long patience = round.deadlineNanos() != 0 ? round.deadlineNanos() : patienceNanos;
        tracker.begin(fabric.nextStamp(), simulation.nowNanos() + patience);
        tracker.pending = 1; // this call; so that the round is not over before all verbs are posted
        return tracker;
    }

    private static RoundTracker trackerOf(Round round) {
        RoundTracker tracker = (RoundTracker) round.attachment();
        if (tracker == null) {
            tracker = new RoundTracker(round);
            round.attach(tracker);
        }
        return tracker;
    }

    /** Charges the strand for posting a verb, and for the doorbell of its link if it is the first. */
    private void charge(SimStrand strand, Verb verb, RoundTracker tracker) {
        SimLink link = (SimLink) verb.link();
        if (strand == null || closed || link.connection.broken || machine.isDead()) return;
        boolean rings = link.doorbellStamp != tracker.stamp;
        simulation.chargeQuietly(cpu.postNanos() + (rings ? cpu.doorbellNanos() : 0));
    }

    private VerbInFlight post(Verb verb, int index, RoundTracker tracker, SimStrand strand) {
        SimLink link = (SimLink) verb.link();
        SimConnection connection = link.connection;
        if (closed || connection.broken || machine.isDead()) {
            verb.failed(Effect.NOT_DONE, null);
            tracker.failed(closed ? Reason.CLOSED : Reason.DISCONNECTED);
            return null;
        }
        if (link.doorbellStamp != tracker.stamp) {
            link.doorbellStamp = tracker.stamp;
            tracker.links++;
        }
        VerbInFlight flight = fabric.takeFlight();
        flight.ask(verb, link, tracker, index, strand);
        flight.strandVerb = strand == null ? -1 : strand.verbs;
        if (order.scribble()) flight.scribble(verb, random.nextLong());
        tracker.pending++;
        connection.add(flight);
        simulation.note(Trace.POSTED, flight, flight.kind.ordinal() | flight.length << 8);
        if (fabric.listener() != null) fabric.listener().onPosted(flight);
        if (mustBeHeld(connection, flight)) hold(connection, flight);
        else send(flight);
        return flight;
    }

    private boolean mustBeHeld(SimConnection connection, VerbInFlight flight) {
        if (connection.fenceWaits(flight)) {
            simulation.coverage(CoveragePoint.FENCE_WAITED);
            return true;
        }
        if (connection.held == 0) return false;
        // After a verb that is held back, a real send queue stands still; the contract does not promise it.
        if (!careful || !random.chance(order.reorder(), Adversary.MILLION)) return true;
        simulation.coverage(CoveragePoint.PASSED_A_FENCED_VERB);
        return false;
    }

    private void hold(SimConnection connection, VerbInFlight flight) {
        flight.held = true;
        connection.held++;
        simulation.note(Trace.HELD, flight, flight.number);
    }

    private void send(VerbInFlight flight) {
        long at = fabric.timing().arrivalNanos(flight, simulation.nowNanos());
        if (flight.link.delayNextNanos > 0) {
            simulation.coverage(CoveragePoint.FLIGHT);
            at += flight.link.delayNextNanos;
            flight.link.delayNextNanos = 0;
        }
        if (careful) {
            if (random.chance(order.reorder(), Adversary.MILLION)) at += random.nextLong(order.reorderNanos() + 1);
            if (random.chance(losses.fly(), Adversary.MILLION)) {
                simulation.coverage(CoveragePoint.FLIGHT);
                at += random.nextLong(losses.flyNanos() + 1);
            }
        }
        flight.at(at, VerbInFlight.ARRIVE);
    }

    /** Called when answers have come: sends all verbs that no fence holds back any more, in the order of posting. */
    private void sendHeld(SimConnection connection) {
        VerbInFlight flight = connection.firstUnanswered;
        while (flight != null && connection.held > 0) {
            VerbInFlight newer = flight.newerUnanswered;
            if (flight.held) {
                if (connection.fenceWaits(flight)) return;
                flight.held = false;
                connection.held--;
                send(flight);
            }
            flight = newer;
        }
    }

    // ---- crashing

    private void crashBefore(SimStrand strand, Round round, int index) {
        CrashPoint point = strand.crashPoint;
        if (point != null && point.isBefore(strand.verbs, round.label())) {
            strand.crashPlace = new CrashPlace(round.label(), index, round.count());
            crash(strand, point.wholeMachine());
        }
        if (!crashing) return;
        if (random.chance(crashes.machine(), Adversary.MILLION) && fabric.spendCrash()) crash(strand, true);
        if (random.chance(crashes.strand(), Adversary.MILLION) && fabric.spendCrash()) crash(strand, false);
    }

    private void crashAfter(SimStrand strand, Round round, int i, VerbInFlight sent) {
        if (!crashesAfter(strand, round, i, sent)) return;
        while (true) Strand.park(); // until it took effect
    }

    /** Returns whether the strand dies as soon as this verb of it took effect. */
    private boolean crashesAfter(SimStrand strand, Round round, int i, VerbInFlight sent) {
        CrashPoint point = strand.crashPoint;
        long index = strand.verbs++;
        if (point == null || !point.isAfter(index)) return false;
        strand.crashPlace = new CrashPlace(round.label(), i, round.count());
        if (sent == null) crash(strand, point.wholeMachine());
        else sent.crashesStrand = true;
        return sent != null && (point.wholeMachine() || strand == simulation.current());
    }

    /** Returns whether the strand dies as soon as every verb of this posted round is answered. */
    private static boolean crashesAfter(SimStrand strand, RoundTracker tracker) {
        CrashPoint point = strand.crashPoint;
        Round round = tracker.round;
        if (point == null || !point.isAfterRound(round.label()) || strand.crashPlace != null) return false;
        strand.crashPlace = new CrashPlace(round.label(), round.count() - 1, round.count());
        tracker.dying = strand;
        return true;
    }

    /** Waits until every verb of the round is answered or the round gives up; then the strand dies. */
    private void awaitDeath(SimStrand strand, RoundTracker tracker) {
        awaited = tracker;
        deadline.arm(tracker.deadlineNanos);
        strand.awaiting = this;
        while (true) Strand.park();
    }

    /** Does not return to the strand that dies. */
    void crash(SimStrand strand, boolean wholeMachine) {
        if (wholeMachine) machine.crash();
        simulation.crash(strand);
    }

    // ---- answers

    @Override
    protected void await(Round round) {
        RoundTracker tracker = trackerOf(round);
        if (tracker.before != null) await(tracker.before.round);
        SimStrand strand = simulation.current();
        if (tracker.pending > 0) {
            awaited = tracker;
            deadline.arm(tracker.deadlineNanos);
            if (strand == null) {
                simulation.pump(() -> tracker.pending == 0);
            } else {
                tracker.waiter(strand.strand);
                strand.awaiting = this;
                while (tracker.pending > 0) Strand.park();
                strand.awaiting = null;
            }
            awaited = null;
        }
        if (strand != null) simulation.chargeQuietly(cpu.pollNanos() * tracker.links);
    }

    @Override
    protected boolean isComplete(Round round) {
        return trackerOf(round).pending == 0;
    }

    /** Called when an answer arrives. It may be the second one to its verb, or come after the round gave up. */
    void completed(VerbInFlight flight) {
        SimConnection connection = flight.connection;
        RoundTracker tracker = flight.tracker;
        if (tracker == null || machine.isDead()) return;
        if (fabric.partition().stopsAnswer(flight)) return;
        if (careful && !flight.notDone && random.chance(losses.breakConnection(), Adversary.MILLION)) {
            simulation.coverage(CoveragePoint.CONNECTION_BROKEN);
            breakDown(connection, Reason.DISCONNECTED);
            return;
        }
        if (connection.firstUnanswered != flight) simulation.coverage(CoveragePoint.COMPLETION_REORDERED);
        simulation.note(Trace.COMPLETED, flight, flight.number);
        connection.removeUnanswered(flight);
        flight.tracker = null;
        Verb verb = tracker.round.verb(flight.index);
        checkSource(flight, verb);
        if (flight.notDone) {
            verb.failed(Effect.NOT_DONE, null);
            tracker.failed(Reason.DISCONNECTED);
        } else if (flight.access != AccessCode.GRANTED) {
            verb.failed(Effect.NOT_DONE, Refusal.of(flight.access));
            tracker.failed(Reason.REFUSED);
            refused(connection);
        } else {
            flight.land(verb);
            verb.done();
            if (fabric.listener() != null) fabric.listener().onCompleted(flight);
        }
        if (connection.held > 0) sendHeld(connection);
        tracker.answered();
    }

    /** Called when the node has broken the connection. Unsent verbs are not done; of the others the node will tell. */
    private void refused(SimConnection connection) {
        connection.broken = true;
        VerbInFlight flight = connection.firstUnanswered;
        while (flight != null) {
            VerbInFlight newer = flight.newerUnanswered;
            if (flight.held) giveUp(flight, Reason.DISCONNECTED);
            flight = newer;
        }
    }

    private void checkSource(VerbInFlight flight, Verb verb) {
        if (!flight.sourceChanged(verb)) return;
        try {
            Checks.invariant(false, "source changed before completion: " + verb + " strand=" + flight.strandName());
        } catch (InvariantException wrong) {
            simulation.fail(wrong);
        }
    }

    // ---- giving up

    /** Breaks a connection: no answer comes on it any more. Verbs under way may still land. */
    void breakDown(SimConnection connection, Reason reason) {
        if (!connection.broken) {
            connection.broken = true;
            simulation.note(Trace.BROKEN, connection.link.id, connection.link.simNode.number(), reason.ordinal());
        }
        VerbInFlight flight = connection.firstUnanswered;
        while (flight != null) {
            VerbInFlight newer = flight.newerUnanswered;
            giveUp(flight, reason);
            flight = newer;
        }
    }

    private void giveUp(VerbInFlight flight, Reason reason) {
        RoundTracker tracker = flight.tracker;
        boolean sent = !flight.held;
        flight.connection.removeUnanswered(flight);
        if (!sent) flight.connection.removeUnapplied(flight);
        flight.tracker = null;
        if (tracker != null) {
            Verb verb = tracker.round.verb(flight.index);
            checkSource(flight, verb);
            verb.failed(sent ? Effect.UNKNOWN : Effect.NOT_DONE, null);
            tracker.failed(reason);
            tracker.answered();
        }
        fabric.releaseIfOver(flight);
    }

    private void timeOut(RoundTracker tracker) {
        simulation.coverage(CoveragePoint.TIMED_OUT);
        simulation.note(Trace.TIMED_OUT, simSession.number(), tracker.pending, tracker.stamp);
        for (Link link : links()) {
            SimConnection connection = ((SimLink) link).connection;
            boolean concerned = false;
            for (VerbInFlight f = connection.firstUnanswered; f != null; f = f.newerUnanswered)
                concerned |= f.tracker == tracker;
            if (!concerned) continue;
            tracker.failed(Reason.TIMED_OUT);
            breakDown(connection, Reason.DISCONNECTED);
        }
        Checks.invariant(tracker.pending == 0, "a round that gave up waits for nothing", tracker.pending);
    }

    /** Called when the machine died: verbs that were held back are never sent. */
    void machineDied() {
        for (Link link : links()) breakDown(((SimLink) link).connection, Reason.DISCONNECTED);
    }

    /** Throws once the lane, its session or the pool is closed; called before connecting and opening. */
    void refuseIfClosed() {
        if (closed || simSession.isClosed() || fabric.isClosed())
            throw new FabricException(Reason.CLOSED, Effect.NOT_DONE, "the lane is closed");
    }

    @Override
    public void close() {
        if (closed) return;
        closed = true;
        for (Link link : links()) breakDown(((SimLink) link).connection, Reason.CLOSED);
    }

    String describeAwaited() {
        if (awaited == null) return "nothing";
        StringBuilder text = new StringBuilder("a round of " + awaited.round.count() + " verbs:");
        for (int i = 0; i < awaited.round.count(); i++) text.append(' ').append(awaited.round.verb(i));
        return text.toString();
    }

    /**
     * The time-out of a lane. There is one event for a lane and not one for a round: it checks the round that is
     * awaited when it happens, and is set again if that one still has time.
     */
    private final class Deadline extends Event {
        private long armedNanos = Long.MAX_VALUE;

        Deadline() {
            super(simulation);
        }

        void arm(long atNanos) {
            if (armedNanos <= atNanos) return;
            armedNanos = atNanos;
            simulation.schedule(this, atNanos, 0);
        }

        @Override
        void happen(int tag) {
            armedNanos = Long.MAX_VALUE;
            RoundTracker tracker = awaited;
            if (tracker == null || tracker.pending == 0) return;
            if (tracker.deadlineNanos > simulation.eventNanos()) arm(tracker.deadlineNanos);
            else timeOut(tracker);
        }
    }
}
