package tidepool.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.BooleanSupplier;
import tidepool.base.Checks;
import tidepool.base.Clock;
import tidepool.base.Coroutine;
import tidepool.base.Randomness;
import tidepool.base.Scheduler;
import tidepool.base.Strand;
import tidepool.sim.CrashPoint.When;

/**
 * A scheduler in virtual time. Exactly one strand runs at a time; which one, and when, follows from the seed alone.
 *
 * <p><b>Time.</b> Events happen in the order of their times, equal times in the order of scheduling. A running strand
 * uses CPU of its core: {@link #work}, posting and polling charge it, the wall clock never does. While it runs, its own
 * time is a little ahead of the simulation. After a microsecond of lead it waits until the simulation has caught up.
 *
 * <p><b>Failure.</b> An exception of a strand ends the run and is thrown by {@link #run} with the seed in front. If
 * strands wait and no event is left, that is a deadlock: an error that names them.
 */
public final class Simulation extends Scheduler implements AutoCloseable {
    /** How far a strand's own time may run ahead of the simulation before it waits. */
    private static final long LEAD_NANOS = 1_000;

    /** Charged when a strand gives way: otherwise a loop of that would stop the time. */
    private static final long GIVE_WAY_NANOS = 10;

    private final long seed;
    private final Randomness randomness;
    private final Randomness choices;
    private final Bursts bursts;
    private final EventQueue queue = new EventQueue();
    private Event[] slots = new Event[256];
    private int slotCount;
    private final CoreQueue soon = new CoreQueue();
    private final Map<String, Machine> machines = new LinkedHashMap<>();
    private final List<SimStrand> strands = new ArrayList<>();
    private final Map<String, CrashPoint> crashPoints = new LinkedHashMap<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final List<PlannedEvent> idlePlans = new ArrayList<>();
    private final Trace trace = new Trace();
    private final Coverage coverage = new Coverage();
    private final Clock clock = this::nowNanos;

    private long eventNanos;
    private SimStrand running;
    private long chargedNanos;
    private boolean standsBack;
    private int alive;
    private Machine startOn;
    private boolean shufflesStrands;
    private SimFabric fabric;

    public Simulation(long seed) {
        this(seed, Coroutine.Kind.preferred());
    }

    /** Creates a simulation with a given kind of strand; the trace is equal for both kinds. */
    public Simulation(long seed, Coroutine.Kind kind) {
        super(kind);
        this.seed = seed;
        this.randomness = new Randomness(seed);
        this.choices = randomness.fork("choices");
        this.bursts = new Bursts(this, randomness.fork("bursts"));
    }

    public long seed() {
        return seed;
    }

    /** Returns a stream of random numbers for a named part of the test. */
    public Randomness randomness(String part) {
        return randomness.fork(part);
    }

    // ---- machines and strands

    /** Returns the machine of a name; creates it if there is none yet. */
    public Machine machine(String name, int cores) {
        Machine known = machines.get(name);
        if (known != null) {
            Checks.argument(known.cores() == cores, "machine " + name + " has " + known.cores() + " cores");
            return known;
        }
        Machine machine = new Machine(this, machines.size(), name, cores);
        machines.put(name, machine);
        return machine;
    }

    /** Starts a strand on a machine. {@link Scheduler#start} uses the machine of the calling strand, or "main". */
    public Strand start(Machine machine, String name, Runnable body) {
        Checks.argument(!machine.isDead(), "the machine is dead: " + machine.name());
        startOn = machine;
        try {
            return start(name, body);
        } finally {
            startOn = null;
        }
    }

    /** Returns the last strand of a name; null if there is none. */
    public Strand strand(String name) {
        SimStrand found = find(name);
        return found == null ? null : found.strand;
    }

    /**
     * Plans the death of a strand, started already or not yet, at its n-th verb, counted from 0: before the verb is
     * sent, or when it took effect. Its machine lives on.
     */
    public void crashStrand(String name, long verbIndex, When when) {
        crash(name, CrashPoint.at(verbIndex, when).ofStrand());
    }

    /** Plans the death of a strand at its n-th verb, counted from 0, and of its whole machine with it. */
    public void crashMachineOf(String strandName, long verbIndex, When when) {
        crash(strandName, CrashPoint.at(verbIndex, when));
    }

    /** Plans the death of a strand, started already or not yet, at a point. */
    public void crash(String strandName, CrashPoint point) {
        SimStrand started = find(strandName);
        if (started != null && !started.strand.isDone()) started.crashPoint = point;
        else crashPoints.put(strandName, point);
    }

