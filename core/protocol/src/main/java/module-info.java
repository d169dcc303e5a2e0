/** Transaction protocols over one-sided verbs, and the recovery of dead coordinators. */
module tidepool.protocol {
    requires transitive tidepool.store;

    exports tidepool.protocol;
    exports tidepool.protocol.drtmh;
    exports tidepool.protocol.farm;
    exports tidepool.protocol.farmv2;
    exports tidepool.protocol.ford;
    exports tidepool.protocol.fordlv;
    exports tidepool.protocol.motor;
    exports tidepool.protocol.hdtx;
    exports tidepool.protocol.record;
    exports tidepool.protocol.redo;
    exports tidepool.protocol.time;
}
