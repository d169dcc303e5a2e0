/** A program that embeds a pool: it requires the API and nothing else of Tidepool. */
module app {
    requires tidepool.api;

    exports app;
}
