package tidepool.spi;

import java.util.List;
import java.util.function.Consumer;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.Worker;
import tidepool.fabric.Fabric;
import tidepool.fabric.Traffic;
import tidepool.internal.PoolBridge;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.record.SplitListener;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.TableLayout;
import tidepool.store.TableUsage;
import tidepool.txn.RangeScan;
import tidepool.txn.TableHandle;

/**
 * The inside of a pool, for simulations, tools and authors of protocols: pools on a fabric or membership that is open
 * already, and what carries a pool. Unstable; see the package.
 *
 * <pre>{@code
 * try (Simulation simulation = new Simulation(7)) {
 *     SimFabric fabric = new SimFabric(simulation, 3, costs, Adversary.NONE);
 *     Tidepool pool = PoolAccess.open(fabric, options, new MyProtocol());
 * }
 * }</pre>
 */
@SuppressWarnings("exports") // its callers require the modules below
public final class PoolAccess {
    private PoolAccess() {}

    // ---- opening

    /** Opens the pool of an open fabric, which stays open. In a simulation, call it from inside a strand. */
    public static Tidepool open(Fabric fabric, PoolOptions options) {
        return open(fabric, options, Protocols.named(options.protocol()));
    }

    /** Opens the pool of an open fabric, which stays open, under the given protocol. */
    public static Tidepool open(Fabric fabric, PoolOptions options, Protocol protocol) {
        return PoolBridge.get().open(fabric, options, protocol);
    }

    /**
     * Opens a pool whose memory nodes can join and leave, as a URL does, with a membership that stays open. In a
     * simulation, call it from inside a strand.
     *
     * @param start runs the steward in parallel to the pool, such as in a strand of the simulated machine
     */
    public static Tidepool open(
            Membership membership, PoolOptions options, Protocol protocol, Steward.Pace pace, Consumer<Steward> start) {
        return PoolBridge.get().open(membership, options, protocol, pace, start);
    }

    /**
     * Opens a pool whose memory nodes can join and leave, without a steward: another process maintains them. The
     * membership stays open. In a simulation, call it from inside a strand.
     */
    public static Tidepool open(Membership membership, PoolOptions options, Protocol protocol) {
        return PoolBridge.get().open(membership, options, protocol);
    }

    // ---- parts of a pool

    /** Returns the fabric that carries a pool. */
    public static Fabric fabric(Tidepool pool) {
        return PoolBridge.get().fabric(pool);
    }

    /** Returns the bytes of each copy of a partition. */
    public static long memory(Tidepool pool) {
        return PoolBridge.get().memory(pool);
    }

    /** Does {@link Tidepool#grow}, and tells a listener how far it is. */
    public static void grow(Tidepool pool, long memory, GrowthListener listener) {
        PoolBridge.get().grow(pool, memory, listener);
    }

    /** Returns the current memory nodes of a pool, and what each holds; null if they never change. */
    public static Roster roster(Tidepool pool) {
        return PoolBridge.get().roster(pool);
    }

    /** Returns the traffic of all coordinators of this process, by kinds of verbs. */
    public static Traffic traffic(Tidepool pool) {
        return PoolBridge.get().traffic(pool);
    }

    /**
     * Returns the traffic of a worker's coordinator, including traffic from before this worker got it. A failure of the
     * fabric replaces the coordinator, and with it this object.
     */
    public static Traffic traffic(Worker worker) {
        return PoolBridge.get().traffic(worker);
    }

    /** Returns where a table of a pool lies. */
    public static TableLayout layout(TableHandle table) {
        return (TableLayout) table; // pools make no other handles
    }

    /**
     * Returns where a table and the hidden tables lie that have the parts of its long contents. Waits for the catalog.
     */
    public static List<TableLayout> layoutsWithParts(Tidepool pool, TableHandle table) {
        return PoolBridge.get().layoutsWithParts(pool, table);
    }

    /** Returns the rows of a table on fields, with their long contents. Waits for the catalog. */
    public static FieldRows fieldRows(Tidepool pool, TableHandle table) {
        return PoolBridge.get().fieldRows(pool, table);
    }

    /**
     * Counts rows, tombstones and versions in the first {@code buckets} buckets of each partition of a table, and how
     * often attributes were changed, as far as versions tell. Waits for its reads, but not for transactions, which
     * continue.
     */
    public static TableUsage usage(Tidepool pool, TableHandle table, long buckets) {
        return PoolBridge.get().usage(pool, table, buckets);
    }

    /**
     * Sets the listener that is called for each split of a bucket by transactions of this process, on their threads.
     * Call it while no transaction runs. Waits for the memory nodes.
     */
    public static void splitListener(Tidepool pool, SplitListener listener) {
        PoolBridge.get().splitListener(pool, listener);
    }

    /**
     * Reads the next page of a scan on fields in a transaction of records. Ends with an exception on a conflict, as
     * {@link Transaction#execute} does. Waits for the memory nodes.
     */
    public static void scan(Transaction transaction, RangeScan range) {
        PoolBridge.get().scan(transaction, range);
    }

    /**
     * Returns the next number of the pool's clock, which orders the recorded events of all processes; numbers may be
     * skipped. Waits for the memory nodes.
     */
    public static long historyTick(Tidepool pool) {
        return PoolBridge.get().historyTick(pool);
    }
}
