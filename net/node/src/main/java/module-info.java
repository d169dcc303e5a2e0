/** The memory node that serves its memory over TCP: loop, journal, security, metrics. */
module tidepool.node {
    requires jdk.httpserver;
    requires jdk.nio.mapmode; // MAP_SYNC, for nodes on persistent memory
    requires transitive tidepool.fabric;
    requires transitive tidepool.wire;

    exports tidepool.node;
    exports tidepool.node.journal;
    exports tidepool.node.metrics;
    exports tidepool.node.security;
}
