package tidepool.check;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Fabric;

/** A pool with one region on every node: the stage on which the stories of the contract are played. */
final class Scene implements AutoCloseable {
    /** Bytes of the region on each node. */
    static final long BYTES = 64 * 1024;

    final FabricWorld world;
    final Fabric fabric;
    final Id128[] capabilities;

    Scene(FabricWorld world) {
        this.world = world;
        this.fabric = world.fabric();
        this.capabilities = new Id128[fabric.nodes()];
        run(() -> {
            for (int node = 0; node < capabilities.length; node++)
                capabilities[node] = fabric.control(node).createRegion(BYTES);
        });
    }

    /** A new session that is connected to everything. Inside of {@link #run}. */
    Client client() {
        return new Client(fabric.attach(), capabilities);
    }

    /** One client alone. */
    void alone(Consumer<Client> story) {
        run(() -> story.accept(client()));
    }

    /** Several bodies at once. */
    void run(Runnable... bodies) {
        world.run(bodies);
    }

    /** Fills the regions with words that differ, so that any change shows in a fingerprint. Inside of {@link #run}. */
    void paint() {
        try (Client painter = client()) {
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

    /** What {@link #paint} puts there. */
    static long painted(long offset) {
        return ~offset * 0x9E3779B97F4A7C15L;
    }

    /** The painting as a newly connected client sees it. Inside of {@link #run}. */
    long fingerprint(int node) {
        try (Client fresh = client()) {
            return fresh.fingerprint(node);
        }
    }

    @Override
    public void close() {
        world.close();
    }
}
