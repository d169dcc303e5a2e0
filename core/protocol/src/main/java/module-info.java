/** Transaction protocols over one-sided verbs, and the recovery of dead coordinators. */
@SuppressWarnings("module") // tidepool.api is compiled later
module tidepool.protocol {
    requires transitive tidepool.store;

    exports tidepool.protocol;
    exports tidepool.protocol.ordered to
            tidepool.api;
    exports tidepool.protocol.record; // for authors of protocols on locked and versioned records
}
