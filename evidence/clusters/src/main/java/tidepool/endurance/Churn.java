package tidepool.endurance;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tidepool.ConflictException;
import tidepool.PoolListener;
import tidepool.RecoveryReport;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.UnknownOutcomeException;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterOptions;
import tidepool.fabric.FabricException;
import tidepool.protocol.Protocol;
import tidepool.protocol.fordlv.FordLv;
import tidepool.schema.Schema;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.store.TableUsage;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/**
 * A long run on one table in the simulator that holds half of the rows it was made for. Fresh keys are inserted and old
 * keys deleted without end, so chains grow and shrink one after the other. A bucket that no chain needs any more has to
 * be freed, otherwise the table would become full.
 *
 * <p>The seed draws an adversary. Now and then the machine of a strand dies, at any moment, and another one takes its
 * place: recoverers link and unlink buckets, too. Each strand knows which of its rows exist. A transaction that is cut
 * off by a death has happened as a whole or not at all.
 */
public final class Churn {
    private static final int NODES = 2;
    private static final int PARTITIONS = 2;
    private static final int STRANDS = 2;
    private static final int COORDINATORS = 16;
    private static final int MAX_LOOKS = 16;

    /** A strand decides on the death of its machine in one of this number of turns. */
    private static final int TURNS_PER_DEATH = 60;

    /** The longest time from the decision about a death to the death: about three transactions. */
    private static final long DEATH_NANOS = 30_000;

    /** Longer than any verb flies, so no live client gives up. */
    private static final long PATIENCE_NANOS = 50_000_000;

    private static final long PAUSE_NANOS = 2_000;

    /** The limit in virtual time for a transaction, and for the recovery of all dead sessions; both take far less. */
    private static final long MAX_NANOS = 2_000_000_000L;

    private static final Schema SCHEMA = Schema.parse("row(value:long)");

    private final Supplier<Protocol> protocol;
    private final Simulation simulation;
    private final SimFabric fabric;
    private final PoolOptions options;
    private final int capacity;
    private final long leaseNanos;
    private final List<String> faults = new ArrayList<>();
    private final List<Tenant> tenants = new ArrayList<>();
    private final List<Crew> crews = new ArrayList<>();
    private TableUsage usage;
    private int machines;
    private long inserts;
    private long next;
    private long deaths;
    private long cutOff;
    private long finished;
    private long undone;

    /**
     * Result of a run.
     *
     * @param inserts rows that were inserted
     * @param deaths machines that died at work
     * @param cutOff transactions that were under way when their machine died
     * @param finished transactions that recoveries have finished
     * @param undone transactions that recoveries have undone
     * @param longest maximum number of overflow buckets that were in chains at once, of the moments that were checked
     * @param usage of the table at the end
     * @param faults descriptions of what is wrong; empty if nothing is
     */
    public record Report(
            long inserts,
            long deaths,
            long cutOff,
            long finished,
            long undone,
            long longest,
            TableUsage usage,
            List<String> faults) {}

    /** A transaction whose outcome its strand does not know yet. */
    private record Pending(List<Long> come, List<Long> go) {}

    /** A strand's rows. They outlive the machine on which it works. */
    private static final class Tenant {
        final Deque<Long> rows = new ArrayDeque<>();
        Pending pending; // null between transactions
    }

    /** Thrown when a transaction does not come to an end: what a dead session left is in its way. */
    private static final class Stuck extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Strands that share a machine, and so a session. */
    private static final class Crew {
        final List<Integer> strands = new ArrayList<>();
        Machine machine;
        int running;
    }

    private Churn(Supplier<Protocol> protocol, Simulation simulation, int capacity) {
        this.protocol = protocol;
        this.simulation = simulation;
        this.capacity = capacity;
        Randomness random = simulation.randomness("churn");
        this.leaseNanos = random.pick(new int[] {2_000, 20_000, 50_000});
        Adversary adversary =
                random.pick(List.of(Adversary.NONE, Adversary.ORDER, ClusterOptions.DEATHS, ClusterOptions.SLOW));
        CostProfile costs = CostProfile.named("cx5").withLease(leaseNanos).withDeadline(PATIENCE_NANOS);
        this.fabric = new SimFabric(simulation, NODES, costs, adversary);
        Protocol made = protocol.get();
        this.options =
                new PoolOptions(made.name(), NODES, PARTITIONS, 64 * 1024 + capacity * 2048L, COORDINATORS, 16 * 1024);
        // FORD-LV lets one session at a time write a partition, so its strands share a machine.
        boolean together = made instanceof FordLv || random.chance(1, 4);
        for (int strand = 0; strand < STRANDS; strand++) {
            tenants.add(new Tenant());
            if (!together || crews.isEmpty()) crews.add(new Crew());
            crews.getLast().strands.add(strand);
        }
    }

