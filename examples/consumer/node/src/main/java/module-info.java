/** A program that serves memory: it requires the memory node, and no client. */
module app.node {
    requires tidepool.node;

    exports app.node;
}
