package tidepool.contracts;

import tidepool.fabric.Fabric;
import tidepool.fabric.Link;

/**
 * The test environment that a fabric's test provides to {@link FabricContract}: a fresh pool, a way to run several
 * clients concurrently, and the faults that it can inject. Everything that touches the fabric goes through
 * {@link #run}, because in the simulator verbs can only be posted by a strand.
 */
public abstract class FabricWorld implements AutoCloseable {
    /** Faults that some fabrics can inject; see {@link #can}. */
    public enum Fault {
        /** {@link #breakLink}. */
        BREAK_LINK,
        /** {@link #killNode}. */
        KILL_NODE,
        /** {@link #delayNext}. */
        DELAY,
        /** {@link #cutPower}. */
        CUT_POWER
    }

    protected FabricWorld() {}

    /** Returns the pool under test; it is closed with the world. */
    public abstract Fabric fabric();

    /** Runs each body in a strand or thread of its own; returns when all have ended and throws the first failure. */
    public abstract void run(Runnable... bodies);

    @Override
    public abstract void close();

    /** Whether a posted verb is under way for some time, so that deadlines pass and rounds really overlap. */
    public boolean verbsTakeTime() {
        return false;
    }

    /** Whether READs and WRITEs of several words certainly tear within {@link #litmusRounds} tries. */
    public boolean tearsForCertain() {
        return false;
    }

    /**
     * Whether strands certainly overlap within {@link #litmusRounds} tries; threads depend on the load of the machine.
     */
    public boolean overlapsForCertain() {
        return false;
    }

    /**
     * Returns the number of rounds that a litmus test posts: enough to see overlaps, few enough to take a fraction of a
     * second.
     */
    public int litmusRounds() {
        return 100_000;
    }

    /**
     * Returns the bytes that the calling strand or thread has allocated so far, or -1 where the fabric promises nothing
     * about allocation.
     */
    public long allocatedBytes() {
        return -1;
    }

    /** Whether the length of a CALL is limited by memory only; otherwise 3 MiB are too many. */
    public boolean callsHaveNoLimit() {
        return true;
    }

    /** Whether the fault can be injected here; tests that need it are skipped otherwise. */
    public boolean can(Fault fault) {
        return false;
    }

    /** Cuts the connection. Verbs under way on it are done, not done or unknown. */
    public void breakLink(Link link) {
        throw new UnsupportedOperationException("breakLink");
    }

    /** Stops a memory node for good. */
    public void killNode(int node) {
        throw new UnsupportedOperationException("killNode");
    }

    /**
     * Returns by which factor a delay has to be longer than in the simulator, so that it is not mistaken for a pause of
     * the machine.
     */
    public long delayFactor() {
        return 1;
    }

    /** Delays the answer of the next round posted on the link by this time. */
    public void delayNext(Link link, long nanos) {
        throw new UnsupportedOperationException("delayNext");
    }

    /** Cuts the node's power; it comes back with what was persistent. */
    public void cutPower(int node) {
        throw new UnsupportedOperationException("cutPower");
    }

    /**
     * Records how often a litmus test saw the overlap that it is about; a test that never saw one has shown nothing.
     */
    public void note(String test, long interesting, long looks) {
        System.out.printf("litmus %-5s %-55s %,9d of %,11d looks%n", fabric().name(), test, interesting, looks);
    }
}
