package tidepool.fabric.direct;

/** The effect of FLUSH on mapped memory. */
public enum FlushMode {
    /** It is only counted: the pool lives as long as the machine's memory. */
    NONE,
    /** Dirty pages are forced to the file's device before it is acknowledged. */
    FORCE,
    /** The file is mapped with MAP_SYNC on persistent memory, so that a force only writes back cache lines. */
    SYNC
}
