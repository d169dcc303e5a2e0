package tidepool.sim;

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
import tidepool.fabric.OrderTable;
import tidepool.fabric.Refusal;
import tidepool.fabric.Session;
import tidepool.memory.Handlers;
import tidepool.memory.MemoryNode;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.RegionStore;
import tidepool.memory.SessionLiveness;

/**
 * The fabric {@code sim:SEED?nodes=3&profile=cx5&adversary=on}: a pool in a {@link Simulation}. Verbs take virtual time
 * by the cost profile, and the adversary does to them what the contract does not forbid.
 */
public final class SimFabric extends Fabric {
    private static final int CONTROL_SESSION = (1 << Session.NUMBER_BITS) - 1;

    /** The fabric with all nodes; this one, unless it shows only some of them. */
    private final SimFabric whole;

    private final long believedNanos;

    /** The epoch of the roster whose members this view shows; 0 without a roster. */
    private final long epoch;

    private final Simulation simulation;
    private final CostProfile costs;
    private final Adversary adversary;
    private final Handlers handlers;
    private final Timing timing;
    private final Randomness random;
    private final Ids ids;
    private final Arena arena;
    private final SimNode[] nodes;
    private final NetworkPartition partition;
    private final Map<Integer, SimSession> sessions;
    private VerbListener listener;
    private VerbInFlight freeFlights;
    private int nextLinkId;
    private long nextStamp = 1;
    private int crashesLeft;
    private boolean closed;

    /** Creates a pool of profile {@code cx5} without faults. */
    public SimFabric(Simulation simulation, int nodes) {
        this(simulation, nodes, CostProfile.CX5, Adversary.NONE);
    }

    public SimFabric(Simulation simulation, int nodes, CostProfile costs, Adversary adversary) {
        this(simulation, nodes, costs, adversary, new Handlers());
    }

    public SimFabric(Simulation simulation, int nodes, CostProfile costs, Adversary adversary, Handlers handlers) {
        this.whole = this;
        this.believedNanos = 0;
        this.epoch = 0;
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
        this.crashesLeft = adversary.crashes().maxCrashes();
        this.partition = new NetworkPartition(simulation, nodes, costs.network().oneWayNanos());
        simulation.join(this, adversary.order());
        this.nodes = new SimNode[nodes];
        for (int i = 0; i < nodes; i++) {
            MemoryNode memory = newMemory(i);
            this.nodes[i] = new SimNode(this, i, memory, newImage(memory));
        }
    }

