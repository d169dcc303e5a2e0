/** What applications use: pools, tables, transactions. */
module tidepool.api {
    requires transitive tidepool.protocol;

    exports tidepool;
}
