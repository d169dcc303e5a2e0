package tidepool.fabric.sim;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tidepool.base.Id128;
import tidepool.base.Ids;
import tidepool.base.Randomness;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Orders;
import tidepool.fabric.Session;
import tidepool.memory.Handlers;
import tidepool.memory.MemoryNode;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.RegionStore;
import tidepool.memory.SessionLiveness;

/**
 * {@code sim:SEED?nodes=3&profile=cx5&adversary=on}: a pool in a {@link Simulation}. Verbs take virtual time by the cost
 * profile, and the adversary does to them what the contract does not forbid.
 */
public final class SimFabric extends Fabric {
    private static final int CONTROL_SESSION = (1 << Session.NUMBER_BITS) - 1;

    /** The fabric with all nodes; this one, unless it shows only some of them. */
    private final SimFabric whole;

    private final long believedNanos;
    private final Simulation simulation;
    private final CostProfile costs;
    private final Adversary adversary;
    private final Handlers handlers;
    private final Timing timing;
    private final Randomness random;
    private final Ids ids;
    private final Arena arena;
    private final SimNode[] nodes;
    private final Partition partition;
    private final Map<Integer, SimSession> sessions;
    private VerbListener listener;
    private Flight freeFlights;
    private int nextLinkId;
    private long nextStamp = 1;
    private int crashesLeft;
    private boolean closed;

    /** Profile {@code cx5}, no faults. */
    public SimFabric(Simulation simulation, int nodes) {
        this(simulation, nodes, CostProfile.CX5, Adversary.NONE);
    }

    public SimFabric(Simulation simulation, int nodes, CostProfile costs, Adversary adversary) {
        this(simulation, nodes, costs, adversary, new Handlers());
    }

    public SimFabric(Simulation simulation, int nodes, CostProfile costs, Adversary adversary, Handlers handlers) {
        this.whole = this;
        this.believedNanos = 0;
        this.arena = Arena.ofShared();
        this.sessions = new TreeMap<>();
        this.simulation = simulation;
        this.costs = costs;
        this.adversary = adversary;
        this.handlers = handlers;
        this.timing = new Timing(costs);
        this.random = simulation.randomness("adversary");
        Randomness capabilities = simulation.randomness("capabilities");
        this.ids = () -> new Id128(capabilities.nextLong(), capabilities.nextLong());
        this.crashesLeft = adversary.crashes().most();
        this.partition = new Partition(simulation, nodes, costs.wire().oneWayNanos());
        simulation.join(this, adversary.order());
        this.nodes = new SimNode[nodes];
        for (int i = 0; i < nodes; i++) {
            MemoryNode memory = newMemory(i);
            this.nodes[i] = new SimNode(this, i, memory, newImage(memory));
        }
    }

    private SimFabric(SimFabric whole, int[] shown, long believedNanos) {
        this.whole = whole;
        this.believedNanos = believedNanos;
        this.arena = whole.arena;
        this.sessions = whole.sessions;
        this.simulation = whole.simulation;
        this.costs = whole.costs;
        this.adversary = whole.adversary;
        this.handlers = whole.handlers;
        this.timing = whole.timing;
        this.random = whole.random;
        this.ids = whole.ids;
        this.partition = whole.partition;
        this.nodes = new SimNode[shown.length];
        for (int i = 0; i < shown.length; i++) nodes[i] = whole.nodes[shown[i]];
    }

    /** The same pool, of which only these nodes are seen, in this order: the members of a roster. */
    public SimFabric showing(int... shown) {
        return new SimFabric(whole, shown, 0);
    }

    /**
     * The same pool, of which only these nodes are seen.
     *
     * @param believedNanos how long sessions believe a node that was removed
     */
    public SimFabric showing(long believedNanos, int[] shown) {
        return new SimFabric(whole, shown, believedNanos);
    }

    @Override
    public long believedNanos() {
        return believedNanos;
    }

    public Simulation simulation() {
        return simulation;
    }

    public CostProfile costs() {
        return costs;
    }

    public Adversary adversary() {
        return adversary;
    }

    @Override
    public String name() {
        return "sim";
    }

    @Override
    public int nodes() {
        return nodes.length;
    }

    @Override
    public Orders orders() {
        return Orders.RDMA;
    }

    @Override
    public boolean persistsInOrder() {
        return adversary.persistent().inOrder();
    }

    @Override
    public Session attach() {
        refuseIfClosed();
        Machine machine = simulation.currentMachine();
        nodes[0].roundTrip(machine);
        int number = nextSession();
        while (sessions.containsKey(number)) number = nextSession(); // given by a node that came first before
        SimSession session = new SimSession(this, number, machine);
        sessions.put(session.number(), session);
        return session;
    }

    private int nextSession() {
        try {
            return nodes[0].memory().nextSession();
        } catch (MemoryNodeException e) {
            throw FabricException.unavailable(e.getMessage() + ": sim", e);
        }
    }

    @Override
    public NodeControl control(int node) {
        refuseIfClosed();
        return new SimControl(this, nodes[node]);
    }

    /** True once the session's machine has been silent for a lease: dead, or paused so long that it seems so. */
    @Override
    public boolean isDead(int session) {
        SimSession known = sessions.get(session);
        return known != null && known.machine.seemsDead(costs.patience().leaseNanos());
    }

    @Override
    public void close() {
        if (closed) return;
        closed = true;
        for (SimSession session : sessions.values()) if (whole == this || session.simFabric == this) session.close();
        if (whole == this) arena.close();
    }

    // ---- for tests

    /** Is told of every verb; one at a time, null for none. */
    public void listen(VerbListener verbListener) {
        listener = verbListener;
    }

    /** The memory of a node as it is at this moment, for a test that wants to look without a verb. */
    public MemoryNode memory(int node) {
        return nodes[node].memory();
    }

