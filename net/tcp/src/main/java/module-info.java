/** The client of a pool over the network: the fabric of {@code tcp://}, and probes of single nodes. */
module tidepool.tcp {
    requires transitive tidepool.fabric;
    requires transitive tidepool.wire;

    exports tidepool.tcp;
    exports tidepool.tcp.probe;

    provides tidepool.fabric.FabricProvider with
            tidepool.tcp.TcpProvider;
}
