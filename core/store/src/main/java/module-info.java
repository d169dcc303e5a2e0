/** Records as bytes: layouts, the catalog, and where everything lies. */
module tidepool.store {
    requires transitive tidepool.base;
    requires transitive tidepool.fabric;
    requires transitive tidepool.model;

    exports tidepool.store;
    exports tidepool.store.farmv2;
    exports tidepool.store.motor;

    uses tidepool.store.MembershipProvider;
}