    /** Returns the verb at which the last strand of a name reached its planned crash point; null if it did not. */
    public CrashPlace crashPlace(String strandName) {
        SimStrand found = find(strandName);
        return found == null ? null : found.crashPlace;
    }

    // ---- running

    /** Runs until all strands have ended. Verbs under way stay so: {@link #settle} lets them land. */
    public void run() {
        loop(() -> steps(Long.MAX_VALUE, () -> alive == 0, true));
        throwFailures();
    }

    /** Runs until this time, or until a strand fails. */
    public void runUntil(long nanos) {
        loop(() -> steps(nanos, () -> false, false));
        if (failures.isEmpty()) eventNanos = Math.max(eventNanos, nanos);
        throwFailures();
    }

    /** Runs until no event is left: strands have ended or wait for ever, every verb has landed or was dropped. */
    public void settle() {
        loop(() -> steps(Long.MAX_VALUE, () -> false, false));
        throwFailures();
    }

    /** For callers outside any strand: runs until the condition holds or no event is left. */
    void pump(BooleanSupplier until) {
        loop(() -> steps(Long.MAX_VALUE, until, false));
        throwFailures();
    }

    /** Crashes every strand that has not ended, so that none of their threads remains. */
    @Override
    public void close() {
        for (SimStrand strand : strands) strand.strand.abandon();
        if (fabric != null) fabric.close();
    }

    private void steps(long untilNanos, BooleanSupplier enough, boolean deadlockIsAnError) {
        while (failures.isEmpty()) {
            Core core = soon.take();
            if (core != null) {
                core.turn();
                continue;
            }
            if (enough.getAsBoolean()) return;
            long wakeNanos = nextWakeNanos();
            long nextNanos = queue.nextNanos();
            if (bursts.endsBefore(Math.min(wakeNanos, nextNanos))) {
                bursts.end();
                continue;
            }
            if (wakeNanos <= nextNanos) {
                if (wakeNanos == Long.MAX_VALUE) {
                    if (deadlockIsAnError) throw deadlock();
                    return;
                }
                if (wakeNanos > untilNanos) return;
                eventNanos = Math.max(eventNanos, wakeNanos);
                wakeSleepers(eventNanos);
            } else {
                if (nextNanos > untilNanos) return;
                eventNanos = Math.max(eventNanos, nextNanos);
                happen(queue.take());
            }
        }
    }

    private void happen(long taken) {
        try {
            slots[EventQueue.slotOf(taken)].happen(EventQueue.tagOf(taken));
        } catch (RuntimeException | Error thrown) { // of a handler, a listener or an invariant: reported with the seed
            failures.add(thrown);
        }
    }

    // ---- time

    /** Returns the virtual time; within a strand, including the CPU it has used in this turn. */
    public long nowNanos() {
        return eventNanos + chargedNanos;
    }

    @Override
    public Clock clock() {
        return clock;
    }

    /** Lets the current strand compute for a duration: its core is busy, the strands of other cores continue. */
    public static void work(long nanos) {
        Strand strand = Strand.current();
        if (strand != null && strand.scheduler() instanceof Simulation simulation) simulation.charge(nanos);
    }

    /** Plans an action at a time, between the turns of strands: a fault, a measurement. */
    public void at(long nanos, Runnable what) {
        PlannedEvent planned = idlePlans.isEmpty() ? new PlannedEvent(this) : idlePlans.removeLast();
        planned.plan(Math.max(nanos, nowNanos()), what);
    }

    void happened(PlannedEvent planned) {
        idlePlans.add(planned);
    }

    private void charge(long nanos) {
        chargedNanos += nanos;
        if (chargedNanos < LEAD_NANOS) return;
        standsBack = true;
        Strand.giveWay();
    }

    /** Charges CPU without ever waiting: for posting. */
    void chargeQuietly(long nanos) {
        chargedNanos += nanos;
    }

    // ---- results

    public Trace trace() {
        return trace;
    }

    /** Returns the hash of all events so far; equal seeds give equal hashes. */
    public long traceHash() {
        return trace.hash();
    }

    public Coverage coverage() {
        return coverage;
    }

    // ---- for events

    int slotFor(Event event) {
        if (slotCount == slots.length) slots = Arrays.copyOf(slots, 2 * slotCount);
        Checks.invariant(slotCount < EventQueue.SLOTS, "events have slots", slotCount);
        slots[slotCount] = event;
        return slotCount++;
    }

    void schedule(Event event, long atNanos, int tag) {
        queue.add(atNanos, event.slot, tag);
    }

    long eventNanos() {
        return eventNanos;
    }

    void runSoon(Core core) {
        soon.add(core);
    }

    boolean shufflesStrands() {
        return shufflesStrands;
    }

