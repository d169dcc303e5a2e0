package tidepool.fabric.direct;

/** What FLUSH does on mapped memory. */
public enum Durability {
    /** It is counted and nothing else: the pool lives as long as the machine's memory. */
    NONE,
    /** Dirty pages are forced to the file's device before it is acknowledged. */
    FORCE,
    /** The file is mapped with MAP_SYNC on persistent memory, so that forcing is a matter of cache lines. */
    SYNC
}