    private SimFabric(SimFabric whole, int[] shown, long believedNanos, long epoch) {
        this.whole = whole;
        this.believedNanos = believedNanos;
        this.epoch = epoch;
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

    /** Returns a view of this pool that shows only these nodes, in this order: the members of a roster. */
    public SimFabric showing(int... shown) {
        return new SimFabric(whole, shown, 0, 0);
    }

    /**
     * Returns a view of this pool that shows only these nodes. A node whose epoch is newer than the roster refuses its
     * sessions, as {@code tcp:} does.
     *
     * @param believedNanos how long sessions trust a node that was removed
     * @param epoch of the roster that has these nodes as members
     */
    public SimFabric showing(long believedNanos, long epoch, int[] shown) {
        return new SimFabric(whole, shown, believedNanos, epoch);
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
    public OrderTable orders() {
        return OrderTable.RDMA;
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
        refuseIfOutdated(nodes[0]);
        int number = nextSession();
        while (sessions.containsKey(number)) number = nextSession(); // given by an earlier first node
        SimSession session = new SimSession(this, number, machine);
        sessions.put(session.number(), session);
        return session;
    }

    /** Refuses a session that knows an older roster than the node. */
    void refuseIfOutdated(SimNode node) {
        if (epoch > 0 && epoch < node.memory().epoch())
            throw FabricException.refused(
                    Refusal.EPOCH, "the client knows an older roster: node=" + node.number() + " epoch=" + epoch);
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

    /** Returns true once the session's machine has been silent for a lease: it is dead, or was paused that long. */
    @Override
    public boolean isDead(int session) {
        SimSession known = sessions.get(session);
        return known != null && known.machine.seemsDead(costs.timeouts().leaseNanos());
    }

    @Override
    public void close() {
        if (closed) return;
        closed = true;
        for (SimSession session : sessions.values()) if (whole == this || session.simFabric == this) session.close();
        if (whole == this) arena.close();
    }

    // ---- for tests

    /** Sets the listener that is called for every verb; there is one at a time, null for none. */
    public void listen(VerbListener verbListener) {
        listener = verbListener;
    }

    /** Returns the memory of a node as it is at this moment, for a test that reads it without a verb. */
    public MemoryNode memory(int node) {
        return nodes[node].memory();
    }

    /** Stops the node: nothing arrives, nothing is answered, its memory stays. */
    public void crashNode(int node) {
        nodes[node].crash();
    }

    /**
     * Stops the node, which loses any subset of the data that was not flushed. Needs {@link Adversary#withPersistence}.
     */
    public void failPower(int node) {
        nodes[node].failPower();
    }

    /** The lines that survive a loss of power although they were not flushed. */
    public interface Surviving {
        /** Returns whether the line at this offset of its region survives. */
        boolean survives(int region, long offset);
    }

    /** Stops the node by a loss of power; the test decides which of the lines that were not flushed survive. */
    public void failPower(int node, Surviving surviving) {
        nodes[node].failPower(surviving);
    }

    /** The data that a node has on its disk at some moment. */
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
     * Stops the node, which then has saved data of its disk: less than it has acknowledged.
     *
     * @param noticed whether the node can tell by its own files
     */
    public void bringBack(int node, Saved saved, boolean noticed) {
        nodes[node].bringBack(saved.regions);
        if (noticed) nodes[node].doubt(true);
    }

    /** Returns how often a node was marked as one that holds less than it has acknowledged. */
    public int timesDoubted(int node) {
        return nodes[node].timesDoubted();
    }

    /** Returns a word as the node would have it if the power failed now and only flushed data survived. */
    public long persistentWord(int node, int region, long offset) {
        return nodes[node].image().word(region, offset);
    }

    /** Restarts a stopped node: it answers again. Links have to be connected anew. */
    public void restartNode(int node) {
        nodes[node].restart();
    }

    /** Restarts a node with empty memory: its data is lost for good. */
    public void restartEmpty(int node) {
        nodes[node].crash();
        MemoryNode memory = newMemory(node);
        nodes[node].replace(memory, newImage(memory));
        nodes[node].restart();
    }

    public boolean isDown(int node) {
        return nodes[node].isDown();
    }

    /** Cuts the machine from the node until {@link #heal}; verbs under way wait and land then. */
    public void cut(Machine machine, int node) {
        partition.cut(machine, node, true, true);
    }

    /** Cuts one way: verbs arrive and take effect, but no answer comes back. */
    public void cutAnswers(Machine machine, int node) {
        partition.cut(machine, node, false, true);
    }

    /** Cuts one way: answers to verbs that arrived come back, but no verb arrives. */
    public void cutRequests(Machine machine, int node) {
        partition.cut(machine, node, true, false);
    }

    public void heal(Machine machine, int node) {
        partition.heal(machine, node);
    }

    /** Delays every verb at this node by {@code nanos} from now on; 0 ends that. */
    public void slowDown(int node, long nanos) {
        nodes[node].slowDown(nanos);
    }

    /** Gives verbs to this region the costs of DRAM. They do not wait for the other memory of the node. */
    public void keepInDram(int node, int region) {
        nodes[node].keepInDram(region);
    }

    /** Breaks a connection now, as if the wire were cut: verbs under way continue, their answers do not come. */
    public void breakLink(Link link) {
        simulation.coverage(CoveragePoint.CONNECTION_BROKEN);
        SimLink broken = (SimLink) link;
        broken.simLane.breakDown(broken.connection, Reason.DISCONNECTED);
    }

    /** Delays the next verb posted on this link by {@code nanos}, and all verbs that must not pass it. */
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

    NetworkPartition partition() {
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

    VerbInFlight takeFlight() {
        if (whole != this) return whole.takeFlight();
        VerbInFlight flight = freeFlights;
        if (flight == null) return new VerbInFlight(this, simulation);
        freeFlights = flight.nextFree;
        flight.nextFree = null;
        flight.free = false;
        return flight;
    }

    /** Returns a flight to the pool when it is no longer referenced. */
    void releaseIfOver(VerbInFlight flight) {
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
