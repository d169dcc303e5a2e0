/** A client of memory nodes: the API finds tidepool.tcp, which lies on the module path. */
module app.client {
    requires tidepool.api;

    exports app.client;
}
