package tidepool.fabric.sim;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Checks;
import tidepool.base.Randomness;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.VerbKind;
import tidepool.memory.Access;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeRegion;

/**
 * The memory side: what happens to a verb from its arrival until its answer leaves. Access is checked when it takes
 * effect, never before: the region may be freed, the session revoked while it is on its way.
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

    final Pipe incoming = new Pipe();
    final Pipe outgoing = new Pipe();
    final Pipe engine = new Pipe();
    final Pipe atomics = new Pipe();
    final Pipe pcieIn = new Pipe();
    final Pipe pcieOut = new Pipe();
    final Pipe reads = new Pipe();
    final Pipe writes = new Pipe();
    final Pipe cpu = new Pipe();
    final LineBuffer gathered;
    private long fastRegions; // a bit for each region of low number that lies in DRAM

    /** What it does by itself. */
    final NodeWork work;

    private boolean down;

    /** Added to every verb: a node that is ill but not dead. */
    private long slowNanos;

    /** Counts restarts: connections of an earlier life are unknown here. */
    private int life;

    private long powerLosses;

    /** Whether it may hold less than it has acknowledged; outlasts a loss of power. */
    private boolean doubted;

    private int timesDoubted;

    /** READs that took effect in part; a write into their range is worth counting. */
    private final List<Flight> tornReads = new ArrayList<>();

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

    /** Whether a verb goes to a region that lies in DRAM, whatever the other memory of this node is. */
    boolean isFast(Flight flight) {
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

    // ---- the way of a verb

    /** Its first byte is here. */
    void arrive(Flight flight) {
        if (isUnknown(flight)) {
            simulation.reached(Reach.ARRIVED_AT_DEAD_NODE);
            drop(flight);
            return;
        }
        if (fabric.partition().stopsRequest(flight)) return;
        if (careful && isLostUnderWay(flight)) {
            drop(flight);
            return;
        }
        long effectNanos = timing.effectNanos(flight, this, simulation.eventNanos()) + slowNanos;
        if (effectNanos > simulation.eventNanos()) flight.at(effectNanos, Flight.EFFECT);
        else takeEffect(flight);
    }

    /** It begins to take effect, if it may. */
    void takeEffect(Flight flight) {
        Connection connection = flight.connection;
        if (isUnknown(flight) || connection.dependsOnDropped(flight)) {
            drop(flight);
            return;
        }
        if (connection.passesOthers(flight)) {
            if (!connection.mayTakeEffect(flight)) {
                flight.waitsForOrder = true;
                simulation.reached(Reach.ORDER_KEPT_BY_WAITING);
                return;
            }
        }
        if (connection.brokenAtNode) {
            flight.notDone = true;
            answerRefusal(flight);
            return;
        }
        int access = connection.access();
        if (access != Access.GRANTED) simulation.reached(Reach.REVOKED_VERB_DROPPED);
        if (access == Access.GRANTED) access = begin(flight);
        if (access != Access.GRANTED) refuse(flight, access);
    }

    private int begin(Flight flight) {
        switch (flight.kind) {
            case FLUSH -> {
                if (image != null) image.flush(flight.link.dirty);
                applied(flight);
                return Access.GRANTED;
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

    private int beginWords(Flight flight) {
        int access = flight.region.access(flight.connection, flight.offset, flight.length);
        if (access != Access.GRANTED) return access;
        if (flight.isAtomic()) {
            Effects.applyAtomic(flight);
            written(flight, flight.offset, Words.BYTES);
            applied(flight);
            return Access.GRANTED;
        }
        if (careful && flight.wordCount > 1 && random.chance(order.tear(), Adversary.MILLION)) tear(flight);
        applyPart(flight, 0);
        return Access.GRANTED;
    }

    // ---- words

    private void tear(Flight flight) {
        flight.tearSeed = random.nextLong();
        flight.parts = flight.wordCount > 2 && random.nextBoolean() ? 3 : 2;
        flight.partsLeft = flight.parts;
        boolean write = flight.kind == VerbKind.WRITE;
        simulation.reached(write ? Reach.TORN_WRITE : Reach.TORN_READ);
        underWay(flight, 1);
        if (!write) tornReads.add(flight);
        long at = simulation.eventNanos();
        for (int part = 1; part < flight.parts; part++) {
            at += random.nextLong(order.tearNanos() + 1);
            flight.at(at, Flight.PART + part);
        }
    }

    /** Some of its words, or all of them. */
    void applyPart(Flight flight, int part) {
        if (part > 0) {
            if (!flight.begun) return; // the part before this one was cut off
            if (isUnknown(flight) || isCutShort(flight)) {
                cutOff(flight);
                return;
            }
        }
        flight.begun = true;
        if (flight.parts == 1) Effects.moveAll(flight);
        else Effects.movePart(flight, part);
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

    /** Memory has changed: persistence and torn READs want to know. */
    private void written(Flight flight, long offset, long length) {
        if (!tornReads.isEmpty()) {
            for (int i = 0; i < tornReads.size(); i++) { // no iterator: writes are hot
                Flight read = tornReads.get(i);
                boolean overlaps = read.offset < offset + length && offset < read.offset + read.length;
                if (overlaps && read.region.opened == flight.region.opened)
                    simulation.reached(Reach.TORN_READ_OVERLAPPED_WRITE);
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
            simulation.reached(Reach.LINE_EVICTED);
        }
    }

    // ---- how it ends

    void applied(Flight flight) {
        flight.applied = true;
        simulation.note(Trace.APPLIED, flight.link.id, flight.where(), flight.value());
        Connection connection = flight.connection;
        if (connection.passesOthers(flight)) simulation.reached(Reach.REORDERED_PAIR);
        connection.removeUnapplied(flight);
        if (flight.tracker == null || (flight.strand != null && flight.strand.strand.isAbandoned()))
            simulation.reached(Reach.LATE_LANDING);
        if (fabric.listener() != null) fabric.listener().onApplied(flight);
        answer(flight, timing.completionNanos(flight, this, simulation.eventNanos()));
        flight.crashIfPlanned();
        if (careful) mayCrash();
    }

    private void refuse(Flight flight, int access) {
        simulation.reached(Reach.REFUSED);
        flight.access = access;
        flight.connection.brokenAtNode = true;
        answerRefusal(flight);
    }

    private void answerRefusal(Flight flight) {
        simulation.note(Trace.REFUSED, flight.link.id, flight.where(), flight.access);
        flight.connection.removeUnapplied(flight);
        flight.at(timing.refusalNanos(flight, this, simulation.eventNanos()), Flight.COMPLETE);
        flight.crashIfPlanned();
    }

    private void answer(Flight flight, long completionNanos) {
        if (careful) {
            if (random.chance(losses.loseCompletion(), Adversary.MILLION)) {
                simulation.reached(Reach.COMPLETION_LOST);
                return;
            }
            if (random.chance(order.delayCompletion(), Adversary.MILLION))
                completionNanos += random.nextLong(order.reorderNanos() + 1);
            if (random.chance(losses.duplicateCompletion(), Adversary.MILLION)) {
                simulation.reached(Reach.COMPLETION_DUPLICATED);
                flight.at(completionNanos + random.nextLong(order.reorderNanos() + 1), Flight.DUPLICATE);
            }
        }
        flight.at(completionNanos, Flight.COMPLETE);
    }

    /** It never takes effect, and nobody is told. */
    private void drop(Flight flight) {
        simulation.note(Trace.DROPPED, flight.link.id, flight.where(), flight.number);
        flight.connection.noteDropped(flight);
        flight.connection.removeUnapplied(flight);
        flight.crashIfPlanned();
    }

    /** It had begun, and what is left of it never comes. */
    void cutOff(Flight flight) {
        flight.begun = false;
        if (flight.kind == VerbKind.WRITE) simulation.reached(Reach.PARTIAL_WRITE);
        if (flight.kind == VerbKind.READ) tornReads.remove(flight);
        underWay(flight, -1);
        drop(flight);
    }

    void underWay(Flight flight, int change) {
        flight.link.simLane.simSession.underWay[number] += change;
    }

    // ---- what may go wrong

    /** Sent to a node that is down now, or to an earlier life of it. */
    boolean isUnknown(Flight flight) {
        return down || flight.connection.nodeLife != life;
    }

    private boolean isLostUnderWay(Flight flight) {
        boolean orphaned = flight.connection.broken || (flight.strand != null && flight.strand.strand.isAbandoned());
        if (!orphaned || !random.chance(losses.drop(), Adversary.MILLION)) return false;
        simulation.reached(Reach.VERB_DROPPED);
        return true;
    }

    /** What a revoked session has begun is finished, or dropped half-way. */
    boolean isCutShort(Flight flight) {
        return careful
                && flight.connection.access() != Access.GRANTED
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

    /** The node stops: nothing arrives, nothing is answered. Its memory stays as it is. */
    void crash() {
        if (down) return;
        down = true;
        simulation.reached(Reach.NODE_CRASHED);
        simulation.note(Trace.NODE, number, life, 0);
    }

    /** The node stops and forgets what was not persistent, as the seed says. */
    void failPower() {
        losePower();
        image.failPower(random, simulation.reached());
    }

    /** The same, and a test says which of the lines that were not flushed survive. */
    void failPower(SimFabric.Surviving surviving) {
        losePower();
        image.failPower(surviving, simulation.reached());
    }

    /** The node stops, and has less on its disk than it has acknowledged. */
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
        simulation.reached(Reach.POWER_FAILED);
    }

    /** It answers again, with what its memory holds; connections have to be made anew. */
    void restart() {
        if (!down) return;
        life++;
        down = false;
        simulation.reached(Reach.NODE_RESTARTED);
        simulation.note(Trace.NODE, number, life, 1);
    }

    void slowDown(long nanos) {
        slowNanos = nanos;
    }

    /** It comes back with other memory: empty, or from somewhere else. */
    void replace(MemoryNode newMemory, PersistentImage newImage) {
        memory = newMemory;
        image = newImage;
        doubted = false;
    }

    // ---- control: asked and answered outside the verbs

    /** A strand that asks something travels there and back; others ask at once. */
    void roundTrip(Machine from) {
        travelThere(from);
        travelBack();
    }

    /** Half a round trip; fails if nobody is there. */
    void travelThere(Machine from) {
        boolean inStrand = simulation.current() != null;
        if (inStrand)
            simulation.sleep(costs.wire().oneWayNanos()
                    + 2 * costs.nic().passageNanos()
                    + costs.node().handlerNanos());
        if (!down && !(inStrand && fabric.partition().isCut(from, number))) return;
        if (inStrand) simulation.sleep(costs.patience().deadlineNanos());
        throw new FabricException(Reason.TIMED_OUT, Effect.UNKNOWN, "the memory node does not answer: node=" + number);
    }

    void travelBack() {
        if (simulation.current() != null)
            simulation.sleep(costs.wire().oneWayNanos() + 2 * costs.nic().passageNanos());
    }

    /** Control calls persist what they write. */
    void persist(NodeRegion region, long offset, long length) {
        if (image == null) return;
        long last = (offset + length - 1) >> DirtyLines.LINE_SHIFT;
        for (long line = offset >> DirtyLines.LINE_SHIFT; line <= last; line++) image.persist(region, line);
    }
}
