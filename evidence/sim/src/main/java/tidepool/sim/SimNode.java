package tidepool.sim;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Checks;
import tidepool.base.Randomness;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.VerbKind;
import tidepool.memory.AccessCode;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeRegion;

/**
 * The memory side of the simulator: it handles a verb from its arrival until its answer leaves. Access is checked when
 * the verb takes effect, never before: while it is on its way, the region may be freed or the session revoked.
 */
final class SimNode {
    private final SimFabric fabric;
    private final Simulation simulation;
    private final CostProfile costs;
    private final Adversary.Order order;
    private final Adversary.Losses losses;
    private final Adversary.Crashes crashes;
    private final int evict;
    private final Randomness random;
    private final boolean careful;
    private final Timing timing;
    private final int number;
    private MemoryNode memory;
    private PersistentImage image;

    final SerialServer incoming = new SerialServer();
    final SerialServer outgoing = new SerialServer();
    final SerialServer engine = new SerialServer();
    final SerialServer atomics = new SerialServer();
    final SerialServer pcieIn = new SerialServer();
    final SerialServer pcieOut = new SerialServer();
    final SerialServer reads = new SerialServer();
    final SerialServer writes = new SerialServer();
    final SerialServer cpu = new SerialServer();
    final LineBuffer gathered;
    private long fastRegions; // a bit for each of the first 64 regions: set if it lies in DRAM

    /** Its handlers and chained work. */
    final NodeWork work;

    private boolean down;

    /** Added to every verb: simulates a slow node. */
    private long slowNanos;

    /** Counts restarts: connections of an earlier life are unknown here. */
    private int life;

    private long powerLosses;

    /** Whether it may hold less than it has acknowledged; outlasts a loss of power. */
    private boolean doubted;

    private int timesDoubted;

    /** READs that took effect in part; a write into their range is counted. */
    private final List<VerbInFlight> tornReads = new ArrayList<>();

    SimNode(SimFabric fabric, int number, MemoryNode memory, PersistentImage image) {
        this.fabric = fabric;
        this.simulation = fabric.simulation();
        this.costs = fabric.costs();
        Adversary adversary = fabric.adversary();
        this.order = adversary.order();
        this.losses = adversary.losses();
        this.crashes = adversary.crashes();
        this.evict = adversary.persistent().evict();
        this.careful = adversary.touchesVerbs();
        this.timing = fabric.timing();
        this.number = number;
        this.memory = memory;
        this.image = image;
        this.gathered = new LineBuffer(costs.memory().bufferLines());
        this.random = simulation.randomness("node " + number);
        this.work = new NodeWork(this, simulation, costs.node(), careful ? order.tearNanos() : 0, random);
    }

    int number() {
        return number;
    }

    void keepInDram(int region) {
        Checks.argument(region >= 0 && region < Long.SIZE, "one of the first 64 regions, not " + region);
        fastRegions |= 1L << region;
    }

    /** Returns whether a verb goes to a region that lies in DRAM, whatever the other memory of this node is. */
    boolean isFast(VerbInFlight flight) {
        if (fastRegions == 0) return false;
        int region = flight.regionNumber();
        return region >= 0 && region < Long.SIZE && (fastRegions >>> region & 1) != 0;
    }

    MemoryNode memory() {
        return memory;
    }

    int life() {
        return life;
    }

    boolean isDown() {
        return down;
    }

    long powerLosses() {
        return powerLosses;
    }

    boolean isDoubted() {
        return doubted;
    }

    void doubt(boolean now) {
        doubted = now;
        if (now) timesDoubted++;
    }

    int timesDoubted() {
        return timesDoubted;
    }

    boolean tellsPersistence() {
        return image != null;
    }

    PersistentImage image() {
        return image;
    }

    // ---- the path of a verb

