package tidepool.node;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import tidepool.base.Id128;
import tidepool.base.Ids;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.fabric.shm.FileBackedNode;
import tidepool.memory.Handlers;
import tidepool.memory.MemoryNode;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.NodeLayout;
import tidepool.memory.RegionStore;

/** The pools of a node, by name. They are in memory of the process, or each is in a directory of its name. */
final class HostedPools {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}");

    /** The names that a killed creation leaves next to pools. The next creation removes these files. */
    private static final Pattern DEBRIS = Pattern.compile(".*\\.new-[0-9a-f]{16}");

    /** The limit of a pool on disk. */
    static final int MAX_NODES = 64;

    private final Handlers handlers;
    private final MemoryBudget budget;
    private final Consumer<Runnable> whenQuiescent;
    private final DirectoryLock lock;
    private final NodeJournal journal;
    private final Ids ids = Ids.secure();
    private final Map<String, HostedPool> pools = new TreeMap<>();

    /** Opens the pools in the node's directory, if it has one. Throws if one is damaged; the message says why. */
    HostedPools(NodeOptions options, MemoryBudget budget, Consumer<Runnable> whenQuiescent, long nowNanos) {
        this(options, budget, whenQuiescent, () -> {}, nowNanos);
    }

    /** @param progress called by a thread of the journal when the loop should look at the journal */
    HostedPools(
            NodeOptions options,
            MemoryBudget budget,
            Consumer<Runnable> whenQuiescent,
            Runnable progress,
            long nowNanos) {
        if (options.hasJournal() && options.dir() == null)
            throw FabricException.unavailable("--durability "
                    + options.journal().durability().text() + " needs a folder for the journal: give --dir FOLDER");
        this.handlers = options.handlers() ? new Handlers() : Handlers.off();
        this.budget = budget;
        this.whenQuiescent = whenQuiescent;
        this.lock = options.dir() == null ? null : DirectoryLock.take(options.dir());
        boolean opened = false;
        NodeJournal kept = null;
        try {
            if (options.hasJournal())
                kept = NodeJournal.open(lock.directory(), options, budget, whenQuiescent, progress);
            else if (lock != null) openAll(lock.directory(), nowNanos);
            opened = true;
        } finally {
            if (!opened) giveUp();
        }
        this.journal = kept;
        if (kept != null) serveKept(kept, nowNanos);
        if (kept != null) kept.journal().start(options.name());
    }

    /** Releases everything after a failed start. */
    private void giveUp() {
        for (HostedPool pool : pools.values()) pool.release();
        pools.clear();
        if (lock != null) lock.close();
    }

    private void serveKept(NodeJournal kept, long nowNanos) {
        boolean served = false;
        try {
            for (NodeJournal.Known known : kept.pools()) {
                HostedPool pool = add(known, nowNanos);
                pool.journal().doubt().started();
                pool.revokeAll(nowNanos);
            }
            String shortage = kept.journal().shortage();
            if (shortage != null)
                System.getLogger("tidepool.node")
                        .log(
                                System.Logger.Level.WARNING,
                                shortage + "; what it holds is not believed, and is filled from the other copies when"
                                        + " its pools are opened");
            served = true;
        } catch (MemoryNodeException e) {
            throw FabricException.unavailable("what the journal holds cannot be served: " + e.getMessage(), e);
        } finally {
            if (!served) {
                kept.abandon();
                lock.close();
            }
        }
    }

    private HostedPool add(NodeJournal.Known known, long nowNanos) {
        // The meta memory was formatted with the node number that was valid at creation.
        MemoryNode node = node(known.store().meta().get(Words.U32, NodeLayout.NODE), known.store());
        for (int i = 0; i < node.regionCount(); i++) node.region(i); // checks that all live regions exist and are sound
        HostedPool pool = new HostedPool(
                known.name(), known.place(), node, journal.of(known, node), nowNanos, known.store()::close);
        pools.put(known.name(), pool);
        return pool;
    }

    /** Returns null if the node has no journal. */
    NodeJournal journal() {
        return journal;
    }

    Iterable<HostedPool> all() {
        return pools.values();
    }

    MemoryBudget budget() {
        return budget;
    }

    HostedPool get(String name) {
        return pools.get(name);
    }

    /** Returns whether the name is valid. Names of pools are names of directories too. */
    static boolean isName(String name) {
        return NAME.matcher(name).matches() && !DEBRIS.matcher(name).matches();
    }

    /** Creates a pool. An id of zeros is replaced by a new id. Throws if it cannot be created; the message says why. */
    HostedPool create(String name, Id128 wanted, int number, int nodes, long nowNanos) {
        Id128 id = wanted.high() == 0 && wanted.low() == 0 ? ids.next() : wanted;
        if (journal != null) {
            HostedPool.Place place = new HostedPool.Place(id, number, nodes);
            JournaledStore store = journal.nextStore(budget, whenQuiescent);
            MemoryNode.format(store.meta(), number);
            HostedPool pool = add(journal.add(name, place, store), nowNanos);
            pool.journal().doubt().set(false);
            return pool;
        }
        if (lock != null) {
            if (name.endsWith(".lock"))
                throw FabricException.unavailable("files of that name lie beside pools: " + name);
            Path path = lock.directory().resolve(name);
            return add(name, FileBackedNode.create(path, id, number, nodes, handlers.areOn(), whenQuiescent), nowNanos);
        }
        HostedPool.Place place = new HostedPool.Place(id, number, nodes);
        NativeStore store = new NativeStore(budget, whenQuiescent);
        MemoryNode.format(store.meta(), number);
        HostedPool pool = new HostedPool(name, place, node(number, store), null, nowNanos, store::close);
        pools.put(name, pool);
        return pool;
    }

    private void openAll(Path directory, long nowNanos) {
        if (NodeJournal.isIn(directory))
            throw FabricException.unavailable(
                    "a journal lies here, and without it nothing is kept: start the node with --durability flush or"
                            + " strict, or give it another --dir: " + directory);
        budget.restoring();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, Files::isDirectory)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (isName(name)) add(name, FileBackedNode.open(entry, whenQuiescent), nowNanos);
            }
            budget.restored();
        } catch (IOException e) {
            throw FabricException.unavailable("the node cannot read its directory (" + e + "): " + directory, e);
        }
    }

    private HostedPool add(String name, FileBackedNode fileBacked, long nowNanos) {
        boolean added = false;
        BudgetedStore store = null;
        try {
            store = new BudgetedStore(fileBacked.store(), budget);
            MemoryNode node = node(FileBackedNode.NUMBER, store);
            fileBacked.sweep();
            HostedPool.Place place = new HostedPool.Place(fileBacked.pool(), fileBacked.number(), fileBacked.nodes());
            BudgetedStore counted = store;
            HostedPool pool = new HostedPool(name, place, node, null, nowNanos, () -> {
                fileBacked.close();
                counted.giveAll();
            });
            pools.put(name, pool);
            added = true;
            return pool;
        } catch (MemoryNodeException e) {
            throw FabricException.unavailable("the pool " + name + " cannot be served: " + e.getMessage(), e);
        } finally {
            if (!added) {
                if (store != null) store.giveAll();
                fileBacked.close();
            }
        }
    }

    /** Only this process takes the control lock, for one call at a time. Any other holder of the lock is dead. */
    private MemoryNode node(int number, RegionStore store) {
        return new MemoryNode(number, store, ids, session -> true, NodeLayout.CONTROL_SESSION, handlers);
    }

    /** Releases all memory and the directory, after an end in order. */
    void release() {
        release(true);
    }

    /** Releases all memory and the directory. The journal is marked as complete only if the node ended in order. */
    void release(boolean inOrder) {
        if (journal != null) journal.close(inOrder);
        for (HostedPool pool : pools.values()) pool.release();
        pools.clear();
        if (lock != null) lock.close();
    }
}
