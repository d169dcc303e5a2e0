/** Records as bytes: schemas, layouts, the catalog, and where everything lies. */
module tidepool.store {
    requires transitive tidepool.base;
    requires transitive tidepool.fabric;

    exports tidepool.store;
    exports tidepool.store.farmv2;
    exports tidepool.store.motor;
    exports tidepool.store.schema;

    uses tidepool.store.MembershipProvider;
}
