/** Records as bytes: layouts, the catalog, and where everything lies. */
@SuppressWarnings("module") // a qualified export may name a module that is compiled later
module tidepool.store {
    requires transitive tidepool.base;
    requires transitive tidepool.fabric;
    requires transitive tidepool.model;

    exports tidepool.store;
    exports tidepool.store.farmv2 to
            tidepool.protocol;
    exports tidepool.store.motor to
            tidepool.protocol;

    uses tidepool.store.MembershipProvider;
}
