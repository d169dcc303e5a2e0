/** One-sided verbs in rounds, and the fabrics that carry them. */
module tidepool.fabric {
    requires transitive tidepool.base;
    requires transitive tidepool.memory;
    requires jdk.nio.mapmode; // MAP_SYNC, for shm: on persistent memory

    exports tidepool.fabric;
    exports tidepool.fabric.direct;
    exports tidepool.fabric.shm;

    uses tidepool.fabric.FabricProvider;

    provides tidepool.fabric.FabricProvider with
            tidepool.fabric.direct.MemFabric.Provider,
            tidepool.fabric.shm.ShmFabric.Provider;
}
