/** Schemas of tables, the codec between records and bytes, and transactions on fields. */
module tidepool.model {
    requires transitive tidepool.base;

    exports tidepool.schema;
    exports tidepool.txn;
}
