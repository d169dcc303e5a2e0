/** The memory node: regions of bytes, who may touch them, and what is allocated in them. Never records. */
module tidepool.memory {
    requires transitive tidepool.base;

    exports tidepool.memory;
}