    /** Called when the first byte of a verb arrives. */
    void arrive(VerbInFlight flight) {
        if (isUnknown(flight)) {
            simulation.coverage(CoveragePoint.ARRIVED_AT_DEAD_NODE);
            drop(flight);
            return;
        }
        if (fabric.partition().stopsRequest(flight)) return;
        if (careful && isLostUnderWay(flight)) {
            drop(flight);
            return;
        }
        long effectNanos = timing.effectNanos(flight, this, simulation.eventNanos()) + slowNanos;
        if (effectNanos > simulation.eventNanos()) flight.at(effectNanos, VerbInFlight.EFFECT);
        else takeEffect(flight);
    }

    /** Begins the effect of a verb, if it may take effect. */
    void takeEffect(VerbInFlight flight) {
        SimConnection connection = flight.connection;
        if (isUnknown(flight) || connection.dependsOnDropped(flight)) {
            drop(flight);
            return;
        }
        if (connection.passesOthers(flight)) {
            if (!connection.mayTakeEffect(flight)) {
                flight.waitsForOrder = true;
                simulation.coverage(CoveragePoint.ORDER_KEPT_BY_WAITING);
                return;
            }
        }
        if (connection.brokenAtNode) {
            flight.notDone = true;
            answerRefusal(flight);
            return;
        }
        int access = connection.access();
        if (access != AccessCode.GRANTED) simulation.coverage(CoveragePoint.REVOKED_VERB_DROPPED);
        if (access == AccessCode.GRANTED) access = begin(flight);
        if (access != AccessCode.GRANTED) refuse(flight, access);
    }

    private int begin(VerbInFlight flight) {
        switch (flight.kind) {
            case FLUSH -> {
                if (image != null) image.flush(flight.link.dirty);
                applied(flight);
                return AccessCode.GRANTED;
            }
            case CALL -> {
                return work.beginCall(flight);
            }
            case CHAIN -> {
                return work.beginChain(flight);
            }
            default -> {
                return beginWords(flight);
            }
        }
    }

    private int beginWords(VerbInFlight flight) {
        int access = flight.region.access(flight.connection, flight.offset, flight.length);
        if (access != AccessCode.GRANTED) return access;
        if (flight.isAtomic()) {
            VerbEffects.applyAtomic(flight);
            written(flight, flight.offset, Words.BYTES);
            applied(flight);
            return AccessCode.GRANTED;
        }
        if (careful && flight.wordCount > 1 && random.chance(order.tear(), Adversary.MILLION)) tear(flight);
        applyPart(flight, 0);
        return AccessCode.GRANTED;
    }

    // ---- words

    private void tear(VerbInFlight flight) {
        flight.tearSeed = random.nextLong();
        flight.parts = flight.wordCount > 2 && random.nextBoolean() ? 3 : 2;
        flight.partsLeft = flight.parts;
        boolean write = flight.kind == VerbKind.WRITE;
        simulation.coverage(write ? CoveragePoint.TORN_WRITE : CoveragePoint.TORN_READ);
        underWay(flight, 1);
        if (!write) tornReads.add(flight);
        long at = simulation.eventNanos();
        for (int part = 1; part < flight.parts; part++) {
            at += random.nextLong(order.tearNanos() + 1);
            flight.at(at, VerbInFlight.PART + part);
        }
    }

    /** Applies some words of a verb, or all of them. */
    void applyPart(VerbInFlight flight, int part) {
        if (part > 0) {
            if (!flight.begun) return; // the preceding part was cut off
            if (isUnknown(flight) || isCutShort(flight)) {
                cutOff(flight);
                return;
            }
        }
        flight.begun = true;
        if (flight.parts == 1) VerbEffects.moveAll(flight);
        else VerbEffects.movePart(flight, part);
        if (flight.kind == VerbKind.WRITE) written(flight, flight.offset, flight.length);
        if (--flight.partsLeft > 0) {
            if (fabric.listener() != null) fabric.listener().onBegun(flight);
            return;
        }
        if (flight.parts > 1) {
            underWay(flight, -1);
            if (flight.kind == VerbKind.READ) tornReads.remove(flight);
        }
        applied(flight);
    }

