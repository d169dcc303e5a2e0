package tidepool.evidence.faults;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tidepool.base.Words;
import tidepool.clusters.ClusterFailure;
import tidepool.contracts.broken.FilterFabric;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.LogScan;
import tidepool.protocol.record.PoolRegions;
import tidepool.schema.Key;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.CatalogLayout;
import tidepool.store.LogHeapLayout;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * A pool of three nodes in memory with a roster, a client that is cut off at a verb, and the recoverers that repair its
 * traces.
 */
final class RecoveryStage implements AutoCloseable {
    /** Rows of the table, all with the value 0 at the beginning. */
    static final int ROWS = 6;

    private static final int NODES = 3;
    private static final int COORDINATORS = 8;
    private static final int LOG_BYTES = 4 * 1024;

    record Row(@Key long key, long value) {}

    final CuttingFabric fabric;
    final Session session;
    final Catalog catalog;
    final Coordinator client;
    final TableLayout table;
    private final Fabric memory = Fabric.open("mem:?nodes=" + NODES);
    private final Protocol protocol;
    private final PoolOptions options;
    private final int rows;
    private final int coordinators;
    private final TxnCounter counters = new TxnCounter();
    private Roster roster = RosterPlan.first(
            List.of(new Roster.Member("a", "a"), new Roster.Member("b", "b"), new Roster.Member("c", "c")), NODES, 2);

    RecoveryStage(String name) {
        this(name, ROWS, COORDINATORS);
    }

    RecoveryStage(String name, int rows, int coordinators) {
        this(Protocols.named(name), rows, coordinators);
    }

    RecoveryStage(Protocol protocol) {
        this(protocol, ROWS, COORDINATORS);
    }

    private RecoveryStage(Protocol protocol, int rows, int coordinators) {
        this.rows = rows;
        this.coordinators = coordinators;
        this.protocol = protocol;
        options = new PoolOptions(protocol.name(), 2, NODES, 64 * 1024, coordinators, LOG_BYTES);
        fabric = new CuttingFabric(memory);
        session = fabric.attach();
        catalog = open(fabric, session);
        table = catalog.table(Schema.of("rows", Row.class), rows);
        client = sibling();
        for (long from = 0; from < rows; from += ROWS) {
            Txn txn = client.begin();
            for (long key = from; key < Math.min(rows, from + ROWS); key++) txn.insert(table, key);
            if (txn.commit() != Outcome.COMMITTED) throw new ClusterFailure("not loaded");
        }
        get(client, 0); // background rounds of the load have ended
    }

    Catalog open(Fabric over, Session by) {
        return Catalog.open(over, by, options, protocol.flush(), roster).withRows(protocol::rows);
    }

    /** Returns another coordinator of the client's session. */
    Coordinator sibling() {
        return protocol.coordinator(session, catalog, counters);
    }

    /** Returns a coordinator of another session of the fabric. */
    Coordinator coordinator(Session of) {
        return protocol.coordinator(of, open(fabric, of), new TxnCounter());
    }

    /** Returns a coordinator of a session of its own, with the current roster. */
    Coordinator another() {
        Fabric all = fabric();
        Session fresh = all.attach();
        return protocol.coordinator(fresh, open(all, fresh), new TxnCounter());
    }

    /** Adds to rows in a transaction; returns the transaction before it commits. */
    Txn adds(Coordinator coordinator, int amount, long... keys) {
        return adds(coordinator.begin(), amount, keys);
    }

    /** Adds to rows in a transaction that has begun. */
    Txn adds(Txn txn, int amount, long... keys) {
        int[] accesses = new int[keys.length];
        for (int i = 0; i < keys.length; i++) accesses[i] = txn.update(table, keys[i]);
        if (!txn.execute()) return txn;
        for (int access : accesses)
            Words.plain(txn.memory(), txn.value(access), Words.plain(txn.memory(), txn.value(access)) + amount);
        return txn;
    }

