/** Transaction protocols over one-sided verbs, and the recovery of dead coordinators. */
module tidepool.protocol {
    requires transitive tidepool.store;

    exports tidepool.protocol;
    exports tidepool.protocol.record; // for authors of protocols on locked and versioned records
}
