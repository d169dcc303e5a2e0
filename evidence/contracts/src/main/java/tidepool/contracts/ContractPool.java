package tidepool.contracts;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Fabric;

/** A pool with one region on every node, in which the tests of the contract run. */
final class ContractPool implements AutoCloseable {
    /** Bytes of the region on each node. */
    static final long BYTES = 64 * 1024;

    final FabricWorld world;
    final Fabric fabric;
    final Id128[] capabilities;

    ContractPool(FabricWorld world) {
        this.world = world;
        this.fabric = world.fabric();
        this.capabilities = new Id128[fabric.nodes()];
        run(() -> {
            for (int node = 0; node < capabilities.length; node++)
                capabilities[node] = fabric.control(node).createRegion(BYTES);
        });
    }

    /** Opens a new session that is connected to all nodes. Inside of {@link #run}. */
    ContractClient client() {
        return new ContractClient(fabric.attach(), capabilities);
    }

    /** Runs the test program of one client. */
    void alone(Consumer<ContractClient> story) {
        run(() -> story.accept(client()));
    }

    /** Runs several bodies concurrently. */
    void run(Runnable... bodies) {
        world.run(bodies);
    }

    /** Fills the regions with words that differ, so that any change shows in a fingerprint. Inside of {@link #run}. */
    void paint() {
        try (ContractClient painter = client()) {
            MemorySegment all = painter.lane.landing(BYTES);
            for (long at = 0; at < BYTES; at += Words.BYTES) Words.plain(all, at, painted(at));
            for (int node = 0; node < capabilities.length; node++)
                painter.lane
                        .round(1)
                        .write(painter.regions[node], 0, BYTES, all, 0)
                        .post()
                        .await();
        }
    }

    /** Returns the word that {@link #paint} writes at this offset. */
    static long painted(long offset) {
        return ~offset * 0x9E3779B97F4A7C15L;
    }

    /** Returns the fingerprint of the node's region as a newly connected client reads it. Inside of {@link #run}. */
    long fingerprint(int node) {
        try (ContractClient fresh = client()) {
            return fresh.fingerprint(node);
        }
    }

    @Override
    public void close() {
        world.close();
    }
}
