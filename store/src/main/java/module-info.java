/** Records, versions and logs: what the bytes in the pool mean. */
module tidepool.store {
    requires transitive tidepool.base;
    requires transitive tidepool.fabric;

    exports tidepool.store.schema;
}
