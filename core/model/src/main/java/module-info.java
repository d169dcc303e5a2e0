/** What a program says about its data: the schemas of tables, and the codec between records and bytes. */
module tidepool.model {
    requires transitive tidepool.base;

    exports tidepool.schema;
}