    /**
     * Runs until this number of rows was inserted, or something is wrong.
     *
     * @param capacity rows that the table is made for; half as many are in it
     */
    public static Report run(Supplier<Protocol> protocol, long seed, int capacity, long inserts) {
        try (Simulation simulation = new Simulation(seed)) {
            return new Churn(protocol, simulation, capacity).run(inserts);
        }
    }

    private Report run(long max) {
        alone("setup", () -> {
            Tidepool pool = open();
            pool.table(SCHEMA, capacity);
            pool.close();
        });
        long longest = 0;
        for (int look = 1; look <= MAX_LOOKS && faults.isEmpty(); look++) {
            long until = max * look / MAX_LOOKS;
            for (Crew crew : crews) start(crew, until);
            simulation.run();
            alone("look " + look, this::look);
            longest = Math.max(longest, usage.overflowBuckets());
        }
        return new Report(inserts, deaths, cutOff, finished, undone, longest, usage, List.copyOf(faults));
    }

    private void alone(String name, Runnable body) {
        simulation.start(simulation.machine(name, 1), name, body);
        simulation.run();
    }

    // ---- machines

    private void start(Crew crew, long until) {
        String name = "machine " + machines++;
        crew.machine = simulation.machine(name, 1);
        crew.running = crew.strands.size();
        simulation.start(crew.machine, name, () -> open(crew, name, until));
    }

    private void open(Crew crew, String name, long until) {
        Randomness random = simulation.randomness(name);
        Machine mine = crew.machine;
        Tidepool pool = open();
        TableHandle handle = pool.table(SCHEMA, capacity);
        if (random.nextBoolean()) pool.recoverAll();
        for (int strand : crew.strands) {
            String strandName = name + " strand " + strand;
            Randomness own = simulation.randomness(strandName);
            simulation.start(mine, strandName, () -> {
                Work work = new Work(pool, handle, tenants.get(strand), own);
                try {
                    work.settle();
                    while (inserts < until && faults.isEmpty()) {
                        if (own.chance(1, TURNS_PER_DEATH)) die(crew, mine, own.nextLong(DEATH_NANOS), until);
                        work.turn();
                    }
                } catch (StoreException e) {
                    faults.add("after " + inserts + " inserts: " + e.getMessage());
                } catch (Stuck e) {
                    faults.add("after " + inserts + " inserts: no progress");
                }
                if (--crew.running == 0) pool.close();
            });
        }
    }

    /** Lets a machine die in a moment, unless its work is done or it is dead by then. Another one takes its place. */
    private void die(Crew crew, Machine machine, long nanos, long until) {
        simulation.at(simulation.nowNanos() + nanos, () -> {
            if (crew.machine != machine || machine.isDead() || crew.running < crew.strands.size()) return;
            machine.crash();
            deaths++;
            for (int strand : crew.strands) if (tenants.get(strand).pending != null) cutOff++;
            start(crew, until);
        });
    }

    private Tidepool open() {
        while (true) {
            try {
                Tidepool pool = PoolAccess.open(fabric, options, protocol.get());
                pool.setListener(new PoolListener() {
                    @Override
                    public void recovered(RecoveryReport report) {
                        finished += report.finished();
                        undone += report.undone();
                    }
                });
                return pool;
            } catch (FabricException e) {
                Waiting.pause(PAUSE_NANOS);
            }
        }
    }

    // ---- transactions

    /** The work of a strand on one machine. It inserts and deletes rows of its own; heads and counts are shared. */
    private final class Work {
        private final Tidepool pool;
        private final TableHandle handle;
        private final Tenant tenant;
        private final Randomness random;

        Work(Tidepool pool, TableHandle handle, Tenant tenant, Randomness random) {
            this.pool = pool;
            this.handle = handle;
            this.tenant = tenant;
            this.random = random;
        }

        void turn() {
            int coming = 1 + random.nextInt(4);
            List<Long> come = new ArrayList<>();
            for (int i = 0; i < coming; i++) come.add(next++);
            int going = Math.max(0, tenant.rows.size() + coming - capacity / 2 / STRANDS);
            if (random.nextInt(2) == 0) { // deletes and inserts in two transactions, or in one
                write(List.of(), leavers(going));
                going = 0;
            }
            write(come, leavers(going));
            if (random.nextInt(8) == 0 && !tenant.rows.isEmpty()) read(tenant.rows.peekLast(), next + 1_000_000);
        }

        /** Removes and returns keys: mostly the oldest, sometimes any. */
        private List<Long> leavers(int count) {
            List<Long> go = new ArrayList<>();
            while (go.size() < count && !tenant.rows.isEmpty()) {
                int turn = random.nextInt(4) == 0 ? random.nextInt(tenant.rows.size()) : 0;
                for (int i = 0; i < turn; i++) tenant.rows.addLast(tenant.rows.removeFirst());
                go.add(tenant.rows.removeFirst());
            }
            return go;
        }