    /** Called when memory has changed: updates persistence and the count of overlapped torn READs. */
    private void written(VerbInFlight flight, long offset, long length) {
        if (!tornReads.isEmpty()) {
            for (int i = 0; i < tornReads.size(); i++) { // no iterator: writes are a fast path
                VerbInFlight read = tornReads.get(i);
                boolean overlaps = read.offset < offset + length && offset < read.offset + read.length;
                if (overlaps && read.region.opened == flight.region.opened)
                    simulation.coverage(CoveragePoint.TORN_READ_OVERLAPPED_WRITE);
            }
        }
        if (image == null) return;
        image.written(flight.region.opened, offset, length);
        flight.link.dirty.add(flight.region.number(), offset, length);
        if (evict == 0) return;
        long last = (offset + length - 1) >> DirtyLines.LINE_SHIFT;
        for (long line = offset >> DirtyLines.LINE_SHIFT; line <= last; line++) {
            if (!random.chance(evict, Adversary.MILLION)) continue;
            image.persist(flight.region.opened, line);
            simulation.coverage(CoveragePoint.LINE_EVICTED);
        }
    }

    // ---- the end of a verb

    void applied(VerbInFlight flight) {
        simulation.note(Trace.APPLIED, flight, flight.value());
        SimConnection connection = flight.connection;
        if (connection.passesOthers(flight)) simulation.coverage(CoveragePoint.REORDERED_PAIR);
        connection.removeUnapplied(flight);
        if (flight.tracker == null || (flight.strand != null && flight.strand.strand.isAbandoned()))
            simulation.coverage(CoveragePoint.LATE_LANDING);
        if (fabric.listener() != null) fabric.listener().onApplied(flight);
        answer(flight, timing.completionNanos(flight, this, simulation.eventNanos()));
        flight.crashIfPlanned();
        if (careful) mayCrash();
    }

    private void refuse(VerbInFlight flight, int access) {
        simulation.coverage(CoveragePoint.REFUSED);
        flight.access = access;
        flight.connection.brokenAtNode = true;
        answerRefusal(flight);
    }

    private void answerRefusal(VerbInFlight flight) {
        simulation.note(Trace.REFUSED, flight, flight.access);
        flight.connection.removeUnapplied(flight);
        flight.at(timing.refusalNanos(flight, this, simulation.eventNanos()), VerbInFlight.COMPLETE);
        flight.crashIfPlanned();
    }

    private void answer(VerbInFlight flight, long completionNanos) {
        if (careful) {
            if (random.chance(losses.loseCompletion(), Adversary.MILLION)) {
                simulation.coverage(CoveragePoint.COMPLETION_LOST);
                return;
            }
            if (random.chance(order.delayCompletion(), Adversary.MILLION))
                completionNanos += random.nextLong(order.reorderNanos() + 1);
            if (random.chance(losses.duplicateCompletion(), Adversary.MILLION)) {
                simulation.coverage(CoveragePoint.COMPLETION_DUPLICATED);
                flight.at(completionNanos + random.nextLong(order.reorderNanos() + 1), VerbInFlight.DUPLICATE);
            }
        }
        flight.at(completionNanos, VerbInFlight.COMPLETE);
    }

    /** Drops a verb: it never takes effect, and no answer is sent. */
    private void drop(VerbInFlight flight) {
        simulation.note(Trace.DROPPED, flight, flight.number);
        flight.connection.noteDropped(flight);
        flight.connection.removeUnapplied(flight);
        flight.crashIfPlanned();
    }

    /** Cuts off a verb that had begun: the rest of it never takes effect. */
    void cutOff(VerbInFlight flight) {
        flight.begun = false;
        if (flight.kind == VerbKind.WRITE) simulation.coverage(CoveragePoint.PARTIAL_WRITE);
        if (flight.kind == VerbKind.READ) tornReads.remove(flight);
        underWay(flight, -1);
        drop(flight);
    }

    void underWay(VerbInFlight flight, int change) {
        flight.link.simLane.simSession.underWay[number] += change;
    }

    // ---- failures

    /** Returns whether the verb was sent to an earlier life of the node, or the node is down. */
    boolean isUnknown(VerbInFlight flight) {
        return down || flight.connection.nodeLife != life;
    }

