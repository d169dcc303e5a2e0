/**
 * The memory node: regions of bytes, the sessions that may access them, and the extents allocated in them. It knows no
 * records.
 */
module tidepool.memory {
    requires transitive tidepool.base;

    exports tidepool.memory;
}
