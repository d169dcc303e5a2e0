/** One-sided verbs in rounds, and the fabrics that carry them. */
module tidepool.fabric {
    requires transitive tidepool.base;
    requires transitive tidepool.memory;

    exports tidepool.fabric;

    uses tidepool.fabric.FabricProvider;
}
