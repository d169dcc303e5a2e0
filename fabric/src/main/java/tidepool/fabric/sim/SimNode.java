package tidepool.fabric.sim;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Randomness;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.VerbKind;
import tidepool.memory.Access;
import tidepool.memory.Atomics;
import tidepool.memory.ChainWork;
import tidepool.memory.Handlers;
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
    private final Adversary adversary;
    private final Randomness random;
    private final boolean careful;
    private final Wire wire;
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
    private final Pipe cpu = new Pipe();

    private boolean down;

    /** Added to every verb: a node that is ill but not dead. */
    private long slowNanos;

    /** Counts restarts: connections of an earlier life are unknown here. */
    private int life;

    /** READs that took effect in part; a write into their range is worth counting. */
    private final List<Flight> tornReads = new ArrayList<>();

    SimNode(SimFabric fabric, int number, MemoryNode memory, PersistentImage image) {
        this.fabric = fabric;
        this.simulation = fabric.simulation();
        this.costs = fabric.costs();
        this.adversary = fabric.adversary();
        this.careful = adversary.touchesVerbs();
        this.wire = fabric.wire();
        this.number = number;
        this.memory = memory;
        this.image = image;
        this.random = simulation.randomness("node " + number);
    }

    int number() {
        return number;
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
        long effectNanos = wire.effectNanos(flight, this, simulation.eventNanos()) + slowNanos;
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
                return beginCall(flight);
            }
            case CHAIN -> {
                return beginChain(flight);
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
            applyAtomic(flight);
            applied(flight);
            return Access.GRANTED;
        }
        if (careful && flight.wordCount > 1 && random.chance(adversary.tear(), Adversary.MILLION)) tear(flight);
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
            at += random.nextLong(adversary.tearNanos() + 1);
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
        if (flight.parts == 1) moveAll(flight);
        else movePart(flight, part);
        if (flight.kind == VerbKind.WRITE) written(flight, flight.offset, flight.length);
        if (--flight.partsLeft > 0) return;
        if (flight.parts > 1) {
            underWay(flight, -1);
            if (flight.kind == VerbKind.READ) tornReads.remove(flight);
        }
        applied(flight);
    }

    private static void moveAll(Flight flight) {
        MemorySegment data = flight.region.opened.data();
        int count = flight.wordCount;
        long at = flight.offset;
        boolean write = flight.kind == VerbKind.WRITE;
        if (count > 8) {
            if (write) MemorySegment.copy(flight.words, 0, data, Words.U64, at, count);
            else MemorySegment.copy(data, Words.U64, at, flight.words, 0, count);
            return;
        }
        for (int i = 0; i < count; i++, at += Words.BYTES) {
            if (write) Words.plain(data, at, flight.words[i]);
            else flight.words[i] = Words.plain(data, at);
        }
    }

    private static void movePart(Flight flight, int part) {
        MemorySegment data = flight.region.opened.data();
        boolean write = flight.kind == VerbKind.WRITE;
        for (int i = 0; i < flight.wordCount; i++) {
            if (flight.partOf(i) != part) continue;
            long at = flight.offset + (long) i * Words.BYTES;
            if (write) Words.plain(data, at, flight.words[i]);
            else flight.words[i] = Words.plain(data, at);
        }
    }

    private void applyAtomic(Flight flight) {
        MemorySegment data = flight.region.opened.data();
        long at = flight.offset;
        long found = switch (flight.kind) {
            case CAS -> Words.compareAndSwap(data, at, flight.operand, flight.desired);
            case FAA -> Words.fetchAndAdd(data, at, flight.operand);
            case MASKED_CAS ->
                Atomics.maskedCompareAndSwap(
                        data, at, flight.operand, flight.compareMask, flight.desired, flight.swapMask);
            case MASKED_FAA -> Atomics.maskedFetchAndAdd(data, at, flight.operand, flight.compareMask);
            default -> throw new IllegalStateException("not an atomic");
        };
        flight.words[0] = found;
        flight.wordCount = 1;
        written(flight, at, Words.BYTES);
    }

    /** Memory has changed: persistence and torn READs want to know. */
    private void written(Flight flight, long offset, long length) {
        for (int i = 0; i < tornReads.size(); i++) {
            Flight read = tornReads.get(i);
            if (read.region.opened == flight.region.opened
                    && read.offset < offset + length
                    && offset < read.offset + read.length) simulation.reached(Reach.TORN_READ_OVERLAPPED_WRITE);
        }
        if (image == null) return;
        flight.link.dirty.add(flight.region.number(), offset, length);
        if (adversary.evict() == 0) return;
        long last = (offset + length - 1) >> DirtyLines.LINE_SHIFT;
        for (long line = offset >> DirtyLines.LINE_SHIFT; line <= last; line++) {
            if (!random.chance(adversary.evict(), Adversary.MILLION)) continue;
            image.persist(flight.region.opened, line);
            simulation.reached(Reach.LINE_EVICTED);
        }
    }

    // ---- two-sided and chained work

    private int beginCall(Flight flight) {
        Handlers handlers = memory.handlers();
        if (!handlers.areOn() || handlers.get((int) flight.operand) == null) return Access.HANDLER;
        underWay(flight, 1);
        flight.begun = true;
        long start = cpu.begin(simulation.eventNanos(), costs.handlerNanos() * Pipe.PICOS / costs.nodeCores());
        flight.at(start + costs.handlerNanos(), Flight.HANDLER);
        return Access.GRANTED;
    }

    void runHandler(Flight flight) {
        if (isUnknown(flight) || isCutShort(flight)) {
            cutOff(flight);
            return;
        }
        MemorySegment reply = flight.reply();
        int length = memory.handlers().get((int) flight.operand).handle(memory, flight.session(), flight.request(), reply);
        flight.replyBytes = Math.min(length, flight.replyLength);
        if (image != null) flight.link.dirty.addEverything();
        underWay(flight, -1);
        applied(flight);
    }

    private int beginChain(Flight flight) {
        if (flight.region.opened == null || flight.region.connection != flight.connection) return Access.KEY;
        if (flight.chain == null) flight.chain = new ChainWork();
        int access = flight.chain.begin(memory, flight.connection, flight.region.opened, flight.offset);
        if (access != Access.GRANTED) return access;
        underWay(flight, 1);
        flight.begun = true;
        flight.at(simulation.eventNanos() + costs.chainStepNanos(), Flight.CHAIN_STEP);
        return Access.GRANTED;
    }

    void chainStep(Flight flight) {
        if (isUnknown(flight) || flight.connection.access() != Access.GRANTED) {
            simulation.reached(Reach.REVOKED_CHAIN_DROPPED);
            cutOff(flight);
            return;
        }
        if (image != null) flight.link.dirty.addEverything();
        if (flight.chain.step()) {
            long extra = careful ? random.nextLong(adversary.tearNanos() + 1) : 0;
            flight.at(simulation.eventNanos() + costs.chainStepNanos() + extra, Flight.CHAIN_STEP);
            return;
        }
        flight.chain.finish();
        underWay(flight, -1);
        applied(flight);
    }

    // ---- how it ends

    private void applied(Flight flight) {
        flight.applied = true;
        simulation.note(Trace.APPLIED, flight.link.id, flight.where(), flight.value());
        Connection connection = flight.connection;
        if (connection.passesOthers(flight)) simulation.reached(Reach.REORDERED_PAIR);
        connection.removeUnapplied(flight);
        if (flight.tracker == null || (flight.strand != null && flight.strand.strand.isAbandoned()))
            simulation.reached(Reach.LATE_LANDING);
        if (fabric.listener() != null) fabric.listener().onApplied(flight);
        answer(flight, wire.completionNanos(flight, this, simulation.eventNanos()));
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
        flight.at(wire.refusalNanos(flight, this, simulation.eventNanos()), Flight.COMPLETE);
        flight.crashIfPlanned();
    }

    private void answer(Flight flight, long completionNanos) {
        if (careful) {
            if (random.chance(adversary.loseCompletion(), Adversary.MILLION)) {
                simulation.reached(Reach.COMPLETION_LOST);
                return;
            }
            if (random.chance(adversary.delayCompletion(), Adversary.MILLION))
                completionNanos += random.nextLong(adversary.reorderNanos() + 1);
            if (random.chance(adversary.duplicateCompletion(), Adversary.MILLION)) {
                simulation.reached(Reach.COMPLETION_DUPLICATED);
                flight.at(completionNanos + random.nextLong(adversary.reorderNanos() + 1), Flight.DUPLICATE);
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
    private void cutOff(Flight flight) {
        flight.begun = false;
        if (flight.kind == VerbKind.WRITE) simulation.reached(Reach.PARTIAL_WRITE);
        if (flight.kind == VerbKind.READ) tornReads.remove(flight);
        underWay(flight, -1);
        drop(flight);
    }

    private void underWay(Flight flight, int change) {
        flight.link.simLane.simSession.underWay[number] += change;
    }

    // ---- what may go wrong

    /** Sent to a node that is down now, or to an earlier life of it. */
    private boolean isUnknown(Flight flight) {
        return down || flight.connection.nodeLife != life;
    }

    private boolean isLostUnderWay(Flight flight) {
        boolean orphaned = flight.connection.broken || (flight.strand != null && flight.strand.strand.isAbandoned());
        if (!orphaned || !random.chance(adversary.drop(), Adversary.MILLION)) return false;
        simulation.reached(Reach.VERB_DROPPED);
        return true;
    }

    /** What a revoked session has begun is finished, or dropped half-way. */
    private boolean isCutShort(Flight flight) {
        return careful
                && flight.connection.access() != Access.GRANTED
                && random.chance(adversary.cutShort(), Adversary.MILLION);
    }

    private void mayCrash() {
        if (adversary.crashNode() == 0 && adversary.powerFailure() == 0) return;
        if (random.chance(adversary.powerFailure(), Adversary.MILLION) && fabric.spendCrash()) failPower();
        else if (random.chance(adversary.crashNode(), Adversary.MILLION) && fabric.spendCrash()) crash();
        else return;
        if (adversary.restartNanos() > 0)
            simulation.at(simulation.eventNanos() + 1 + random.nextLong(adversary.restartNanos()), this::restart);
    }

    /** The node stops: nothing arrives, nothing is answered. Its memory stays as it is. */
    void crash() {
        if (down) return;
        down = true;
        simulation.reached(Reach.NODE_CRASHED);
        simulation.note(Trace.NODE, number, life, 0);
    }

    /** The node stops and forgets what was not persistent. */
    void failPower() {
        if (image == null) throw new IllegalStateException("power can fail only where persistence is told apart: Adversary.withPersistence");
        crash();
        simulation.reached(Reach.POWER_FAILED);
        image.failPower(random, simulation.reached());
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
        if (inStrand) simulation.sleep(costs.wireNanos() + 2 * costs.nicNanos() + costs.handlerNanos());
        if (!down && !(inStrand && fabric.partition().isCut(from, number))) return;
        if (inStrand) simulation.sleep(costs.deadlineNanos());
        throw new FabricException(Reason.TIMED_OUT, Effect.UNKNOWN, "the memory node does not answer: node=" + number);
    }

    void travelBack() {
        if (simulation.current() != null) simulation.sleep(costs.wireNanos() + 2 * costs.nicNanos());
    }

    /** Control calls persist what they write. */
    void persist(NodeRegion region, long offset, long length) {
        if (image == null) return;
        long last = (offset + length - 1) >> DirtyLines.LINE_SHIFT;
        for (long line = offset >> DirtyLines.LINE_SHIFT; line <= last; line++) image.persist(region, line);
    }
}
