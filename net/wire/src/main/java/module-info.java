/** The parts that both ends of a socket share: frames, codes, transports, TLS, proofs, the status of a memory node. */
module tidepool.wire {
    requires transitive tidepool.base;
    requires tidepool.memory; // the sizes of a node's tables, in its status
    requires java.naming; // names in certificates

    exports tidepool.wire;
    exports tidepool.wire.tls;
}
