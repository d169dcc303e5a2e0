package tidepool.evidence.faults;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.base.Clock;
import tidepool.base.Randomness;
import tidepool.base.Words;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.PoolView;
import tidepool.evidence.hdtx.HdtxBug;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.hdtx.HdtxCoordinator;
import tidepool.protocol.hdtx.HdtxOptions;
import tidepool.schema.Schema;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.QueueWord;
import tidepool.store.TableLayout;
import tidepool.txn.Priority;
import tidepool.txn.Txn;

/**
 * One key to which all clients add one, in virtual time: which client got its lock, in which order, and how long it
 * took.
 */
final class LockStage implements AutoCloseable {
    static final long KEY = 7;

    /** The key that a reader of {@code KEY} writes. */
    static final long OWN = 8;

    private static final Schema SCHEMA = Schema.parse("count(n:long)");

    /** A lock that was granted to a ticket. */
    record Grant(int ticket, boolean priority) {}

    final Simulation simulation;
    final SimFabric fabric;
    final List<Grant> grants = new ArrayList<>();
    final List<Long> normalNanos = new ArrayList<>();
    final List<Long> priorityNanos = new ArrayList<>();
    private final HdtxBug bug;
    private final HdtxOptions options;
    private final List<HdtxCoordinator> coordinators = new ArrayList<>();
    private final PoolOptions pool = new PoolOptions("hdtx", 2, 1, 64 * 1024, 128, 4096);
    private TableLayout table;

    LockStage(long seed, HdtxBug bug, HdtxOptions options) {
        this.simulation = new Simulation(seed);
        this.bug = bug;
        this.options = options;
        CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
        this.fabric = new SimFabric(simulation, 2, costs, Adversary.NONE);
        strand("load", () -> {
            Tidepool opened = open();
            table = PoolAccess.layout(opened.table(SCHEMA, 1));
            opened.transact(tx -> {
                tx.raw().insert(table, KEY);
                tx.raw().insert(table, OWN);
                tx.execute();
            });
            opened.close();
        });
        simulation.run();
    }

    @Override
    public void close() {
        simulation.close();
    }

    Tidepool open() {
        Protocol planted = bug.in(options, (pointer, ticket, priority) -> {
            if (pointer == record()) grants.add(new Grant(ticket, priority));
        });
        return PoolAccess.open(fabric, pool, new Protocol() {
            @Override
            public String name() {
                return planted.name();
            }

            @Override
            public Coordinator coordinator(
                    tidepool.fabric.Session session,
                    tidepool.store.Catalog catalog,
                    tidepool.protocol.TxnCounter counters) {
                Coordinator made = planted.coordinator(session, catalog, counters);
                coordinators.add((HdtxCoordinator) made);
                return made;
            }

            @Override
            public tidepool.protocol.Recovery recovery(
                    tidepool.fabric.Session session, tidepool.store.Catalog catalog) {
                return planted.recovery(session, catalog);
            }
        });
    }

    void strand(String machine, Runnable body) {
        simulation.start(simulation.machine(machine, 2), machine, body);
    }

    /**
     * Runs clients that only add: {@code percent} of their requests are urgent, and all requests of the first
     * {@code alwaysUrgent} clients.
     */
    void saturate(int clients, int transactions, int percent, int alwaysUrgent) {
        for (int c = 0; c < clients; c++) {
            boolean urgent = c < alwaysUrgent;
            Randomness random = simulation.randomness("client " + c);
            strand("client " + c, () -> {
                Tidepool opened = open();
                opened.table(SCHEMA, 1);
                Worker worker = opened.worker();
                for (int i = 0; i < transactions; i++) {
                    boolean high = urgent || random.nextInt(100) < percent;
                    long begun = Clock.current().nowNanos();
                    worker.transact(high ? Priority.HIGH : Priority.NORMAL, this::add);
                    (high ? priorityNanos : normalNanos).add(Clock.current().nowNanos() - begun);
                }
                worker.close();
                opened.close();
            });
        }
        simulation.run();
        simulation.settle();
    }