    private boolean isLostUnderWay(VerbInFlight flight) {
        boolean orphaned = flight.connection.broken || (flight.strand != null && flight.strand.strand.isAbandoned());
        if (!orphaned || !random.chance(losses.drop(), Adversary.MILLION)) return false;
        simulation.coverage(CoveragePoint.VERB_DROPPED);
        return true;
    }

    /** Decides whether work that a revoked session has begun is dropped half-way; otherwise it is finished. */
    boolean isCutShort(VerbInFlight flight) {
        return careful
                && flight.connection.access() != AccessCode.GRANTED
                && random.chance(losses.cutShort(), Adversary.MILLION);
    }

    private void mayCrash() {
        if (crashes.node() == 0 && crashes.power() == 0) return;
        if (random.chance(crashes.power(), Adversary.MILLION) && fabric.spendCrash()) failPower();
        else if (random.chance(crashes.node(), Adversary.MILLION) && fabric.spendCrash()) crash();
        else return;
        if (crashes.restartNanos() > 0)
            simulation.at(simulation.eventNanos() + 1 + random.nextLong(crashes.restartNanos()), this::restart);
    }

    /** Stops the node: nothing arrives, nothing is answered. Its memory stays as it is. */
    void crash() {
        if (down) return;
        down = true;
        simulation.coverage(CoveragePoint.NODE_CRASHED);
        simulation.note(Trace.NODE, number, life, 0);
    }

    /** Stops the node, which loses data that was not persistent; the seed decides which. */
    void failPower() {
        losePower();
        image.failPower(random, simulation.coverage());
    }

    /** Stops the node by a loss of power; a test decides which of the lines that were not flushed survive. */
    void failPower(SimFabric.Surviving surviving) {
        losePower();
        image.failPower(surviving, simulation.coverage());
    }

    /** Stops the node, which then has less on its disk than it has acknowledged. */
    void bringBack(List<byte[]> saved) {
        losePower();
        image.bringBack(saved);
    }

    private void losePower() {
        if (image == null)
            throw new IllegalStateException(
                    "power can fail only where persistence is told apart: Adversary.withPersistence");
        crash();
        powerLosses++;
        simulation.coverage(CoveragePoint.POWER_FAILED);
    }

    /** Restarts the node: it answers again, with the contents of its memory. Connections have to be made anew. */
    void restart() {
        if (!down) return;
        life++;
        down = false;
        simulation.coverage(CoveragePoint.NODE_RESTARTED);
        simulation.note(Trace.NODE, number, life, 1);
    }

    void slowDown(long nanos) {
        slowNanos = nanos;
    }

    /** Replaces its memory: by an empty one, or one from elsewhere. */
    void replace(MemoryNode newMemory, PersistentImage newImage) {
        memory = newMemory;
        image = newImage;
        doubted = false;
    }

    // ---- control calls, which are no verbs

    /** Takes a round trip for a control call of a strand; a caller outside of strands takes none. */
    void roundTrip(Machine from) {
        travelThere(from);
        travelBack();
    }

    /** Takes half a round trip; fails if the node is down or cut off. */
    void travelThere(Machine from) {
        boolean inStrand = simulation.current() != null;
        if (inStrand)
            simulation.sleep(costs.network().oneWayNanos()
                    + 2 * costs.nic().passageNanos()
                    + costs.node().handlerNanos());
        if (!down && !(inStrand && fabric.partition().isCut(from, number))) return;
        if (inStrand) simulation.sleep(costs.timeouts().deadlineNanos());
        throw new FabricException(Reason.TIMED_OUT, Effect.UNKNOWN, "the memory node does not answer: node=" + number);
    }

    void travelBack() {
        if (simulation.current() != null)
            simulation.sleep(costs.network().oneWayNanos() + 2 * costs.nic().passageNanos());
    }

    /** Makes writes of a control call persistent. */
    void persist(NodeRegion region, long offset, long length) {
        if (image == null) return;
        long last = (offset + length - 1) >> DirtyLines.LINE_SHIFT;
        for (long line = offset >> DirtyLines.LINE_SHIFT; line <= last; line++) image.persist(region, line);
    }
}
