/** The contract of a fabric as test suites: a fabric's test inherits {@link tidepool.contracts.FabricContract}. */
module tidepool.contracts {
    requires jdk.management; // tests count the bytes that a thread allocates
    requires transitive org.junit.jupiter.api;
    requires transitive tidepool.fabric;
    requires transitive tidepool.sim;

    exports tidepool.contracts;
}