    /** Runs a client that reads the contended row and writes another. Returns the attempts of each transaction. */
    List<Integer> readAndWrite(int transactions) {
        List<Integer> attempts = new ArrayList<>();
        strand("reader", () -> {
            Tidepool opened = open();
            opened.table(SCHEMA, 1);
            Worker worker = opened.worker();
            for (int i = 0; i < transactions; i++) {
                int[] tried = new int[1];
                worker.transact(txn -> {
                    tried[0]++;
                    int read = txn.read(table, KEY);
                    int written = txn.update(table, OWN);
                    if (!txn.execute()) return false;
                    long seen = Words.plain(txn.memory(), txn.value(read));
                    Words.plain(txn.memory(), txn.value(written), seen);
                    return true;
                });
                attempts.add(tried[0]);
            }
            worker.close();
            opened.close();
        });
        return attempts;
    }

    boolean add(Txn txn) {
        return add(txn, KEY);
    }

    boolean add(Txn txn, long key) {
        int access = txn.update(table, key);
        if (!txn.execute()) return false;
        long at = txn.value(access);
        Words.plain(txn.memory(), at, Words.plain(txn.memory(), at) + 1);
        return true;
    }

    TableLayout table() {
        return table;
    }

    // ---- words in memory

    long record() {
        long home = table.home(KEY);
        for (int slot = 0; slot < table.slots(); slot++) {
            long pointer = home + (table.slotOffset(slot) >>> 3);
            if (ObjectLayout.holds(primary(pointer), Pointer.offset(pointer) + ObjectLayout.BODY, KEY)) return pointer;
        }
        throw new ClusterFailure("the key is not there");
    }

    private MemorySegment primary(long pointer) {
        return new PoolView(fabric).replica(pointer, 0);
    }

    long count() {
        long pointer = record();
        return Words.plain(primary(pointer), Pointer.offset(pointer) + ObjectLayout.CONTENT);
    }

    long lock() {
        return Words.plain(primary(record()), Pointer.offset(record()) + ObjectLayout.LOCK);
    }

    void lock(long word) {
        Words.plain(primary(record()), Pointer.offset(record()) + ObjectLayout.LOCK, word);
    }

    private long queueAt() {
        return QueueWord.offset(record(), ObjectLayout.bodyBytes(SCHEMA.length()));
    }

    long queue() {
        return Words.plain(primary(record()), queueAt());
    }

    void queue(long word) {
        Words.plain(primary(record()), queueAt(), word);
    }

    // ---- counts

    long skipped() {
        return coordinators.stream().mapToLong(c -> c.hdtxCounts().skipped).sum();
    }

    long passedOver() {
        return coordinators.stream().mapToLong(c -> c.hdtxCounts().passedOver).sum();
    }

    long grantedWithoutTicket() {
        return coordinators.stream()
                .mapToLong(c -> c.hdtxCounts().grantedWithoutTicket)
                .sum();
    }

    long polls() {
        return coordinators.stream().mapToLong(c -> c.hdtxCounts().polls).sum();
    }

    long lockedReads() {
        return coordinators.stream().mapToLong(c -> c.hdtxCounts().lockedReads).sum();
    }

    long left() {
        return coordinators.stream().mapToLong(c -> c.hdtxCounts().left).sum();
    }

    long dropped() {
        return coordinators.stream().mapToLong(c -> c.hdtxCounts().dropped).sum();
    }

    /** Returns the number of grants of a queue that did not follow the previous one by one. */
    long outOfOrder(boolean priority) {
        long wrong = 0;
        Grant last = null;
        for (Grant grant : grants) {
            if (grant.priority() != priority) continue;
            if (last != null && grant.ticket() != QueueWord.after(last.ticket(), priority)) wrong++;
            last = grant;
        }
        return wrong;
    }

    /** Returns the longest run of urgent grants between two normal ones. */
    int longestUrgentRun() {
        int run = 0;
        int longest = 0;
        boolean normal = false;
        for (Grant grant : grants) {
            if (!grant.priority()) {
                if (normal) longest = Math.max(longest, run);
                normal = true;
                run = 0;
            } else run++;
        }
        return longest;
    }

    static long p99(List<Long> nanos) {
        List<Long> sorted = new ArrayList<>(nanos);
        Collections.sort(sorted);
        return sorted.get((int) Math.ceil(sorted.size() * 0.99) - 1);
    }
}
