/** The pool over the network: the memory node that serves its memory by TCP, and the fabric that reaches it. */
module tidepool.tcp {
    requires jdk.httpserver;
    requires transitive tidepool.fabric;
    requires java.naming; // names in certificates
    requires jdk.nio.mapmode; // MAP_SYNC, for nodes on persistent memory

    exports tidepool.tcp;
    exports tidepool.tcp.journal;
    exports tidepool.tcp.node;
    exports tidepool.tcp.ops;
    exports tidepool.tcp.secure;
    exports tidepool.tcp.wire;

    provides tidepool.fabric.FabricProvider with
            tidepool.tcp.TcpProvider;
}
