package tidepool.tcp.node;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import tidepool.base.Id128;
import tidepool.base.Ids;
import tidepool.memory.Handlers;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeLayout;

/** The pools of a node, by name. */
final class HostedPools {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}");

    /** As in a pool on disk. */
    static final int MOST_NODES = 64;

    private final Handlers handlers;
    private final MemoryBudget budget;
    private final Consumer<Runnable> whenNobodyLooks;
    private final Ids ids = Ids.secure();
    private final Map<String, HostedPool> pools = new TreeMap<>();

    HostedPools(NodeOptions options, MemoryBudget budget, Consumer<Runnable> whenNobodyLooks) {
        this.handlers = options.handlers() ? new Handlers() : Handlers.off();
        this.budget = budget;
        this.whenNobodyLooks = whenNobodyLooks;
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
        return NAME.matcher(name).matches();
    }

    /** A new pool; an id of zeros is replaced by a fresh one. Says in a sentence why there cannot be one. */
    HostedPool create(String name, Id128 wanted, int number, int nodes, long nowNanos) {
        Id128 id = wanted.high() == 0 && wanted.low() == 0 ? ids.next() : wanted;
        HostedPool.Place place = new HostedPool.Place(id, number, nodes);
        NativeStore store = new NativeStore(budget, whenNobodyLooks);
        MemoryNode.format(store.meta(), number);
        // Nobody but this process takes the control lock, one call at a time.
        MemoryNode node = new MemoryNode(number, store, ids, session -> true, NodeLayout.CONTROL_SESSION, handlers);
        HostedPool pool = new HostedPool(name, place, node, nowNanos, store::close);
        pools.put(name, pool);
        return pool;
    }

    /** Gives all memory back. */
    void release() {
        for (HostedPool pool : pools.values()) pool.release();
        pools.clear();
    }
}