    long get(Coordinator coordinator, long key) {
        Txn txn = coordinator.begin();
        int access = txn.read(table, key);
        if (txn.commit() != Outcome.COMMITTED) throw new ClusterFailure("row " + key + " cannot be read");
        return Words.plain(txn.memory(), txn.value(access));
    }

    /** Lets another session recover the client's and die after this number of verbs. Returns whether it died. */
    boolean recover(long verbs) {
        Session recoverer = fabric.attach();
        Catalog its = open(fabric, recoverer);
        Recovery recovery = protocol.recovery(recoverer, its);
        fabric.cutAt(recoverer.number(), verbs, false);
        try {
            recovery.recover(session.number());
        } catch (FabricException e) {
            // as planned
        }
        return fabric.disarm();
    }

    /** Recovers the client's session. */
    Recovery.Report recover() {
        Session recoverer = fabric.attach();
        return protocol.recovery(recoverer, open(fabric, recoverer)).recover(session.number());
    }

    /** Changes the roster to one without these nodes, which are lost. */
    Reconfiguration.Report change(Integer... lost) {
        Roster changing = lost.length == 0 ? RosterPlan.next(roster) : RosterPlan.without(roster, Set.of(lost));
        roster = changing;
        Fabric left = fabric();
        Reconfiguration.Report report;
        try (Session steward = left.attach()) {
            report = protocol.change(steward, Catalog.openForChange(left, steward, options, changing))
                    .run(0);
        }
        roster = RosterPlan.steady(changing);
        return report;
    }

    /** Whether a copy of a row has the version of a transaction, marked or not. */
    boolean isWritten(long txn) {
        Session looking = memory.attach();
        Lane lane = looking.lane();
        PoolRegions pool = new PoolRegions(lane, open(memory, looking));
        MemorySegment landed = lane.landing(table.bucketBytes());
        Round round = lane.round(1);
        for (long key = 0; key < rows; key++)
            for (int copy = 0; copy < pool.copies(table.home(key)); copy++) {
                long bucket = table.home(key);
                round.read(pool.replica(bucket, copy), Pointer.offset(bucket), table.bucketBytes(), landed, 0)
                        .post()
                        .await();
                for (int slot = 0; slot < table.slots(); slot++) {
                    long version = Words.plain(landed, table.slotOffset(slot) + ObjectLayout.VERSION);
                    if (TxnId.of(version) == txn) return true;
                }
            }
        return false;
    }

    /** Returns all logs in the pool. */
    LogScan logs() {
        Session looking = memory.attach();
        Lane lane = looking.lane();
        LogScan logs = new LogScan(
                new PoolRegions(lane, open(memory, looking)), lane, coordinators, LOG_BYTES, new LogHeapLayout(0, 0));
        logs.read();
        looking.close();
        return logs;
    }

    /** Returns the number of rows and heads that are locked. */
    int locks() {
        int[] locked = {0};
        look((copy, place, lock, version) -> locked[0] += lock == 0 ? 0 : 1);
        return locked[0];
    }

    /** Returns the number of marked backups of rows and heads that are not locked. */
    int stragglers() {
        Set<Long> locked = new HashSet<>();
        int[] marked = {0};
        look((copy, place, lock, version) -> {
            if (lock != 0) locked.add(place);
            if (copy > 0 && version < 0 && !locked.contains(place)) marked[0]++;
        });
        return marked[0];
    }

    /** Fails if a row or a head is locked or marked, or if its copies have different versions. */
    void requireQuiet(String where) {
        Map<Long, Long> versions = new HashMap<>();
        look((copy, place, lock, version) -> {
            String object = Pointer.text(place) + ", copy " + copy + ", " + where;
            if (lock != 0) throw new ClusterFailure("locked: " + object);
            if (version < 0) throw new ClusterFailure("marked: " + object);
            if (versions.computeIfAbsent(place, p -> version) != version)
                throw new ClusterFailure("not as the primary: " + object);
        });
    }

    /** Called for each copy of each row and head. */
    private interface Look {
        void at(int copy, long place, long lock, long version);
    }