        private void write(List<Long> come, List<Long> go) {
            if (come.isEmpty() && go.isEmpty()) return;
            tenant.pending = new Pending(come, go);
            List<Long> missing = new ArrayList<>();
            boolean known = run(tx -> {
                missing.clear();
                Txn txn = tx.raw();
                int[] gone = new int[go.size()];
                for (int i = 0; i < gone.length; i++) gone[i] = txn.delete(handle, go.get(i));
                for (long key : come) txn.insert(handle, key);
                if (!txn.execute()) return; // the pool learns it at commit
                for (int i = 0; i < gone.length; i++) if (!txn.found(gone[i])) missing.add(go.get(i));
            });
            if (!known) {
                settle();
                return;
            }
            for (long key : missing) faults.add("key " + key + " is not there any more");
            happened();
        }

        private void happened() {
            tenant.rows.addAll(tenant.pending.come);
            inserts += tenant.pending.come.size();
            tenant.pending = null;
        }

        /** Finds out whether the transaction that was cut off has happened. It is whole or not there at all. */
        void settle() {
            Pending cut = tenant.pending;
            if (cut == null) return;
            long[] there = new long[2];
            boolean known;
            do {
                known = run(tx -> {
                    there[0] = 0;
                    there[1] = 0;
                    Txn txn = tx.raw();
                    List<Integer> come = new ArrayList<>();
                    List<Integer> go = new ArrayList<>();
                    for (long key : cut.come) come.add(txn.read(handle, key));
                    for (long key : cut.go) go.add(txn.read(handle, key));
                    if (!txn.execute()) return;
                    for (int access : come) if (txn.found(access)) there[0]++;
                    for (int access : go) if (txn.found(access)) there[1]++;
                });
            } while (!known); // a transaction that only reads may be tried again
            boolean whole = there[0] == cut.come.size() && there[1] == 0;
            boolean nothing = there[0] == 0 && there[1] == cut.go.size();
            if (whole) {
                happened();
            } else if (nothing) {
                for (long key : cut.go) tenant.rows.addFirst(key);
                tenant.pending = null;
            } else {
                faults.add("a transaction happened in part: " + there[0] + " of " + cut.come.size() + " inserts, and "
                        + there[1] + " of " + cut.go.size() + " deleted rows are there");
            }
        }

        private void read(long there, long notThere) {
            boolean[] found = new boolean[2];
            boolean known = run(tx -> {
                found[0] = true;
                found[1] = false;
                Txn txn = tx.raw();
                int one = txn.read(handle, there);
                int other = txn.read(handle, notThere);
                if (!txn.execute()) return;
                found[0] = txn.found(one);
                found[1] = txn.found(other);
            });
            if (!known) return;
            if (!found[0]) faults.add("key " + there + " is not there");
            if (found[1]) faults.add("key " + notThere + " is there");
        }

        /** Runs a transaction until it has happened. Returns false if that is not known. */
        private boolean run(Consumer<Transaction> body) {
            long begun = simulation.nowNanos();
            while (true) {
                if (simulation.nowNanos() - begun > MAX_NANOS) throw new Stuck();
                try {
                    pool.transact(body::accept);
                    return true;
                } catch (ConflictException e) {
                    Waiting.pause(PAUSE_NANOS);
                } catch (UnknownOutcomeException e) {
                    return false;
                } catch (StoreException e) {
                    // The owner has died and is not recovered yet.
                    if (e.reason() != StoreException.Reason.OWNED) throw e;
                    pool.recoverAll();
                    Waiting.pause(leaseNanos);
                }
            }
        }
    }

    // ---- checks

    private void look() {
        Tidepool pool = open();
        long deadline = simulation.nowNanos() + MAX_NANOS;
        while (fabric.control(0).sessions().length > 1 && faults.isEmpty()) {
            pool.recoverAll();
            Waiting.pause(leaseNanos + 1_000);
            if (simulation.nowNanos() > deadline) faults.add("sessions are left that no other session recovers");
        }
        usage = PoolAccess.usage(pool, pool.table(SCHEMA, capacity), Long.MAX_VALUE);
        pool.close();
        if (!faults.isEmpty()) return;
        long rows = tenants.stream().mapToLong(tenant -> tenant.rows.size()).sum();
        if (usage.rows() != rows) faults.add("rows: " + usage.rows() + ", not " + rows);
        if (usage.idleBuckets() != 0) faults.add("overflow buckets without a row: " + usage.idleBuckets());
        if (usage.torn() != 0) faults.add("slots that are torn: " + usage.torn());
    }
}
