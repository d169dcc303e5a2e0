package tidepool.memory;

import java.util.Random;
import tidepool.base.Id128;
import tidepool.base.Ids;

/** Nodes for tests; the ids come from a fixed seed. */
final class Nodes {
    static final int SESSION = 7;

    private Nodes() {}

    static Ids ids(long seed) {
        Random random = new Random(seed);
        return () -> new Id128(random.nextLong(), random.nextLong());
    }

    /** Returns a node with its own memory. */
    static MemoryNode node() {
        return node(ArenaStore.formatted(0), SESSION, SessionLiveness.NEVER_DEAD);
    }

    /** Returns one of several instances over shared memory, as each process has one. */
    static MemoryNode node(RegionStore store, int controlSession, SessionLiveness liveness) {
        return new MemoryNode(0, store, ids(controlSession), liveness, controlSession, new Handlers());
    }
}