    private void look(Look look) {
        Session looking = memory.attach();
        Lane lane = looking.lane();
        PoolRegions pool = new PoolRegions(lane, open(memory, looking));
        MemorySegment landed = lane.landing(table.bucketBytes());
        Round round = lane.round(1);
        Set<Long> buckets = new TreeSet<>();
        for (long key = 0; key < 2 * rows; key++) buckets.add(table.home(key));
        for (long bucket : buckets)
            for (int copy = 0; copy < pool.copies(bucket); copy++) {
                round.read(pool.replica(bucket, copy), Pointer.offset(bucket), table.bucketBytes(), landed, 0)
                        .post()
                        .await();
                for (int slot = -1; slot < table.slots(); slot++) {
                    long at = slot < 0 ? 0 : table.slotOffset(slot);
                    long lock = Words.plain(landed, at + ObjectLayout.LOCK);
                    long version = Words.plain(landed, at + ObjectLayout.VERSION);
                    look.at(copy, bucket + (at >>> 3), lock, version);
                }
            }
        looking.close();
    }

    /** Whether this node, and no other, has the status that a transaction has happened. */
    boolean isDecidedOnlyAt(int node, long txn) {
        for (int one = 0; one < NODES; one++) if (isDecidedAt(one, txn) != (one == node)) return false;
        return true;
    }

    private boolean isDecidedAt(int node, long txn) {
        Session looking = memory.attach();
        Lane lane = looking.lane();
        PoolRegions pool = new PoolRegions(lane, open(memory, looking));
        MemorySegment landed = lane.landing(LogLayout.ENTRIES);
        Round round = lane.round(1);
        for (int c = 0; c < coordinators; c++)
            for (int slot = 0; slot < LogLayout.SLOTS; slot++) {
                round.read(pool.log(node), LogLayout.slot(c, slot, LOG_BYTES), LogLayout.ENTRIES, landed, 0)
                        .post()
                        .await();
                if (Words.plain(landed, LogLayout.TXN) == txn && Words.plain(landed, LogLayout.STATUS) == txn)
                    return true;
            }
        return false;
    }

    /** Returns the number of outcomes that were recorded so far. */
    long outcomesRecorded() {
        Fabric left = fabric();
        Session asking = left.attach();
        long recorded = open(left, asking).outcomesRecorded();
        asking.close();
        return recorded;
    }

    /** Returns the recorded outcome of a transaction, as {@link Catalog#outcome} does. */
    int outcome(long txn) {
        Fabric left = fabric();
        Session asking = left.attach();
        int outcome = open(left, asking).outcome(txn);
        asking.close();
        return outcome;
    }

    /** Returns the node that is the primary of a row. */
    int primary(long key) {
        return roster.partitions().get(table.partition(key)).whole().getFirst();
    }

    /** Records as many outcomes of other sessions as a pool keeps. */
    void overwriteOutcomes() {
        Catalog others = open(memory, memory.attach());
        for (int i = 1; i <= CatalogLayout.OUTCOMES; i++) others.recordOutcome(TxnId.of(8_000_000, i), true);
    }

    /** Returns the nodes that the roster names. */
    private Fabric fabric() {
        int[] nodes = roster.members().stream()
                .mapToInt(member -> member.address().charAt(0) - 'a')
                .toArray();
        return nodes.length == NODES ? fabric : new Some(memory, nodes);
    }

    @Override
    public void close() {
        memory.close();
    }

    /** Some nodes of a fabric. */
    private static final class Some extends FilterFabric {
        private final int[] nodes;

        Some(Fabric inner, int[] nodes) {
            super(inner);
            this.nodes = nodes;
        }

        @Override
        public int nodes() {
            return nodes.length;
        }

        @Override
        public NodeControl control(int node) {
            return inner.control(nodes[node]);
        }

        @Override
        protected FilterLane newLane(FilterSession of, Lane lane) {
            return new FilterLane(of, lane) {
                @Override
                protected Link newLink(int node) {
                    return new FilterLink(this, inner.connect(nodes[node]), node) {};
                }
            };
        }
    }
}
