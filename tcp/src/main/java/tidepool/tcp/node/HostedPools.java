package tidepool.tcp.node;

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
import tidepool.fabric.shm.ServedNode;
import tidepool.memory.Handlers;
import tidepool.memory.MemoryNode;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.NodeLayout;
import tidepool.memory.RegionStore;

/** The pools of a node, by name: in memory of the process, or each in a directory of its name. */
final class HostedPools {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}");

    /** What a creation that was killed leaves beside pools; the next creation removes it. */
    private static final Pattern DEBRIS = Pattern.compile(".*\\.new-[0-9a-f]{16}");

    /** As in a pool on disk. */
    static final int MOST_NODES = 64;

    private final Handlers handlers;
    private final MemoryBudget budget;
    private final Consumer<Runnable> whenNobodyLooks;
    private final DirectoryLock lock;
    private final NodeJournal journal;
    private final Ids ids = Ids.secure();
    private final Map<String, HostedPool> pools = new TreeMap<>();

    /** Opens the pools that are in the node's directory, if it has one; throws with a sentence if one is not sound. */
    HostedPools(NodeOptions options, MemoryBudget budget, Consumer<Runnable> whenNobodyLooks, long nowNanos) {
        this(options, budget, whenNobodyLooks, () -> {}, nowNanos);
    }

    /** @param progress is run by the journal, in another thread, when the loop should look at it */
    HostedPools(
            NodeOptions options,
            MemoryBudget budget,
            Consumer<Runnable> whenNobodyLooks,
            Runnable progress,
            long nowNanos) {
        if (options.hasJournal() && options.dir() == null)
            throw FabricException.unavailable("--durability "
                    + options.journal().durability().text() + " needs a folder for the journal: give --dir FOLDER");
        this.handlers = options.handlers() ? new Handlers() : Handlers.off();
        this.budget = budget;
        this.whenNobodyLooks = whenNobodyLooks;
        this.lock = options.dir() == null ? null : DirectoryLock.take(options.dir());
        boolean opened = false;
        NodeJournal kept = null;
        try {
            if (options.hasJournal())
                kept = NodeJournal.open(lock.directory(), options, budget, whenNobodyLooks, progress);
            else if (lock != null) openAll(lock.directory(), nowNanos);
            opened = true;
        } finally {
            if (!opened) giveUp();
        }
        this.journal = kept;
        if (kept != null) serveKept(kept, nowNanos);
        if (kept != null) kept.journal().start(options.name());
    }

    /** It cannot be opened. */
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
        // It was made for the place that the node had then.
        MemoryNode node = node(known.store().meta().get(Words.U32, NodeLayout.NODE), known.store());
        for (int i = 0; i < node.regionCount(); i++) node.region(i); // all that live are there and sound
        HostedPool pool = new HostedPool(
                known.name(), known.place(), node, journal.of(known, node), nowNanos, known.store()::close);
        pools.put(known.name(), pool);
        return pool;
    }

    /** Null if nothing is kept. */
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

    /** Names are names of directories too. */
    static boolean isName(String name) {
        return NAME.matcher(name).matches() && !DEBRIS.matcher(name).matches();
    }

    /** A new pool; an id of zeros is replaced by a fresh one. Says in a sentence why there cannot be one. */
    HostedPool create(String name, Id128 wanted, int number, int nodes, long nowNanos) {
        Id128 id = wanted.high() == 0 && wanted.low() == 0 ? ids.next() : wanted;
        if (journal != null) {
            HostedPool.Place place = new HostedPool.Place(id, number, nodes);
            KeptStore store = journal.nextStore(budget, whenNobodyLooks);
            MemoryNode.format(store.meta(), number);
            HostedPool pool = add(journal.add(name, place, store), nowNanos);
            pool.journal().doubt().set(false);
            return pool;
        }
        if (lock != null) {
            if (name.endsWith(".lock"))
                throw FabricException.unavailable("files of that name lie beside pools: " + name);
            Path path = lock.directory().resolve(name);
            return add(name, ServedNode.create(path, id, number, nodes, handlers.areOn(), whenNobodyLooks), nowNanos);
        }
        HostedPool.Place place = new HostedPool.Place(id, number, nodes);
        NativeStore store = new NativeStore(budget, whenNobodyLooks);
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
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, Files::isDirectory)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (isName(name)) add(name, ServedNode.open(entry, whenNobodyLooks), nowNanos);
            }
        } catch (IOException e) {
            throw FabricException.unavailable("the node cannot read its directory (" + e + "): " + directory, e);
        }
    }

    private HostedPool add(String name, ServedNode served, long nowNanos) {
        boolean added = false;
        BudgetedStore store = null;
        try {
            store = new BudgetedStore(served.store(), budget);
            MemoryNode node = node(ServedNode.NUMBER, store);
            served.sweep();
            HostedPool.Place place = new HostedPool.Place(served.pool(), served.number(), served.nodes());
            BudgetedStore counted = store;
            HostedPool pool = new HostedPool(name, place, node, null, nowNanos, () -> {
                served.close();
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
                served.close();
            }
        }
    }

    /** Nobody but this process takes the control lock, one call at a time: whoever holds it otherwise is dead. */
    private MemoryNode node(int number, RegionStore store) {
        return new MemoryNode(number, store, ids, session -> true, NodeLayout.CONTROL_SESSION, handlers);
    }

    /** Gives all memory back, and the directory. */
    void release() {
        release(true);
    }

    /** Gives all memory back, and the directory. What was kept says that nothing is missing only if all ended well. */
    void release(boolean inOrder) {
        if (journal != null) journal.close(inOrder);
        for (HostedPool pool : pools.values()) pool.release();
        pools.clear();
        if (lock != null) lock.close();
    }
}
