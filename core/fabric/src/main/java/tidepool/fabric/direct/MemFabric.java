package tidepool.fabric.direct;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tidepool.base.Ids;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricProvider;
import tidepool.fabric.FabricUrl;
import tidepool.memory.Handlers;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeLayout;
import tidepool.memory.RegionStore;
import tidepool.memory.SessionLiveness;

/** The fabric {@code mem:?nodes=3}: a pool inside this process, which ends with it. The default, and the fastest. */
public final class MemFabric extends DirectFabric {
    /** The session of this process's control calls; no other session can have this number. */
    private static final int CONTROL_SESSION = (1 << 23) - 1;

    private final Arena arena = Arena.ofShared();
    private final MemoryNode[] nodes;

    public MemFabric(int nodes) {
        this(nodes, new Handlers());
    }

    public MemFabric(int nodes, Handlers handlers) {
        this.nodes = new MemoryNode[nodes];
        for (int i = 0; i < nodes; i++) {
            RegionStore store = new ArenaStore(arena);
            MemoryNode.format(store.meta(), i);
            this.nodes[i] =
                    new MemoryNode(i, store, Ids.secure(), SessionLiveness.NEVER_DEAD, CONTROL_SESSION, handlers);
        }
    }

    @Override
    public String name() {
        return "mem";
    }

    @Override
    public int nodes() {
        return nodes.length;
    }

    @Override
    public FlushMode flushMode() {
        return FlushMode.NONE;
    }

    @Override
    protected MemoryNode memoryNode(int node) {
        return nodes[node];
    }

    @Override
    protected boolean beforeAttach(int session) {
        return true; // a process that dies takes this pool with it: no other process has to see its death
    }

    @Override
    protected void afterClose(int session) {
        // No other process has to see it.
    }

    @Override
    protected void awaitForeignQuiet(int session, MemoryNode node) {
        // There is no other process.
    }

    @Override
    public boolean isDead(int session) {
        return false;
    }

    @Override
    protected void release() {
        arena.close();
    }

    /** Opens {@code mem:}. */
    public static final class Provider implements FabricProvider {
        /** For {@link java.util.ServiceLoader}. */
        public Provider() {}

        @Override
        public String scheme() {
            return "mem";
        }

        @Override
        public MemFabric open(FabricUrl url) {
            url.allow(Set.of("nodes", "handlers"));
            if (!url.target().isEmpty())
                throw new IllegalArgumentException(
                        "mem: takes no path: " + url.text() + "; for a shared pool write shm:PATH");
            Handlers handlers = url.flag("handlers", true) ? new Handlers() : Handlers.off();
            return new MemFabric(url.integer("nodes", 3, 1, 64), handlers);
        }
    }

    /** Regions in native memory of this process. */
    private static final class ArenaStore implements RegionStore {
        private final Arena arena;
        private final MemorySegment meta;
        private final ConcurrentHashMap<Integer, MemorySegment> regions = new ConcurrentHashMap<>();

        ArenaStore(Arena arena) {
            this.arena = arena;
            this.meta = arena.allocate(NodeLayout.BYTES, 4096);
        }

        @Override
        public MemorySegment meta() {
            return meta;
        }

        @Override
        public MemorySegment create(int number, long bytes) {
            try {
                MemorySegment region = arena.allocate(bytes, 4096);
                regions.put(number, region);
                return region;
            } catch (OutOfMemoryError e) {
                throw FabricException.unavailable("not enough memory for a region: bytes=" + bytes, e);
            }
        }

        @Override
        public MemorySegment open(int number, long bytes) {
            return regions.get(number);
        }

        @Override
        public void delete(int number) {
            // The arena frees everything when the pool is closed; other threads may still be reading this region.
            regions.remove(number);
        }
    }
}