    /** The node stops: nothing arrives, nothing is answered, its memory stays. */
    public void crashNode(int node) {
        nodes[node].crash();
    }

    /** The node stops and loses any subset of what was not flushed. Needs {@link Adversary#withPersistence}. */
    public void failPower(int node) {
        nodes[node].failPower();
    }

    /** Which lines survive a loss of power although they were not flushed. */
    public interface Surviving {
        /** Whether the line at this offset of its region is kept. */
        boolean survives(int region, long offset);
    }

    /** The same, and the test says what survives. */
    public void failPower(int node, Surviving surviving) {
        nodes[node].failPower(surviving);
    }

    /** What a node has on its disk at some moment. */
    public static final class Saved {
        private final List<byte[]> regions;

        private Saved(List<byte[]> regions) {
            this.regions = regions;
        }
    }

    public Saved saved(int node) {
        return new Saved(nodes[node].image().saved());
    }

    /**
     * The node stops and has what its disk once had: less than it has acknowledged.
     *
     * @param noticed whether its own files tell
     */
    public void bringBack(int node, Saved saved, boolean noticed) {
        nodes[node].bringBack(saved.regions);
        if (noticed) nodes[node].doubt(true);
    }

    /** How often it was said of a node that it holds less than it has acknowledged. */
    public int timesDoubted(int node) {
        return nodes[node].timesDoubted();
    }

    /** A word as the node would have it if the power failed now and nothing survived that was not flushed. */
    public long persistentWord(int node, int region, long offset) {
        return nodes[node].image().word(region, offset);
    }

    /** A node that stopped answers again. Links have to be connected anew. */
    public void restartNode(int node) {
        nodes[node].restart();
    }

    /** A node comes back with nothing: its memory is lost for good. */
    public void restartEmpty(int node) {
        nodes[node].crash();
        MemoryNode memory = newMemory(node);
        nodes[node].replace(memory, newImage(memory));
        nodes[node].restart();
    }

    public boolean isDown(int node) {
        return nodes[node].isDown();
    }

    /** The machine and the node cannot reach each other until {@link #heal}; what is under way waits and lands then. */
    public void cut(Machine machine, int node) {
        partition.cut(machine, node, true, true);
    }

    /** One-way: verbs arrive and take effect, but no answer comes back. */
    public void cutAnswers(Machine machine, int node) {
        partition.cut(machine, node, false, true);
    }

    /** One-way: answers to what arrived come back, but no verb arrives. */
    public void cutRequests(Machine machine, int node) {
        partition.cut(machine, node, true, false);
    }

    public void heal(Machine machine, int node) {
        partition.heal(machine, node);
    }

    /** Every verb takes so much longer at this node from now on; 0 makes it well again. */
    public void slowDown(int node, long nanos) {
        nodes[node].slowDown(nanos);
    }

    /** Verbs to this region cost what DRAM costs, and do not wait for the other memory of the node. */
    public void keepInDram(int node, int region) {
        nodes[node].keepInDram(region);
    }

    /** Breaks a connection now, as if the wire had been cut: what is under way flies on, its answers do not come. */
    public void breakLink(Link link) {
        simulation.reached(Reach.CONNECTION_BROKEN);
        SimLink broken = (SimLink) link;
        broken.simLane.breakDown(broken.connection, Reason.DISCONNECTED);
    }

    /** The next verb posted on this link is so long on its way, and whatever must not pass it with it. */
    public void delayNext(Link link, long nanos) {
        ((SimLink) link).delayNextNanos = nanos;
    }

    // ---- for the parts of this package

    boolean isClosed() {
        return closed || whole.closed;
    }

    int allNodes() {
        return whole.nodes.length;
    }

    Partition partition() {
        return partition;
    }

    VerbListener listener() {
        return whole.listener;
    }

    Timing timing() {
        return timing;
    }

    Randomness random() {
        return random;
    }

    SimNode node(int number) {
        return nodes[number];
    }

    SimSession session(int number) {
        return sessions.get(number);
    }

    int nextLinkId() {
        return whole.nextLinkId++;
    }

    long nextStamp() {
        return whole.nextStamp++;
    }

    boolean spendCrash() {
        return whole.crashesLeft-- > 0;
    }

    void machineDied(Machine machine) {
        for (SimSession session : sessions.values()) {
            if (session.machine != machine) continue;
            for (Lane lane : session.allLanes()) ((SimLane) lane).machineDied();
        }
    }

    Flight takeFlight() {
        if (whole != this) return whole.takeFlight();
        Flight flight = freeFlights;
        if (flight == null) return new Flight(this, simulation);
        freeFlights = flight.nextFree;
        flight.nextFree = null;
        flight.free = false;
        return flight;
    }

    /** A flight goes back to the pool when nobody knows it any more. */
    void releaseIfOver(Flight flight) {
        if (flight.openEvents > 0 || flight.inUnapplied || flight.inUnanswered || flight.free) return;
        flight.free = true;
        flight.nextFree = whole.freeFlights;
        whole.freeFlights = flight;
    }

    private MemoryNode newMemory(int number) {
        RegionStore store = new SimStore(arena);
        MemoryNode.format(store.meta(), number);
        return new MemoryNode(number, store, ids, SessionLiveness.NEVER_DEAD, CONTROL_SESSION, handlers);
    }

    private PersistentImage newImage(MemoryNode memory) {
        if (!adversary.persistence()) return null;
        return persistsInOrder() ? new JournalImage(arena, memory) : new PersistentImage(arena, memory);
    }

    private void refuseIfClosed() {
        if (isClosed()) throw new FabricException(Reason.CLOSED, Effect.NOT_DONE, "the pool is closed: sim");
    }
}
