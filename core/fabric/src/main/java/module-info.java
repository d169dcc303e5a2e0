/** One-sided verbs in rounds, and the fabrics that carry them. */
@SuppressWarnings("module") // a qualified export may name a module that is compiled later
module tidepool.fabric {
    requires transitive tidepool.base;
    requires transitive tidepool.memory;
    requires jdk.nio.mapmode; // MAP_SYNC, for shm: on persistent memory

    exports tidepool.fabric;
    exports tidepool.fabric.shm to
            tidepool.node;

    uses tidepool.fabric.FabricProvider;

    provides tidepool.fabric.FabricProvider with
            tidepool.fabric.direct.MemFabric.Provider,
            tidepool.fabric.shm.ShmFabric.Provider;
}
