/** The API for applications: pools, tables, transactions. */
module tidepool.api {
    requires jdk.jfr;
    requires tidepool.protocol;
    requires transitive tidepool.model;

    exports tidepool;
    exports tidepool.backup;
    exports tidepool.spi; // unstable: for simulations, tools and authors of protocols
}