    Bursts bursts() {
        return bursts;
    }

    int choose(int count) {
        return choices.nextInt(count);
    }

    void note(int kind, long who, long where, long value) {
        trace.note(eventNanos, kind, who, where, value);
    }

    void note(int kind, VerbInFlight verb, long value) {
        trace.note(eventNanos, kind, verb.link.id, verb.where(), value, verb.label);
    }

    void coverage(CoveragePoint what) {
        coverage.add(what);
    }

    /** Called when an event found a failure; the run ends. */
    void fail(Throwable failure) {
        failures.add(failure);
    }

    /** Sets the fabric. A simulation has one; it is told when machines die. */
    void join(SimFabric joining, Adversary.Order order) {
        Checks.invariant(fabric == null, "a simulation has one fabric");
        fabric = joining;
        shufflesStrands = order.shuffle();
        bursts.draw(order.bursts());
    }

    // ---- for cores

    /** Runs a strand until it waits. Returns the CPU it used. */
    long runTurn(SimStrand strand) {
        note(Trace.RUNS, strand.strand.id(), 0, 0);
        running = strand;
        chargedNanos = 0;
        bursts.begin(strand);
        resume(strand.strand);
        long usedNanos = chargedNanos;
        chargedNanos = 0;
        running = null;
        bursts.stepped(strand);
        return usedNanos;
    }

    @Override
    protected void ready(Strand strand) {
        SimStrand info = strands.get(strand.id());
        if (info == running) { // gives way, or waits until the simulation has caught up with it
            if (standsBack) {
                standsBack = false;
                info.core.continueWith(info);
                return;
            }
            chargedNanos += GIVE_WAY_NANOS;
        }
        info.core.enqueue(info);
    }

    @Override
    protected void starting(Strand strand) {
        Machine machine = startOn != null ? startOn : running != null ? running.machine() : machine("main", 1);
        SimStrand info = new SimStrand(strand, machine.nextCore());
        Checks.invariant(strand.id() == strands.size(), "strands are numbered in the order of starting", strand.id());
        strands.add(info);
        machine.strands.add(info);
        info.crashPoint = crashPoints.remove(strand.name());
        alive++;
        note(Trace.STARTED, strand.id(), 0, 0);
    }

    @Override
    protected void ended(Strand strand) {
        alive--;
        bursts.ended(strands.get(strand.id()));
        note(strand.isAbandoned() ? Trace.CRASHED : Trace.ENDED, strand.id(), 0, 0);
    }

    @Override
    protected void failed(Strand strand, Throwable thrown) {
        failures.add(
                new SimulationException(seed, nowNanos(), "strand " + strand.name() + " failed: " + thrown, thrown));
    }

    // ---- for the fabric

    /** Returns the calling strand; null outside. Throws for a crashed strand that is unwinding. */
    SimStrand current() {
        Strand strand = Strand.current();
        if (strand == null || strand.scheduler() != this) return null;
        if (strand.isDone()) Strand.park(); // throws: a crashed strand changes nothing any more
        return strands.get(strand.id());
    }

    /** Returns the machine of the running strand; "main" outside of all strands. */
    public Machine currentMachine() {
        SimStrand strand = current();
        return strand != null ? strand.machine() : machine("main", 1);
    }

    void machineDied(Machine machine) {
        coverage(CoveragePoint.MACHINE_CRASHED);
        if (fabric != null) fabric.machineDied(machine);
        SimStrand itself = null;
        for (SimStrand strand : machine.strands) {
            if (strand == running) itself = strand;
            else strand.strand.abandon();
        }
        if (itself != null) itself.strand.abandon(); // does not return
    }

    void crash(SimStrand strand) {
        coverage(CoveragePoint.STRAND_CRASHED);
        strand.strand.abandon();
    }

    private SimStrand find(String name) {
        for (int i = strands.size() - 1; i >= 0; i--)
            if (strands.get(i).strand.name().equals(name)) return strands.get(i);
        return null;
    }

    private SimulationException deadlock() {
        StringJoiner waiting = new StringJoiner("; ");
        for (SimStrand strand : strands) if (!strand.strand.isDone()) waiting.add(strand.state());
        return new SimulationException(seed, eventNanos, "deadlock, nothing is left to happen: " + waiting, null);
    }

    private void throwFailures() {
        if (failures.isEmpty()) return;
        Throwable first = failures.getFirst();
        SimulationException thrown = first instanceof SimulationException already
                ? already
                : new SimulationException(seed, eventNanos, first.toString(), first);
        for (Throwable other : failures.subList(1, failures.size())) thrown.addSuppressed(other);
        throw thrown;
    }
}
